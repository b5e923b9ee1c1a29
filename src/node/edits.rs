//! Edits of parts, as `lib/agent/pieces.ts` reads them, and indices in columns of signed numbers.

use napi::bindgen_prelude::Int32Array;
use napi_derive::napi;

use crate::layout::{piece, piece_column, sentinel};
use palimpsest_agent::edit::{Change, Piece, length};
use palimpsest_text::index::Idx;

/// The pieces of edited texts.
#[napi(object, object_from_js = false)]
pub struct EditedPieces {
    /// A row of `PIECE_COLUMN` for each.
    pub rows: Int32Array,
    /// The marks of all pieces, one after the other: many short strings take longer to hand over than one that is cut.
    pub marks: String,
}

/// Collects [`EditedPieces`].
#[derive(Default)]
pub struct Pieces {
    rows: Vec<i32>,
    marks: String,
    /// Length of the marks, in UTF-16 code units.
    length: usize,
}

impl Pieces {
    /// Adds what a change puts in the place of a part's text, and returns the number of its pieces; `NONE` where the part goes. `write` writes
    /// a mark and returns its kind, a number of `PIECE`.
    pub fn add<M>(&mut self, change: Change<M>, write: impl Fn(M, &mut String) -> i32) -> i32 {
        let Change::Replace(pieces) = change else { return sentinel::NONE };
        let count = column(pieces.len());
        for one in pieces {
            let mut row = [0; piece_column::COUNT];
            (row[piece_column::START], row[piece_column::END]) = match one {
                Piece::Keep(range) => (column(range.start), column(range.end)),
                Piece::Mark(mark) => {
                    let from = self.marks.len();
                    let kind = write(mark, &mut self.marks);
                    self.length += length(&self.marks[from..]);
                    (kind, column(self.length))
                }
            };
            self.rows.extend(row);
        }
        count
    }

    /// The pieces of all edits.
    pub fn finish(self) -> EditedPieces {
        EditedPieces { rows: Int32Array::new(self.rows), marks: self.marks }
    }
}

/// A [`Pieces`] mark that needs no key.
pub fn write_mark(mark: String, marks: &mut String) -> i32 {
    marks.push_str(&mark);
    piece::MARK
}

/// A length or position in a column of signed numbers.
pub fn column(number: usize) -> i32 {
    i32::try_from(number).expect("fewer than 2³¹")
}

/// An index in such a column, where none is `NONE`.
pub fn column_of<I: Idx>(index: Option<I>) -> i32 {
    index.map_or(sentinel::NONE, |index| index.number().cast_signed())
}

/// The index in such a column, unless it is `NONE`.
pub fn index<I: Idx>(column: i32) -> Option<I> {
    u32::try_from(column).ok().map(I::new)
}
