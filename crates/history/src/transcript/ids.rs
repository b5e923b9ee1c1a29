//! Ids of messages, and the ids of the summaries that stand for them.

use super::Transcript;
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;

impl Transcript {
    /// For each message, whether its id is among those of `present`.
    pub fn with_ids_of(&self, present: impl Iterator<Item = usize> + Clone) -> Vec<bool> {
        let mut has_id = vec![false; self.len()];
        present.clone().for_each(|index| has_id[index] = true);
        // The others have one of these ids only if they share it. Nearly always there are few of them.
        let key = |index: usize| (self.id(index), self.message(index).has_string_id);
        let mut others: TextMap<_, Vec<usize>> = TextMap::default();
        (0..self.len())
            .filter(|&index| !has_id[index])
            .for_each(|index| others.entry(key(index)).or_default().push(index));
        if !others.is_empty() {
            for index in present {
                others.remove(&key(index)).into_iter().flatten().for_each(|other| has_id[other] = true);
            }
        }
        has_id
    }

    /// Hash of the ids of messages `start..start + count`, in ascending order, by which summaries are told apart.
    pub fn ids_hash(&self, start: usize, count: usize) -> u32 {
        if count == 1 {
            // An id that is no string has no length in JavaScript, so nothing of it is hashed.
            let id = if self.message(start).has_string_id { self.id(start) } else { Text::default() };
            return hash_of_id(id);
        }
        let mut ids: Vec<Text<'_>> = (start..start + count).map(|index| self.id(index)).collect();
        ids.sort_by(|a, b| a.cmp_units(*b));
        ids.iter().enumerate().fold(HASH_START, |hash, (position, id)| {
            // A zero unit separates two ids.
            hash_units(if position == 0 { hash } else { hash.wrapping_mul(33) }, *id)
        })
    }

    /// Id of the summary of messages `start..start + count`: `cce_sum_` and their hash in base 36.
    pub fn summary_id(&self, start: usize, count: usize) -> String {
        format!("cce_sum_{}", base_36(self.ids_hash(start, count)))
    }
}

const HASH_START: u32 = 5381;

/// The hash of one id (djb2 over its UTF-16 code units).
pub fn hash_of_id(id: Text<'_>) -> u32 {
    hash_units(HASH_START, id)
}

fn hash_units(hash: u32, text: Text<'_>) -> u32 {
    let add = |hash: u32, unit: u16| hash.wrapping_mul(33).wrapping_add(u32::from(unit));
    match text.units() {
        Some(units) => units.iter().fold(hash, |hash, &unit| add(hash, unit)),
        None => text.bytes().iter().fold(hash, |hash, &byte| add(hash, u16::from(byte))),
    }
}

fn base_36(mut value: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(value % 36, 36).unwrap_or('0'));
        value /= 36;
        if value == 0 {
            return digits.iter().rev().collect();
        }
    }
}
