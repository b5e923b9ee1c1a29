//! What pruning would take out of a part.

use std::ops::Range;

use crate::agent::prune::{Change, Edit, Piece};

/// What of a part's text a later operation says better.
#[derive(Debug)]
pub struct Superseded {
    /// The ranges that pruning would keep.
    kept: Vec<Range<usize>>,
    /// Why the rest would go: `stale read of src/a.ts`.
    pub description: Option<String>,
}

impl Superseded {
    /// Reads an edit.
    pub fn new(edit: &Edit) -> Self {
        let Change::Replace(pieces) = &edit.change else {
            // Removals are of messages without content, and of announcements whose calls would go too.
            return Superseded { kept: std::iter::once(0..usize::MAX).collect(), description: None };
        };
        let mut superseded = Superseded { kept: Vec::new(), description: None };
        for piece in pieces {
            match piece {
                Piece::Keep(range) => superseded.kept.push(range.clone()),
                Piece::Marker(text) => superseded.description = described(text),
                Piece::Stub(_) => {}
            }
        }
        superseded
    }

    /// Whether pruning would take out all of `range`.
    pub fn takes(&self, range: &Range<u32>) -> bool {
        let (start, end) = (range.start as usize, range.end as usize);
        let next = self.kept.partition_point(|kept| kept.end <= start);
        self.kept.get(next).is_none_or(|kept| end <= kept.start)
    }
}

/// ` stale read of src/a.ts, 120 lines]` without the number of lines, which the mark says itself.
fn described(marker: &str) -> Option<String> {
    let text = marker.trim().split(']').next()?;
    let text = text
        .rsplit_once(", ")
        .filter(|(_, size)| size.starts_with(|first: char| first.is_ascii_digit()))
        .map_or(text, |(text, _)| text);
    (!text.is_empty()).then(|| text.to_owned())
}
