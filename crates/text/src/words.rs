//! Words: the maximal runs of word characters.

use super::class::{WORD, find, run_end};

/// Range of a word.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Start, in UTF-16 code units.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
}

/// Returns the words of `text`, left to right.
pub fn words(text: &[u8]) -> impl Iterator<Item = Word> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = find(text, at, WORD);
        at = run_end(text, start, WORD);
        (start < text.len()).then_some(Word { start, end: at })
    })
}
