//! Every distinct text once, under a number.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{Text, Texts};

/// Distinct texts, numbered from 0 in the order in which they came.
#[derive(Debug, Default)]
pub struct Interner {
    texts: Texts,
    hashes: Vec<u32>,
    /// Each text in the first free place behind the one that its hash leads to. A power of two of them, at most half of
    /// them taken.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The number of the text plus one; 0 for a free place.
    taken_by: u32,
    hash: u32,
}

impl Interner {
    /// The number of distinct texts so far.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The text with a number.
    pub fn get(&self, number: u32) -> Text<'_> {
        self.texts.get(number as usize)
    }

    /// The number of `text`, a new one if it is new.
    pub fn intern(&mut self, text: Text<'_>) -> u32 {
        self.intern_hashed(text, hash_of(text))
    }

    /// The numbers here of all texts of `other`.
    pub fn absorb(&mut self, other: &Interner) -> Vec<u32> {
        (0..other.len() as u32)
            .map(|number| self.intern_hashed(other.get(number), other.hashes[number as usize]))
            .collect()
    }

    fn intern_hashed(&mut self, text: Text<'_>, hash: u32) -> u32 {
        if 2 * self.len() >= self.places.len() {
            self.grow();
        }
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(number) = self.places[at].taken_by.checked_sub(1) {
            if self.places[at].hash == hash && same(self.get(number), text) {
                return number;
            }
            at = (at + 1) & mask;
        }
        self.texts.push(text);
        self.hashes.push(hash);
        self.places[at] = Place { taken_by: self.len() as u32, hash };
        self.len() as u32 - 1
    }

    fn grow(&mut self) {
        let count = (2 * self.places.len()).max(256);
        self.places.clear();
        self.places.resize(count, Place::default());
        for (taken_by, &hash) in (1..).zip(&self.hashes) {
            let mut at = hash as usize & (count - 1);
            while self.places[at].taken_by != 0 {
                at = (at + 1) & (count - 1);
            }
            self.places[at] = Place { taken_by, hash };
        }
    }
}

fn hash_of(text: Text<'_>) -> u32 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish() as u32
}

/// `a == b`, sooner done for the short texts of ASCII that nearly all are.
#[inline]
fn same(a: Text<'_>, b: Text<'_>) -> bool {
    if a.units().is_some() || b.units().is_some() {
        return a == b;
    }
    let (a, b) = (a.bytes(), b.bytes());
    if a.len() != b.len() {
        return false;
    }
    match (a.first_chunk::<8>(), b.first_chunk::<8>()) {
        (Some(a_start), Some(b_start)) if a.len() <= 16 => a_start == b_start && a.last_chunk::<8>() == b.last_chunk(),
        (Some(_), Some(_)) => a == b,
        _ => std::iter::zip(a, b).all(|(a, b)| a == b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn numbers_distinct_texts_in_order() {
        let mut interner = Interner::default();
        let texts: Vec<TextBuf> =
            (0..1000).map(|number| TextBuf::from(format!("text {}é", number % 700).as_str())).collect();
        for (position, text) in texts.iter().enumerate() {
            assert_eq!(interner.intern(text.as_text()) as usize, position % 700);
        }
        assert_eq!(interner.len(), 700);
        assert!(interner.get(699) == texts[699].as_text());
        assert_eq!(interner.intern(TextBuf::from("text 3è").as_text()), 700, "folded alike, yet another text");
    }
}
