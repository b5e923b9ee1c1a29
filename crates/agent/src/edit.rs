//! Changes of parts: what pruning and fitting make.

use std::ops::Range;

/// A piece of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<M = String> {
    /// This range of the original text, in UTF-16 code units.
    Keep(Range<usize>),
    /// What stands in the place of what is gone.
    Mark(M),
}

/// Change of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<M = String> {
    /// The part is removed.
    Remove,
    /// These pieces replace the part's text.
    Replace(Vec<Piece<M>>),
}

impl<M> Piece<M> {
    /// What it keeps of the original text, in UTF-16 code units.
    pub fn kept(&self) -> usize {
        if let Piece::Keep(range) = self { range.len() } else { 0 }
    }
}

/// Returns the length of a mark, in UTF-16 code units.
pub fn length(mark: &str) -> usize {
    mark.chars().map(char::len_utf16).sum()
}
