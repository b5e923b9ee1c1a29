//! Which names and words a conversation still says, so that the last mention of one is not cut.

use crate::text::Text;
use crate::text::names::{any_name, hash_of};

/// Whether `is` says so of the hash of one of the words in `text` that may name something; see [`any_name`].
pub fn any_word(text: Text<'_>, mut is: impl FnMut(u64) -> bool) -> bool {
    any_name(text.bytes(), |name| is(hash_of(text, name.range)))
}

/// The words that are said. What is asked of it must not depend on the keys of the process, so it keeps the whole hash of
/// each: a Bloom filter would take other words for said in each process.
pub struct Vocabulary {
    /// Each hash in the first free place behind the one that it leads to; 0 is a free place. A power of two of them, at most
    /// half of them taken.
    places: Vec<u64>,
    count: usize,
}

impl Vocabulary {
    /// Room for the words of `units` code units of text.
    pub fn with_capacity(units: usize) -> Self {
        // A conversation says a new word in some 40 units.
        Vocabulary { places: vec![0; (units / 32).next_power_of_two().max(64)], count: 0 }
    }

    /// Where the word is, or the place that is free for it.
    fn place(&self, word: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = word as usize & mask;
        while self.places[at] != 0 && self.places[at] != word {
            at = (at + 1) & mask;
        }
        at
    }

    /// Adds the words of `text`.
    pub fn add(&mut self, text: Text<'_>) {
        any_word(text, |word| {
            let word = word.max(1);
            let at = self.place(word);
            if self.places[at] == 0 {
                self.places[at] = word;
                self.count += 1;
                if 2 * self.count > self.places.len() {
                    self.grow();
                }
            }
            false
        });
    }

    #[cold]
    fn grow(&mut self) {
        let count = 2 * self.places.len();
        let before = std::mem::replace(&mut self.places, vec![0; count]);
        for word in before.into_iter().filter(|&word| word != 0) {
            let at = self.place(word);
            self.places[at] = word;
        }
    }

    /// Whether one of the words of `text` is said nowhere.
    pub fn misses_one_of(&self, text: Text<'_>) -> bool {
        any_word(text, |word| self.places[self.place(word.max(1))] == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn no_word_is_taken_for_another() {
        let word = |number: u32| TextBuf::from(format!("name_{number}").as_str());
        let mut vocabulary = Vocabulary::with_capacity(1000);
        (0..20_000).for_each(|number| vocabulary.add(word(2 * number).as_text()));
        for number in 0..40_000 {
            assert_eq!(vocabulary.misses_one_of(word(number).as_text()), number % 2 == 1, "{number}");
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
