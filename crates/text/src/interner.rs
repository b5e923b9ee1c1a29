//! Every distinct text once, under a number.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::hashing::{Secret, text_hash};
use super::{Text, Texts, swar};

/// Distinct texts, numbered from 0 in the order in which they came.
#[derive(Debug, Default)]
pub struct Interner {
    texts: Texts,
    /// Each text with its number, by the hash of its key, or by the next one that is free. The hashes are keyed, so that nobody can choose
    /// texts for the same slots.
    numbers: FxHashMap<u64, (Key, u32)>,
    secret: Secret,
}

/// Key that identifies a text without comparing it: a short ASCII text is stored in it entirely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key {
    low: u64,
    high: u64,
    /// The length of a short text; [`LONG`] for others, of which the key has only a hash.
    length: u32,
}

/// The longest text that its key has all of.
const SHORT: usize = 16;
const LONG: u32 = u32::MAX;

impl Interner {
    /// Forgets all texts, and keeps the memory.
    pub fn clear(&mut self) {
        self.texts.clear();
        self.numbers.clear();
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub fn get(&self, number: u32) -> Text<'_> {
        self.texts.get(number as usize)
    }

    /// The number of `text`, a new one if it is new.
    pub fn intern(&mut self, text: Text<'_>) -> u32 {
        self.intern_keyed(Key::of(text), Some(text))
    }

    /// The number of the ASCII characters that `text` has at `range`.
    pub fn intern_ascii(&mut self, text: &[u8], range: Range<usize>) -> u32 {
        let key = Key::at(text, range.clone());
        self.intern_keyed(key, Some(Text::from_ascii(&text[range])))
    }

    /// The number of the ASCII characters that `text` has at `range`, in lowercase.
    #[inline]
    pub fn intern_lowercase(&mut self, text: &[u8], range: Range<usize>) -> u32 {
        if range.len() > SHORT {
            return self.intern(Text::from_ascii(&text[range].to_ascii_lowercase()));
        }
        self.intern_keyed(Key::at(text, range).in_lowercase(), None)
    }

    /// The number of `text`, if it is known.
    pub fn find(&self, text: Text<'_>) -> Option<u32> {
        self.look_up(Key::of(text), Some(text)).ok()
    }

    /// The numbers here of all texts of `other`.
    pub fn absorb(&mut self, other: &Interner) -> Vec<u32> {
        (0..other.len() as u32).map(|number| self.intern(other.get(number))).collect()
    }

    /// The number of the text with `key`. Without `text` it is a short one.
    #[inline]
    fn intern_keyed(&mut self, key: Key, text: Option<Text<'_>>) -> u32 {
        let hash = match self.look_up(key, text) {
            Ok(number) => return number,
            Err(free) => free,
        };
        let Key { low, high, length } = key;
        match text {
            Some(text) => self.texts.push(text),
            None => {
                let units = (u128::from(low) | u128::from(high) << 64).to_le_bytes();
                self.texts.push(Text::from_ascii(&units[..length as usize]));
            }
        }
        let number = self.len() as u32 - 1;
        self.numbers.insert(hash, (key, number));
        number
    }

    /// The number of a text, or the hash by which it will be found.
    #[inline]
    fn look_up(&self, key: Key, text: Option<Text<'_>>) -> Result<u32, u64> {
        let mut hash = key.hash(self.secret);
        while let Some(&(known, number)) = self.numbers.get(&hash) {
            if known == key && text.is_none_or(|text| key.length != LONG || self.get(number) == text) {
                return Ok(number);
            }
            hash = hash.wrapping_add(1);
        }
        Err(hash)
    }
}

impl Key {
    #[inline]
    fn of(text: Text<'_>) -> Self {
        let bytes = text.bytes();
        if !text.is_ascii() || bytes.len() > SHORT {
            return Key { low: text_hash(text), high: 0, length: LONG };
        }
        let length = bytes.len();
        let (low, high) = match (bytes.first_chunk(), bytes.last_chunk()) {
            // The last eight bytes, without those that `low` has as well.
            (Some(low), Some(last)) => {
                (u64::from_le_bytes(*low), u64::from_le_bytes(*last).unbounded_shr(8 * (16 - length as u32)))
            }
            _ => match (bytes.first_chunk(), bytes.last_chunk()) {
                (Some(first), Some(last)) => {
                    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
                    (u64::from(first) | u64::from(last) << (8 * (length - 4)), 0)
                }
                _ => (bytes.iter().rev().fold(0, |low, &byte| low << 8 | u64::from(byte)), 0),
            },
        };
        Key { low, high, length: length as u32 }
    }

    /// The key of the ASCII characters that `text` has at `range`. Where `text` goes on for long enough, no branch asks
    /// for the length.
    #[inline]
    fn at(text: &[u8], range: Range<usize>) -> Self {
        let length = range.len();
        match text[range.start..].first_chunk::<SHORT>() {
            Some(chunk) if length <= SHORT => {
                let units = u128::from_le_bytes(*chunk);
                let (low_kept, high_kept) = (8 * length.min(8) as u32, 8 * length.saturating_sub(8) as u32);
                let low = units as u64 & !(!0u64).unbounded_shl(low_kept);
                let high = (units >> 64) as u64 & !(!0u64).unbounded_shl(high_kept);
                Key { low, high, length: length as u32 }
            }
            _ => Key::of(Text::from_ascii(&text[range])),
        }
    }

