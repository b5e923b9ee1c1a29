//! Words: the maximal runs of word characters.

use super::class::{WORD, find, run_end};

/// Where a word stands.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Position of its first unit.
    pub start: usize,
    /// Position behind its last unit.
    pub end: usize,
}

/// The words of `text`, left to right.
pub fn words(text: &[u8]) -> impl Iterator<Item = Word> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = find(text, at, WORD);
        at = run_end(text, start, WORD);
        (start < text.len()).then_some(Word { start, end: at })
    })
}
