//! Which names and words a conversation still says, so that the last mention of one is not cut.

use crate::text::Text;
use crate::text::names::{any_name, hash_of, mix};

/// Whether `is` says so of the hash of one of the words in `text` that may name something; see [`any_name`].
pub fn any_word(text: Text<'_>, mut is: impl FnMut(u64) -> bool) -> bool {
    any_name(text.bytes(), |name| is(hash_of(text, name.range)))
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
