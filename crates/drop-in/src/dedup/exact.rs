//! Messages with identical texts.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{Duplicate, keep_target};

/// Groups of identical texts, each with the positions of two or more messages, ascending.
pub struct ExactGroups(Vec<Vec<usize>>);

/// The messages with one text.
enum Found {
    One(usize),
    Group(usize),
}

impl ExactGroups {
    /// Groups `candidates`, positions in ascending order with the numbers of their texts: equal texts have equal numbers, so
    /// that no text is read.
    pub fn new<K: Eq + Hash>(candidates: impl Iterator<Item = (usize, K)>) -> Self {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut found: FxHashMap<K, Found> = FxHashMap::default();
        found.reserve(candidates.size_hint().0);
        for (position, text) in candidates {
            match found.entry(text) {
                Entry::Vacant(entry) => _ = entry.insert(Found::One(position)),
                Entry::Occupied(mut entry) => match *entry.get() {
                    Found::Group(group) => groups[group].push(position),
                    Found::One(first) => {
                        entry.insert(Found::Group(groups.len()));
                        groups.push(vec![first, position]);
                    }
                },
            }
        }
        ExactGroups(groups)
    }

    /// Enters every member of a group, except the one that stays, into `duplicates`.
    pub fn annotate(&self, recency_start: f64, duplicates: &mut [Option<Duplicate>]) {
        for members in &self.0 {
            let kept = keep_target(members, recency_start);
            for &position in members.iter().filter(|&&position| position != kept) {
                duplicates[position] = Some(Duplicate { of: kept, similarity: None });
            }
        }
    }
}
