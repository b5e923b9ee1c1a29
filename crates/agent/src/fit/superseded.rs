//! Ranges of a part that pruning would take out.

use std::ops::Range;

use crate::edit::{Change, Piece};
use crate::prune::{Edit, Stub};

/// The part of a text that a later operation supersedes.
#[derive(Debug)]
pub struct Superseded {
    /// The ranges that pruning would keep.
    kept: Vec<Range<usize>>,
    /// Whether pruning would take out anything.
    is_cut: bool,
    /// Reason for which the rest would go: `stale read of src/a.ts`.
    pub description: Option<String>,
}

impl Superseded {
    /// Reads an edit.
    pub fn new(edit: &Edit) -> Self {
        let Change::Replace(pieces) = &edit.change else {
            // A call that pruning takes out together with its result: message groups decide on that here.
            return Superseded { kept: Vec::new(), is_cut: false, description: None };
        };
        let mut superseded = Superseded { kept: Vec::new(), is_cut: true, description: None };
        for piece in pieces {
            match piece {
                Piece::Keep(range) => superseded.kept.push(range.clone()),
                Piece::Mark(Stub::Marker(marker)) => superseded.description = Some(marker.what.clone()),
                Piece::Mark(Stub::Text(_)) => {}
            }
        }
        superseded
    }

    /// Whether pruning would take out all of `range`.
    pub fn takes(&self, range: Range<usize>) -> bool {
        let next = self.kept.partition_point(|kept| kept.end <= range.start);
        self.is_cut && self.kept.get(next).is_none_or(|kept| range.end <= kept.start)
    }
}
