//! Collections of texts that are kept for long.

use std::ops::Range;

use super::texts::Texts;
use super::view::Text;

/// Many texts in few allocations, of which parts are read in full.
#[derive(Debug)]
pub struct SparseTexts(Texts);

impl Default for SparseTexts {
    fn default() -> Self {
        SparseTexts(Texts::compact(0, 0))
    }
}

impl SparseTexts {
    /// Makes room for texts of `units` code units altogether, beside those that are there.
    pub fn reserve(&mut self, units: usize) {
        self.0.reserve(units);
    }

    /// Adds a text.
    pub fn push(&mut self, text: Text<'_>) {
        self.0.push(text);
    }

    /// Adds a text.
    pub fn push_units(&mut self, units: &[u16]) {
        self.0.push_units(units);
    }

    /// Removes all texts but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the folded bytes of the text at `index`.
    pub fn bytes(&self, index: usize) -> &[u8] {
        self.0.get(index).bytes()
    }

    /// Returns the text at `index`. `buffer` may get its units.
    pub fn whole<'a>(&'a self, index: usize, buffer: &'a mut Vec<u16>) -> Text<'a> {
        self.slice(index, 0..self.bytes(index).len(), buffer)
    }

    /// Returns the part of the text at `index` that is in `range`. `buffer` may get its units.
    pub fn slice<'a>(&'a self, index: usize, range: Range<usize>, buffer: &'a mut Vec<u16>) -> Text<'a> {
        self.0.get(index).slice(range).in_full(buffer)
    }
}
