//! Messages with identical texts.

use std::hash::Hash;

use super::{Duplicate, keep_target};
use crate::text::Text;
use crate::text::hashing::TextMap;

/// Groups of identical texts, each with the positions of two or more messages, ascending.
pub struct ExactGroups(Vec<Vec<usize>>);

impl ExactGroups {
    /// Groups `candidates` (positions, ascending) by their texts, in time linear in the texts.
    pub fn new<'a>(candidates: impl Iterator<Item = (usize, Text<'a>)>) -> Self {
        // Different texts usually differ in their length, at the start or at the end. Only the others are compared as a
        // whole.
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

/// UTF-16 code units that are compared first, at each end.
const ENDS: usize = 64;

type Member<'a> = (usize, Text<'a>);

/// Returns the members that share their key with another one, in order.
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
