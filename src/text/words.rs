//! Words: the maximal runs of word characters.

use super::class::{WORD, class, find};

/// A word: where it stands, and which classes its characters belong to.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Position of its first unit.
    pub start: usize,
    /// Position behind its last unit.
    pub end: usize,
    /// The union of the classes of its characters (see [`super::class`]).
    pub classes: u16,
}

/// The words of `text`, left to right.
pub fn words(text: &[u8]) -> impl Iterator<Item = Word> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = find(text, at, WORD);
        if start == text.len() {
            return None;
        }
        let mut classes = 0;
        let mut end = start;
        while end < text.len() && class(text[end]) & WORD != 0 {
            classes |= class(text[end]);
            end += 1;
        }
        at = end;
        Some(Word { start, end, classes })
    })
}
