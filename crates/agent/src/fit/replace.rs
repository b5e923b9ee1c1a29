//! Replacing ranges of a text by marks.

use std::ops::Range;

use crate::edit::{Piece, length};

/// The length of a piece, in UTF-16 code units.
pub(super) fn units(piece: &Piece) -> usize {
    match piece {
        Piece::Keep(range) => range.len(),
        Piece::Mark(mark) => length(mark),
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
        if replacement.as_ref().iter().map(units).sum::<usize>() >= range.len() {
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
