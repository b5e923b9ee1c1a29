//! Every distinct text once, under a number.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{Text, Texts};

/// Distinct texts, numbered from 0 in the order in which they came.
#[derive(Debug, Default)]
pub struct Interner {
    texts: Texts,
    hashes: Vec<u32>,
    /// The numbers of the texts plus one, each in the first free place behind the one that its hash leads to; 0 for a
    /// free place. A power of two of them, at most half of them taken.
    places: Vec<u32>,
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
        if 2 * self.len() >= self.places.len() {
            self.grow();
        }
        let hash = hash_of(text);
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(number) = self.places[place].checked_sub(1) {
            if self.hashes[number as usize] == hash && self.get(number) == text {
                return number;
            }
            place = (place + 1) & mask;
        }
        self.texts.push(text);
        self.hashes.push(hash);
        self.places[place] = self.len() as u32;
        self.len() as u32 - 1
    }

    fn grow(&mut self) {
        let count = (2 * self.places.len()).max(256);
        self.places.clear();
        self.places.resize(count, 0);
        for (taken, hash) in (1..).zip(&self.hashes) {
            let mut place = *hash as usize & (count - 1);
            while self.places[place] != 0 {
                place = (place + 1) & (count - 1);
            }
            self.places[place] = taken;
        }
    }
}

fn hash_of(text: Text<'_>) -> u32 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish() as u32
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
