//! Marks that raise or lower the score of a clause, or make it depend on the one before.

use std::sync::LazyLock;

use crate::summarize::for_each_identifier;
use palimpsest_text::class::{DIGIT, LETTER, SPACE, WORD, is_at, run_end};
use palimpsest_text::masks::{Scanned, positions};
use palimpsest_text::phrases::{Gap, Phrases, match_phrase, phrases};

/// Meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A name of code.
    Identifier,
    /// A number with a suffix, such as `ms` or `%`.
    Quantity,
    /// A word that stresses the clause.
    Importance,
    /// Filler, if at the start of a clause.
    Filler,
    /// A reference to something said before, if at the start of a clause.
    Anaphor,
    /// A connection to the clause before.
    Connective,
}

/// A mark and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Meaning of the mark.
    pub sign: Sign,
    /// Start, in UTF-16 code units.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
}

const IMPORTANCE: &[&str] = &["always", "critical", "important", "must", "never", "require"];
const FILLERS: &[&str] = &["great", "ok", "right", "sure", "thanks", "well", "yes"];
const ANAPHORS: &[&str] =
    &["it", "that", "the output", "the response", "the result", "the value", "these", "this", "those"];
const CONNECTIVES: &[&str] = &[
    "after that",
    "as a result",
    "because",
    "eventually",
    "finally",
    "first",
    "hence",
    "in order to",
    "later",
    "next",
    "since",
    "so that",
    "subsequently",
    "then",
    "therefore",
    "thus",
];
/// Suffixes of quantities, besides `%`.
const SUFFIXES: &[&str] = &["second", "seconds", "ms", "mb", "gb", "retrie", "retries"];

fn words() -> &'static Phrases<Sign> {
    static WORDS: LazyLock<Phrases<Sign>> = LazyLock::new(|| {
        Phrases::new(
            phrases(Gap::Blank, Sign::Importance, IMPORTANCE)
                .chain(phrases(Gap::Blank, Sign::Filler, FILLERS))
                .chain(phrases(Gap::Blank, Sign::Anaphor, ANAPHORS))
                .chain(phrases(Gap::Blank, Sign::Connective, CONNECTIVES))
                .collect(),
        )
    });
    &WORDS
}

/// Writes the marks of `text` to `marks`, sorted by their starts.
pub(super) fn read_marks(text: Scanned<'_>, marks: &mut Vec<Mark>) {
    marks.clear();
    for_each_identifier(text, |_, start, end| marks.push(Mark { sign: Sign::Identifier, start, end }));
    words().for_each(text, |sign, start, end| marks.push(Mark { sign, start, end }));
    for (number, block, starts) in text.word_starts() {
        for start in positions(number, starts & block.digit) {
            if let Some(end) = quantity_end(text.bytes, start) {
                marks.push(Mark { sign: Sign::Quantity, start, end });
            }
        }
    }
    marks.sort_unstable_by_key(|mark| mark.start);
}

/// Returns the end of the number at `start` and its suffix, if it has one. Digits after a dot count as a number of
/// their own, because a clause contains a dot only at its end.
fn quantity_end(text: &[u8], start: usize) -> Option<usize> {
    let digits_end = run_end(text, start, DIGIT);
    let suffix = run_end(text, digits_end, SPACE);
    if text.get(suffix) == Some(&b'%') {
        return is_at(text, suffix + 1, WORD).then_some(suffix + 1);
    }
    if !is_at(text, suffix, LETTER) {
        return None;
    }
    SUFFIXES.iter().find_map(|name| match_phrase(text, suffix, name, Gap::Blank))
}
