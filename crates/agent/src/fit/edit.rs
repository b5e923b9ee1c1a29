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

impl Piece {
    /// In UTF-16 code units.
    fn len(&self) -> usize {
        match self {
            Piece::Keep(range) => range.len(),
            Piece::Mark(mark) => mark.encode_utf16().count(),
        }
    }
}

/// Replaces ranges of a text, from first to last, each only by what is shorter. Returns its pieces; none where nothing is replaced.
pub(super) fn replace<R>(length: usize, ranges: impl Iterator<Item = (Range<usize>, R)>) -> Option<Vec<Piece>>
where
    R: AsRef<[Piece]> + IntoIterator<Item = Piece>,
{
    let mut pieces = Vec::new();
    let mut at = 0;
    for (range, replacement) in ranges {
        if replacement.as_ref().iter().map(Piece::len).sum::<usize>() >= range.len() {
            continue;
        }
        if at < range.start {
            pieces.push(Piece::Keep(at..range.start));
        }
        pieces.extend(replacement);
        at = range.end;
    }
    if pieces.is_empty() {
        return None;
    }
    if at < length {
        pieces.push(Piece::Keep(at..length));
    }
    Some(pieces)
}

/// An edit of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The part is removed, together with its message.
    Remove,
    /// These pieces replace the part's text.
    Replace(Vec<Piece>),
}
