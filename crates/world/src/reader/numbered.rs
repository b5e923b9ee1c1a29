//! Numbers of distinct values.

use palimpsest_text::hashing::TextMap;
use palimpsest_text::index::{Idx, IndexVec};

/// Numbers distinct values in order of first use.
#[derive(Debug)]
pub(super) struct Numbered<I, T> {
    values: IndexVec<I, T>,
    numbers: TextMap<T, I>,
}

impl<I, T> Default for Numbered<I, T> {
    fn default() -> Self {
        Numbered { values: IndexVec::default(), numbers: TextMap::default() }
    }
}

impl<I: Idx, T: Clone + Eq + std::hash::Hash> Numbered<I, T> {
    /// Returns the number of a value, which is a new one for a new value.
    pub(super) fn number(&mut self, value: T) -> I {
        *self.numbers.entry(value).or_insert_with_key(|value| self.values.push(value.clone()))
    }

    /// Forgets which number a value has: from now on it is a new one.
    pub(super) fn forget(&mut self, value: &T) {
        self.numbers.remove(value);
    }

    /// Returns all values, by their numbers.
    pub(super) fn into_values(self) -> impl Iterator<Item = T> {
        self.values.into_iter()
    }
}