    /// The key of a short text in lowercase.
    #[inline]
    fn in_lowercase(self) -> Self {
        Key { low: swar::lowercase(self.low), high: swar::lowercase(self.high), ..self }
    }

    #[inline]
    fn hash(self, secret: Secret) -> u64 {
        secret.fold(self.low, self.high ^ u64::from(self.length))
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{Hash, Hasher};

    use rustc_hash::{FxHashSet, FxHasher};

    use super::*;
    use crate::TextBuf;
    use crate::hashing::tests::{colliding_wide, public_secret};

    /// How many of twice as many places the hashes of texts lead to.
    fn places(texts: &[TextBuf], secret: Secret) -> usize {
        let count = (2 * texts.len()).next_power_of_two() as u64;
        texts.iter().map(|text| Key::of(text.as_text()).hash(secret) % count).collect::<FxHashSet<_>>().len()
    }

    /// `count` texts, made by `text` of numbers, that an interner with public hashes would all put close to one place.
    fn crowding(count: usize, text: impl Fn(usize) -> String) -> Vec<TextBuf> {
        let crowds = |text: &TextBuf| {
            let mut key = Key::of(text.as_text());
            if key.length == LONG {
                let mut hasher = FxHasher::default();
                text.as_text().hash(&mut hasher);
                key.low = hasher.finish();
            }
            key.hash(public_secret()) % (2 * count as u64).next_power_of_two() < count as u64 / 32
        };
        (0..).map(|number| TextBuf::from(text(number).as_str())).filter(crowds).take(count).collect()
    }

    #[test]
    fn a_cleared_interner_knows_nothing() {
        let mut interner = Interner::default();
        for round in 0..3 {
            for number in 0..500 {
                let text = TextBuf::from(format!("{round} name {number} of a longer kind").as_str());
                assert_eq!((interner.find(text.as_text()), interner.intern(text.as_text())), (None, number));
                assert!(interner.get(number) == text.as_text());
            }
            interner.clear();
            assert!(interner.is_empty());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes hours")]
    fn chosen_texts_crowd_no_place() {
        let count = 2_000;
        let short = crowding(count, |number| format!("name{number}"));
        let long = crowding(count, |number| format!("a_longer_name_{number}"));
        for texts in [&short, &long, &colliding_wide(count)] {
            let mut interner = Interner::default();
            texts.iter().for_each(|text| _ = interner.intern(text.as_text()));
            assert_eq!(interner.len(), count);
            let places = places(texts, Secret::of_process());
            assert!(places > count / 2, "{places} places for {count} texts like {:?}", texts[0]);
        }
        assert!(places(&short, public_secret()) < count / 16, "these would not crowd anything anyway");
    }

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

    #[test]
    fn tells_texts_of_all_lengths_apart() {
        let mut interner = Interner::default();
        let alphabet = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let texts: Vec<Vec<u8>> = (0..=36)
            .flat_map(|length| {
                let text = alphabet[..length].to_vec();
                let changed = (0..length).map({
                    let text = text.clone();
                    move |at| [&text[..at], b"_", &text[at + 1..]].concat()
                });
                let padded = [&text[..], b"\0"].concat();
                [text, padded].into_iter().chain(changed).collect::<Vec<_>>()
            })
            .collect();
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(interner.find(Text::from_ascii(text)), None);
            assert_eq!(interner.intern(Text::from_ascii(text)) as usize, number, "{text:?}");
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(interner.find(Text::from_ascii(text)), Some(number as u32));
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(interner.intern(Text::from_ascii(text)) as usize, number);
            let embedded = [&b"- "[..], text, &alphabet[number % 20..]].concat();
            assert_eq!(interner.intern_ascii(&embedded, 2..2 + text.len()) as usize, number);
            assert_eq!(interner.get(number as u32).bytes(), text);
        }
        let mut other = Interner::default();
        other.intern(Text::from_ascii(b"new"));
        assert_eq!(other.absorb(&interner), (1..=texts.len() as u32).collect::<Vec<_>>());
        assert_eq!(other.intern_lowercase(b"-ABCDEFGH-", 1..9), other.intern(Text::from_ascii(b"abcdefgh")));
        assert_eq!(
            other.intern_lowercase(&alphabet[..30].to_ascii_uppercase(), 0..30),
            other.intern(Text::from_ascii(&alphabet[..30]))
        );
        let all: Vec<u8> = (0..0x80).collect();
        for length in 0..=SHORT {
            for start in 0..=all.len() - length {
                let number = other.intern_lowercase(&all, start..start + length);
                assert_eq!(other.get(number).bytes(), all[start..start + length].to_ascii_lowercase());
            }
        }
    }
}
