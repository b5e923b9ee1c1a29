//! The names and words that a conversation still contains, so that the last mention of one is not cut.

use crate::text::Text;
use crate::text::names::{any_name, hash_of};

/// Returns whether `is` holds for the hash of a word in `text` that may be a name; see [`any_name`].
pub fn any_word(text: Text<'_>, mut is: impl FnMut(u64) -> bool) -> bool {
    any_name(text.bytes(), |name| is(hash_of(text, name.range)))
}

/// A set of words. It stores the whole hash of each word, because its answers must not depend on the random keys of the process:
/// a Bloom filter would have different false positives in each process.
pub struct Vocabulary {
    /// Hash table with linear probing; 0 is a free place. Its length is a power of two, and at most half of it is taken.
    places: Vec<u64>,
    count: usize,
}

impl Vocabulary {
    /// Creates a set with room for the words of a text of `units` UTF-16 code units.
    pub fn with_capacity(units: usize) -> Self {
        // Conversations have about one new word per 40 code units.
        Vocabulary { places: vec![0; (units / 32).next_power_of_two().max(64)], count: 0 }
    }

    /// Returns the place of the word, or the free place for it.
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
            self.insert(word.max(1));
            false
        });
    }

    /// Adds the words of another set.
    pub fn absorb(&mut self, other: &Vocabulary) {
        other.places.iter().filter(|&&word| word != 0).for_each(|&word| self.insert(word));
    }

    #[inline(always)]
    fn insert(&mut self, word: u64) {
        let at = self.place(word);
        if self.places[at] == 0 {
            self.places[at] = word;
            self.count += 1;
            if 2 * self.count > self.places.len() {
                self.grow();
            }
        }
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

    /// Returns whether a word of `text` is not in the set.
    pub fn misses_one_of(&self, text: Text<'_>) -> bool {
        any_word(text, |word| self.places[self.place(word.max(1))] == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn no_word_is_mistaken_for_another() {
        let word = |number: u32| TextBuf::from(format!("name_{number}").as_str());
        let mut vocabulary = Vocabulary::with_capacity(1000);
        (0..20_000).for_each(|number| vocabulary.add(word(2 * number).as_text()));
        for number in 0..40_000 {
            assert_eq!(vocabulary.misses_one_of(word(number).as_text()), number % 2 == 1, "{number}");
        }
    }

    #[test]
    fn words_of_two_sets_become_one() {
        let word = |number: u32| TextBuf::from(format!("name_{number}").as_str());
        let [mut one, mut other] = [0, 1].map(|_| Vocabulary::with_capacity(1000));
        (0..3_000).for_each(|number| if number % 3 == 0 { &mut one } else { &mut other }.add(word(number).as_text()));
        one.absorb(&other);
        assert!((0..4_000).all(|number| one.misses_one_of(word(number).as_text()) == (number >= 3_000)));
    }

    #[test]
    fn words_that_may_be_names() {
        let mut vocabulary = Vocabulary::with_capacity(1000);
        vocabulary.add(TextBuf::from("let total = parseUrl(x1y, a.b) + 東京 grüße;").as_text());
        let misses = |text: &str| vocabulary.misses_one_of(TextBuf::from(text).as_text());
        assert!(!misses("total") && !misses("(parseUrl)") && !misses("a.b.") && !misses("grüße"));
        for word in ["totals", "parse_url", "a.c", "grøße"] {
            assert!(misses(word), "{word}");
        }
        assert!(!misses("no so it if + 12"), "words that are not names");
    }
}
