//! Texts without repetitions: equal texts are one, and have one number.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use palimpsest_text::hashing::{sample_hash, text_hash};
use palimpsest_text::index::{IndexVec, to_u32, to_usize};
use palimpsest_text::{Text, Texts, index_types};

index_types! {
    /// Number of a text in a transcript. Two texts of one transcript are equal exactly where their numbers are. Numbers are dense, in order
    /// of first use, so facts about texts can be kept in a table.
    TextId;
}

/// Distinct texts, found by hashes with keys that each process draws anew (see [`palimpsest_text::hashing`]): nobody can choose texts that
/// collide.
///
/// Most texts differ in their length or in the few units that a sample reads, so most are never hashed as a whole. A text
/// is compared with one other, and hashed once, at most.
#[derive(Debug, Default)]
pub struct DistinctTexts {
    /// The texts, which may include repetitions where they came together.
    texts: Texts,
    /// Index in `texts` of each distinct text.
    places: IndexVec<TextId, u32>,
    by_sample: FxHashMap<u64, Sampled>,
    /// The distinct texts whose samples are not unique, by the hash of the whole text. A text whose hash is taken by another
    /// one is found under the next free number.
    by_hash: FxHashMap<u64, TextId>,
}

/// The distinct texts with one hash of their sample.
#[derive(Clone, Copy, Debug)]
enum Sampled {
    One(TextId),
    /// They are found by the hash of the whole text.
    Several,
}

impl DistinctTexts {
    /// An empty collection with room for `count` texts of `units` UTF-16 code units in total, which are kept compact.
    pub fn with_capacity(count: usize, units: usize) -> Self {
        DistinctTexts {
            texts: Texts::compact(count, units),
            places: Vec::with_capacity(count).into(),
            by_sample: FxHashMap::with_capacity_and_hasher(count, Default::default()),
            by_hash: FxHashMap::default(),
        }
    }

    /// Takes over `texts` without copying them, and returns the number of each. The memory of repetitions is not freed.
    pub fn take_over(texts: Texts) -> (Self, Vec<TextId>) {
        let count = texts.len();
        let mut distinct = DistinctTexts { texts, ..DistinctTexts::with_capacity(count, 0) };
        let ids = (0..count).map(|place| distinct.number(place)).collect();
        (distinct, ids)
    }

    /// Adds a text unless it is known, and returns its number.
    pub fn push(&mut self, text: Text<'_>) -> TextId {
        self.texts.push(text);
        self.number_last()
    }

    /// Adds a text unless it is known, and returns its number.
    pub fn push_units(&mut self, units: &[u16]) -> TextId {
        self.texts.push_units(units);
        self.number_last()
    }

    /// The text with number `id`.
    #[inline]
    pub fn get(&self, id: TextId) -> Text<'_> {
        self.texts.get(self.place(id))
    }

    /// Length of the text with number `id`, in UTF-16 code units.
    #[inline]
    pub fn length(&self, id: TextId) -> usize {
        self.texts.length(self.place(id))
    }

    #[inline]
    fn place(&self, id: TextId) -> usize {
        to_usize(self.places[id])
    }

    /// Number of distinct texts.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    fn number_last(&mut self) -> TextId {
        let (last, known) = (self.texts.len() - 1, self.count());
        let id = self.number(last);
        if self.count() == known {
            self.texts.pop();
        }
        id
    }

    /// Number of the text at `place` of `texts`; a new one where no text before it is equal.
    fn number(&mut self, place: usize) -> TextId {
        let text = self.texts.get(place);
        let next = self.places.next_index();
        let id = match self.by_sample.entry(sample_hash(text)) {
            Entry::Vacant(entry) => {
                entry.insert(Sampled::One(next));
                next
            }
            Entry::Occupied(mut entry) => match *entry.get() {
                Sampled::One(only) if self.texts.get(to_usize(self.places[only])) == text => only,
                Sampled::One(only) => {
                    entry.insert(Sampled::Several);
                    self.find_by_hash(self.place(only), only);
                    self.find_by_hash(place, next)
                }
                Sampled::Several => self.find_by_hash(place, next),
            },
        };
        if id == next {
            self.places.push(to_u32(place));
        }
        id
    }

    /// The text in `by_hash` that equals the one at `place`; adds it as `id` where there is none.
    fn find_by_hash(&mut self, place: usize, id: TextId) -> TextId {
        let text = self.texts.get(place);
        let mut hash = text_hash(text);
        loop {
            let found = *self.by_hash.entry(hash).or_insert(id);
            if found == id || self.get(found) == text {
                return found;
            }
            hash = hash.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    #[test]
    fn equal_texts_are_one_in_either_width() {
        let given = ["a", "über", "", "a", "東京", "über", "b", "", "東亰"];
        let mut distinct = DistinctTexts::default();
        let ids: Vec<usize> = given.iter().map(|text| distinct.push(TextBuf::from(*text).as_text()).index()).collect();
        assert_eq!(ids, [0, 1, 2, 0, 3, 1, 4, 2, 5]);
        assert_eq!((distinct.count(), distinct.texts.len()), (6, 6), "repetitions are not stored");
        for (text, &id) in given.iter().zip(&ids) {
            assert_eq!(distinct.get(TextId::from(id)), TextBuf::from(*text).as_text());
        }
    }

    #[test]
    fn a_text_whose_hash_is_taken_is_another_text() {
        let mut distinct = DistinctTexts::default();
        let first = distinct.push(TextBuf::from("first").as_text());
        // As if both hashes of the second text were those of the first.
        let second = TextBuf::from("second");
        distinct.by_sample.insert(sample_hash(second.as_text()), Sampled::One(first));
        distinct.by_hash.insert(text_hash(second.as_text()), first);
        let id = distinct.push(second.as_text());
        assert_ne!(id, first);
        assert_eq!((distinct.push(second.as_text()), distinct.get(id)), (id, second.as_text()));
    }

    #[test]
    fn texts_that_differ_where_no_sample_is_taken_are_told_apart() {
        let changed_at = |at: usize| {
            let mut bytes = vec![b'a'; 10_000];
            bytes[at] = b'b';
            bytes
        };
        let given: Vec<Vec<u8>> = (0..10_000).step_by(7).map(changed_at).collect();
        let mut distinct = DistinctTexts::default();
        for round in 0..2 {
            for (index, bytes) in given.iter().enumerate() {
                assert_eq!(distinct.push(Text::from_ascii(bytes)).index(), index, "round {round}");
            }
        }
        assert!(distinct.by_sample.len() < given.len(), "some have one sample");
    }

    #[test]
    fn texts_that_are_taken_over_get_the_same_numbers() {
        let given = ["a", "b", "a", "東京", "b"];
        let mut texts = Texts::default();
        let mut pushed = DistinctTexts::default();
        given.iter().for_each(|text| texts.push_str(text));
        let (distinct, ids) = DistinctTexts::take_over(texts);
        let one_by_one: Vec<TextId> = given.iter().map(|text| pushed.push(TextBuf::from(*text).as_text())).collect();
        assert_eq!(ids, one_by_one);
        assert!(ids.iter().all(|&id| distinct.get(id) == pushed.get(id)));
    }
}
