//! Which names and words a conversation still says, so that the last mention of one is not cut.

use std::hint;

use crate::text::Text;
use crate::text::names::any_name;

/// Whether `is` says so of the hash of one of the words in `text` that may name something; see [`any_name`].
pub fn any_word(text: Text<'_>, mut is: impl FnMut(u64) -> bool) -> bool {
    any_name(text.bytes(), |start, end| is(hash(text, start, end)))
}

#[inline(always)]
fn mix(hash: u64, value: u64) -> u64 {
    // The multiplier of Knuth's multiplicative hashing, 2^64 divided by the golden ratio. Its high bits are the good ones.
    let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

#[inline(always)]
fn hash(text: Text<'_>, start: usize, end: usize) -> u64 {
    let bytes = text.bytes();
    let length = end - start;
    let hash = match bytes[start..].first_chunk::<16>() {
        Some(sixteen) if length < 16 => {
            let word = u128::from_le_bytes(*sixteen) & !(u128::MAX << (8 * length));
            let hash = mix(length as u64, word as u64);
            // As good as random, so a branch would often be guessed wrong.
            hint::select_unpredictable(length < 8, hash, mix(hash, (word >> 64) as u64))
        }
        _ => hash_long(&bytes[start..end]),
    };
    match text.units() {
        Some(units) if !bytes[start..end].is_ascii() => {
            units[start..end].iter().fold(hash, |hash, &unit| mix(hash, unit.into()))
        }
        _ => hash,
    }
}

/// The same for a word of any length, wherever it stands.
fn hash_long(word: &[u8]) -> u64 {
    let (eights, rest) = word.as_chunks::<8>();
    let hash = eights.iter().fold(word.len() as u64, |hash, eight| mix(hash, u64::from_le_bytes(*eight)));
    mix(hash, rest.iter().rev().fold(0, |last, &byte| last << 8 | u64::from(byte)))
}

/// The words that are said, as a Bloom filter: it never forgets a word, and takes about one in a thousand for said that
/// is not, which costs the line that says it.
pub struct Vocabulary {
    bits: Vec<u64>,
}

impl Vocabulary {
    /// Room for the words of `units` code units of text.
    pub fn with_capacity(units: usize) -> Self {
        // A conversation says a new word in some 40 units, and each sets two bits.
        Vocabulary { bits: vec![0; (units / 64).next_power_of_two().max(64)] }
    }

    fn places(&self, word: u64) -> [(usize, u64); 2] {
        let mask = self.bits.len() - 1;
        [word, mix(word, 1)].map(|hash| ((hash >> 6) as usize & mask, 1 << (hash & 63)))
    }

    /// Adds the words of `text`.
    pub fn add(&mut self, text: Text<'_>) {
        any_word(text, |word| {
            self.places(word).iter().for_each(|&(place, bit)| self.bits[place] |= bit);
            false
        });
    }

    /// Whether one of the words of `text` is said nowhere.
    pub fn misses_one_of(&self, text: Text<'_>) -> bool {
        any_word(text, |word| self.places(word).iter().any(|&(place, bit)| self.bits[place] & bit == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn a_word_is_the_same_wherever_it_stands() {
        for length in 1..40 {
            let word: String = (b'a'..=b'z').cycle().take(length).map(char::from).collect();
            let text = TextBuf::from(format!(". {word} and so on and on and on and on").as_str());
            let found = [(text.as_text(), 2), (TextBuf::from(word.as_str()).as_text(), 0)]
                .map(|(text, start)| hash(text, start, start + length));
            assert_eq!(found, [hash_long(word.as_bytes()); 2], "{word}");
        }
    }

    #[test]
    fn words_that_name_something() {
        let mut vocabulary = Vocabulary::with_capacity(1000);
        vocabulary.add(TextBuf::from("let total = parseUrl(x1y, a.b) + 東京 grüße;").as_text());
        let misses = |text: &str| vocabulary.misses_one_of(TextBuf::from(text).as_text());
        assert!(!misses("total") && !misses("(parseUrl)") && !misses("a.b.") && !misses("grüße"));
        for word in ["totals", "parse_url", "a.c", "grøße"] {
            assert!(misses(word), "{word}");
        }
        assert!(!misses("no so it if + 12"), "words that name nothing");
    }
}
