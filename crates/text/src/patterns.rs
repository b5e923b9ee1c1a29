//! Patterns of a few words: a phrase, and the text that must follow it.

use super::class::{SPACE, WORD, is_at, is_boundary, run_end};
use super::masks::Scanned;
use super::phrases::{Gap, Phrase, Phrases};

/// A step of a pattern after its phrase.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// One character of white space.
    Space,
    /// One or more characters of white space.
    Spaces,
    /// One or more word characters.
    Word,
    /// One of these marks.
    Mark(&'static [u8]),
    /// One of these marks, or nothing.
    MarkOrNot(&'static [u8]),
    /// One of these, in either case.
    OneOf(&'static [&'static str]),
    /// A word boundary.
    Boundary,
}

/// A phrase (see [`Phrase`]; its words are separated by single spaces) with boundaries at both ends, and the steps that
/// follow.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<T> {
    /// The phrase, in lowercase.
    pub head: &'static str,
    /// The steps that must follow.
    pub rest: &'static [Step],
    /// Meaning that is reported for each occurrence.
    pub meaning: T,
}

/// Returns patterns of a single phrase each, with the same meaning.
pub fn phrases_only<T: Copy>(meaning: T, heads: &[&'static str]) -> impl Iterator<Item = Pattern<T>> {
    heads.iter().map(move |&head| Pattern { head, rest: &[], meaning })
}

/// A set of patterns, prepared for finding them all in a single pass.
#[derive(Debug)]
pub struct Patterns<T> {
    heads: Phrases<(&'static [Step], T)>,
}

impl<T: Copy> Patterns<T> {
    pub fn new(patterns: impl Iterator<Item = Pattern<T>>) -> Self {
        let phrase = |pattern: Pattern<T>| Phrase {
            text: pattern.head,
            gap: Gap::Blank,
            meaning: (pattern.rest, pattern.meaning),
        };
        Patterns { heads: Phrases::new(patterns.map(phrase).collect()) }
    }

    /// Calls `visit` with the meaning of every pattern in `text`. Runs in time linear in the text, because each step
    /// reads at most to the end of the next word.
    pub fn for_each(&self, text: Scanned<'_>, mut visit: impl FnMut(T)) {
        self.heads.for_each(text, |(rest, meaning), _, end| {
            if follows(text.bytes, end, rest) {
                visit(meaning);
            }
        });
    }
}

/// Returns whether `steps` match `text` from `at` on.
fn follows(text: &[u8], at: usize, steps: &[Step]) -> bool {
    let Some((step, rest)) = steps.split_first() else { return true };
    let is_mark = |marks: &[u8]| text.get(at).is_some_and(|mark| marks.contains(mark));
    let after_run = |class: u16| {
        let end = run_end(text, at, class);
        end > at && follows(text, end, rest)
    };
    match step {
        Step::Space => is_at(text, at, SPACE) && follows(text, at + 1, rest),
        Step::Spaces => after_run(SPACE),
        Step::Word => after_run(WORD),
        Step::Mark(marks) => is_mark(marks) && follows(text, at + 1, rest),
        Step::MarkOrNot(marks) => follows(text, at + usize::from(is_mark(marks)), rest),
        Step::OneOf(phrases) => phrases.iter().any(|phrase| {
            let end = at + phrase.len();
            text.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(phrase.as_bytes()))
                && follows(text, end, rest)
        }),
        Step::Boundary => is_boundary(text, at) && follows(text, at, rest),
    }
}
