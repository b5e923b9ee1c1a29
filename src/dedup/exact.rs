//! Messages with identical texts.

use std::hash::Hash;

use super::{Duplicate, keep_target};
use crate::text::Text;
use crate::text::hashing::TextMap;

/// The groups of identical texts among `candidates` (positions, ascending), each of two or more.
pub struct ExactGroups(Vec<Vec<usize>>);

impl ExactGroups {
    /// Groups `candidates` by their texts.
    pub fn new<'a>(candidates: impl Iterator<Item = (usize, Text<'a>)>) -> Self {
        // Texts that differ mostly do so in length, at the start or at the end. Only the others are read as a whole.
        let alike = repeated(candidates, |text| (text.len(), text.prefix(ENDS), text.suffix(ENDS)));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: TextMap<Text<'_>, usize> = TextMap::default();
        for (position, text) in repeated(alike.into_iter(), |text| text) {
            let group = *group_of.entry(text).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(position);
        }
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

/// How many units at each end are compared first.
const ENDS: usize = 64;

type Member<'a> = (usize, Text<'a>);

/// The members whose key another one has as well, in order.
fn repeated<'a, K: Eq + Hash>(
    members: impl Iterator<Item = Member<'a>>,
    key: impl Fn(Text<'a>) -> K,
) -> Vec<Member<'a>> {
    let mut group_of: TextMap<K, usize> = TextMap::default();
    let mut sizes: Vec<u32> = Vec::new();
    let grouped: Vec<(usize, Member<'a>)> = members
        .map(|member| {
            let group = *group_of.entry(key(member.1)).or_insert(sizes.len());
            if group == sizes.len() {
                sizes.push(0);
            }
            sizes[group] += 1;
            (group, member)
        })
        .collect();
    grouped.into_iter().filter(|(group, _)| sizes[*group] > 1).map(|(_, member)| member).collect()
}
