//! Words by which a message retracts or corrects an earlier one.

use std::sync::LazyLock;

use palimpsest_text::masks::Scanned;
use palimpsest_text::patterns::{Pattern, Patterns, Step, phrases_only};

/// Kind of correction. If a text contains several, the first in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signal {
    ExplicitCorrection,
    NegationDirective,
    InsteadDirective,
    Retraction,
    DontDirective,
    NotButPattern,
    WaitCorrection,
    SorryCorrection,
    SelfCorrection,
    Rephrase,
}

impl Signal {
    /// Returns the name that users see.
    pub fn name(self) -> &'static str {
        match self {
            Signal::ExplicitCorrection => "explicit_correction",
            Signal::NegationDirective => "negation_directive",
            Signal::InsteadDirective => "instead_directive",
            Signal::Retraction => "retraction",
            Signal::DontDirective => "dont_directive",
            Signal::NotButPattern => "not_but_pattern",
            Signal::WaitCorrection => "wait_correction",
            Signal::SorryCorrection => "sorry_correction",
            Signal::SelfCorrection => "self_correction",
            Signal::Rephrase => "rephrase",
        }
    }
}

const STOP: &[Step] = &[Step::Mark(b",.:")];
/// Without a boundary after the word: `no, users` matches too.
const USE: &[Step] =
    &[Step::MarkOrNot(b",."), Step::Spaces, Step::OneOf(&["use", "it's", "that's", "it should", "we should"])];
const DO: &[Step] = &[Step::MarkOrNot(b",."), Step::Spaces, Step::OneOf(&["use", "do", "we", "you"])];
const DONT: &[Step] = &[Step::Spaces, Step::OneOf(&["use", "do", "add", "include", "import"]), Step::Boundary];
const BUT: &[Step] = &[
    Step::Spaces,
    Step::Word,
    Step::MarkOrNot(b",."),
    Step::Spaces,
    Step::OneOf(&["but", "use", "go with"]),
    Step::Boundary,
];
const PAUSE: &[Step] = &[Step::Mark(b",."), Step::Space];
const APOLOGY: &[Step] = &[Step::Mark(b",."), Step::Spaces, Step::OneOf(&["i", "that", "the"])];

const WITH_REST: &[Pattern<Signal>] = &[
    Pattern { head: "actually", rest: STOP, meaning: Signal::ExplicitCorrection },
    Pattern { head: "correction", rest: STOP, meaning: Signal::ExplicitCorrection },
    Pattern { head: "no", rest: USE, meaning: Signal::NegationDirective },
    Pattern { head: "instead", rest: DO, meaning: Signal::InsteadDirective },
    Pattern { head: "rather", rest: DO, meaning: Signal::InsteadDirective },
    Pattern { head: "don't", rest: DONT, meaning: Signal::DontDirective },
    Pattern { head: "dont", rest: DONT, meaning: Signal::DontDirective },
    Pattern { head: "not", rest: BUT, meaning: Signal::NotButPattern },
    Pattern { head: "wait", rest: PAUSE, meaning: Signal::WaitCorrection },
    Pattern { head: "sorry", rest: APOLOGY, meaning: Signal::SorryCorrection },
];

/// Returns the kind of correction in `text`, if any.
pub fn signal(text: Scanned<'_>) -> Option<Signal> {
    static PATTERNS: LazyLock<Patterns<Signal>> = LazyLock::new(|| {
        Patterns::new(
            WITH_REST
                .iter()
                .copied()
                .chain(phrases_only(Signal::Retraction, &["scratch that", "disregard", "ignore"]))
                .chain(phrases_only(Signal::SelfCorrection, &["i was wrong"]))
                .chain(phrases_only(Signal::Rephrase, &["let me correct", "let me rephrase", "let me clarify"])),
        )
    });
    let mut first = None;
    PATTERNS.for_each(text, |signal| first = Some(first.map_or(signal, |first| signal.min(first))));
    first
}
