//! Signals of a text's importance: it decides, corrects or limits something.

use std::sync::LazyLock;

use palimpsest_text::masks::Scanned;
use palimpsest_text::patterns::{Pattern, Patterns, Step, phrases_only};

#[derive(Clone, Copy)]
enum Signal {
    Decision,
    Correction,
    Constraint,
}

const DECISIONS: &[&str] = &[
    "must",
    "should",
    "require",
    "required",
    "requires",
    "always",
    "never",
    "do not",
    "don't",
    "instead",
    "decide to",
    "decided to",
];
const DECISION_PATTERNS: &[(&str, &[Step])] = &[
    ("use", &[Step::Spaces, Step::Word, Step::Spaces, Step::OneOf(&["instead", "rather"]), Step::Boundary]),
    (
        "the",
        &[
            Step::Spaces,
            Step::OneOf(&["approach", "solution", "fix", "answer"]),
            Step::Spaces,
            Step::OneOf(&["is"]),
            Step::Boundary,
        ],
    ),
    ("we will", TAKE),
    ("we'll", TAKE),
];
const TAKE: &[Step] = &[Step::Spaces, Step::OneOf(&["go with", "use", "implement"]), Step::Boundary];

const CORRECTIONS: &[&str] =
    &["actually", "correction", "scratch that", "disregard", "ignore that", "ignore my", "ignore the previous"];
const CORRECTION_PATTERNS: &[(&str, &[Step])] = &[
    ("no", &[Step::MarkOrNot(b",."), Step::Spaces, Step::OneOf(&["use", "it's", "that's", "the"]), Step::Boundary]),
    ("wait", MARK),
    ("sorry", MARK),
    ("instead", MARK),
    (
        "not",
        &[
            Step::Spaces,
            Step::Word,
            Step::MarkOrNot(b",."),
            Step::Spaces,
            Step::OneOf(&["but", "use", "it's"]),
            Step::Boundary,
        ],
    ),
];
/// The contract requires a boundary after the mark, so a word has to follow it directly.
const MARK: &[Step] = &[Step::Mark(b",."), Step::Boundary];

const CONSTRAINTS: &[&str] = &[
    "constraint",
    "limitation",
    "boundary",
    "deadline",
    "blocker",
    "requirement",
    "prerequisite",
    "dependency",
    "breaking change",
    "backward compat",
    "backwards compat",
];

/// Returns 0.15 for a decision, plus 0.25 for a correction, plus 0.1 for a constraint; at most 0.4.
pub fn content_signals(text: Scanned<'_>) -> f64 {
    static PATTERNS: LazyLock<Patterns<Signal>> = LazyLock::new(|| {
        let with_rest = |meaning: Signal, patterns: &'static [(&'static str, &'static [Step])]| {
            patterns.iter().map(move |&(head, rest)| Pattern { head, rest, meaning })
        };
        Patterns::new(
            phrases_only(Signal::Decision, DECISIONS)
                .chain(with_rest(Signal::Decision, DECISION_PATTERNS))
                .chain(phrases_only(Signal::Correction, CORRECTIONS))
                .chain(with_rest(Signal::Correction, CORRECTION_PATTERNS))
                .chain(phrases_only(Signal::Constraint, CONSTRAINTS)),
        )
    });
    let mut found = [0.0; 3];
    PATTERNS.for_each(text, |signal| found[signal as usize] = 1.0);
    let [decision, correction, constraint] = found;
    f64::min(0.4, 0.15 * decision + 0.25 * correction + 0.1 * constraint)
}
