//! Messages with identical texts.

use rustc_hash::FxHashMap;

use super::{Duplicate, keep_target};
use crate::text::Text;

/// The groups of identical texts among `candidates` (positions, ascending), each of two or more.
pub struct ExactGroups(Vec<Vec<usize>>);

impl ExactGroups {
    /// Groups `candidates` by their texts.
    pub fn new<'a>(candidates: impl Iterator<Item = (usize, Text<'a>)>) -> Self {
        let mut group_of: FxHashMap<Text<'a>, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (position, text) in candidates {
            let group = *group_of.entry(text).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(position);
        }
        groups.retain(|members| members.len() > 1);
        ExactGroups(groups)
    }

    /// Tells for each member of a group but the one that stays, in `duplicates`, what it duplicates.
    pub fn annotate(&self, recency_start: f64, duplicates: &mut [Option<Duplicate>]) {
        for members in &self.0 {
            let kept = keep_target(members, recency_start);
            for &position in members.iter().filter(|&&position| position != kept) {
                duplicates[position] = Some(Duplicate { of: kept, similarity: None });
            }
        }
    }
}
