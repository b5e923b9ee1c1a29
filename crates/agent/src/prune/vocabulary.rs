//! The words of lines that may go, and which of them a conversation still contains, so that the last mention of a name is not cut.

use std::sync::atomic::{AtomicBool, Ordering};

use palimpsest_text::Text;
use palimpsest_text::names::{any_name, hash_of};
use rustc_hash::FxHashMap;

/// Returns whether `is` holds for the hash of a word in `text` that may be a name; see [`any_name`].
pub(super) fn any_word(text: Text<'_>, mut is: impl FnMut(u64) -> bool) -> bool {
    any_name(text.bytes(), |name| is(hash_of(text, name.range)))
}

/// Lists of words, such as those of the lines of a text.
#[derive(Default)]
pub(super) struct WordLists {
    /// The hashes of their words, one list after the other.
    words: Vec<u64>,
    ends: Vec<usize>,
}

impl WordLists {
    /// Adds a list of the words of `text`.
    pub(super) fn push(&mut self, text: Text<'_>) {
        any_word(text, |word| {
            self.words.push(word);
            false
        });
        self.ends.push(self.words.len());
    }

    /// Returns the words of a list.
    pub(super) fn get(&self, index: usize) -> &[u64] {
        &self.words[index.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[index]]
    }
}

/// A set of words, and whether each is covered. Texts that cover words are many times as long as those that the words come from: a table of the
/// latter fits into the cache of a processor, and several threads share it. It stores the whole hash of each word, because its answers must not
/// depend on the random keys of the process: a Bloom filter would have different false positives in each process.
pub(super) struct CoveredWords(FxHashMap<u64, AtomicBool>);

impl CoveredWords {
    /// Creates a set of all words in `lists`.
    pub(super) fn of<'l>(lists: impl Iterator<Item = &'l WordLists>) -> Self {
        CoveredWords(lists.flat_map(|lists| &lists.words).map(|&word| (word, AtomicBool::new(false))).collect())
    }

    /// Covers a word, if it is in the set.
    #[inline(always)]
    fn cover(&self, word: u64) {
        // Most words are covered many times, and a store would take the memory from the other threads.
        if let Some(is_covered) = self.0.get(&word)
            && !is_covered.load(Ordering::Relaxed)
        {
            is_covered.store(true, Ordering::Relaxed);
        }
    }

    /// Covers the words of `text`.
    pub(super) fn cover_text(&self, text: Text<'_>) {
        any_word(text, |word| {
            self.cover(word);
            false
        });
    }

    /// Covers `words`.
    pub(super) fn cover_all(&self, words: &[u64]) {
        words.iter().for_each(|&word| self.cover(word));
    }

    /// Returns whether one of `words` is not covered.
    pub(super) fn misses_one_of(&self, words: &[u64]) -> bool {
        words.iter().any(|word| !self.0.get(word).is_some_and(|is_covered| is_covered.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    fn words_of(texts: impl Iterator<Item = String>) -> WordLists {
        let mut lists = WordLists::default();
        texts.for_each(|text| lists.push(TextBuf::from(text.as_str()).as_text()));
        lists
    }

    #[test]
    fn no_word_is_mistaken_for_another() {
        let name = |number: u32| format!("name_{number}");
        let lists = words_of((0..40_000).map(name));
        let vocabulary = CoveredWords::of(std::iter::once(&lists));
        (0..40_000).step_by(2).for_each(|number| vocabulary.cover_text(TextBuf::from(name(number).as_str()).as_text()));
        for number in 0..40_000 {
            assert_eq!(vocabulary.misses_one_of(lists.get(number)), number % 2 == 1, "{number}");
        }
    }

    #[test]
    fn words_that_may_be_names() {
        let text = "let total = parseUrl(x1y, a.b) + 東京 grüße;";
        let misses = |word: &str| {
            let lists = words_of([word.to_owned()].into_iter());
            let vocabulary = CoveredWords::of([&lists, &words_of([text.to_owned()].into_iter())].into_iter());
            vocabulary.cover_text(TextBuf::from(text).as_text());
            vocabulary.misses_one_of(lists.get(0))
        };
        assert!(!misses("total") && !misses("(parseUrl)") && !misses("a.b.") && !misses("grüße"));
        for word in ["totals", "parse_url", "a.c", "grøße"] {
            assert!(misses(word), "{word}");
        }
        assert!(!misses("no so it if + 12"), "words that are not names");
    }
}
