//! Edits: the rendering of a choice.

use std::ops::Range;

/// A piece of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This range of the original text, in UTF-16 code units.
    Keep(Range<usize>),
    /// A mark that says that something is left out.
    Mark(String),
}

/// An edit of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The part is removed, together with its message.
    Remove,
    /// These pieces replace the part's text.
    Replace(Vec<Piece>),
}
