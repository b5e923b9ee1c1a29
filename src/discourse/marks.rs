//! What in a text raises or lowers the score of a clause, or makes it depend on the one before.

use std::sync::LazyLock;

use crate::summarize::for_each_identifier;
use crate::text::class::{DIGIT, LETTER, SPACE, WORD, is_at, run_end};
use crate::text::masks::{Scanned, positions};
use crate::text::phrases::{Gap, Phrases, match_phrase, phrases};

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A name of code.
    Identifier,
    /// A number with its unit.
    Quantity,
    /// The clause matters.
    Importance,
    /// At the start of a clause: it is filler.
    Filler,
    /// At the start of a clause: it speaks of something said before.
    Anaphor,
    /// The clause goes on from the one before.
    Connective,
}

/// Where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// What it says.
    pub sign: Sign,
    /// Position of its first unit.
    pub start: usize,
    /// Position behind its last unit.
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
const UNITS: &[&str] = &["second", "seconds", "ms", "mb", "gb", "retrie", "retries"];

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

/// Puts the marks of `text` into `marks`, by their starts.
pub fn read_marks(text: Scanned<'_>, marks: &mut Vec<Mark>) {
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

/// Where the number at `start` ends with its unit, if it has one. The digits behind a dot count as a number of their own:
/// no clause has the dot unless it ends there.
fn quantity_end(text: &[u8], start: usize) -> Option<usize> {
    let digits_end = run_end(text, start, DIGIT);
    let unit = run_end(text, digits_end, SPACE);
    if text.get(unit) == Some(&b'%') {
        return is_at(text, unit + 1, WORD).then_some(unit + 1);
    }
    if !is_at(text, unit, LETTER) {
        return None;
    }
    UNITS.iter().find_map(|name| match_phrase(text, unit, name, Gap::Blank))
}
