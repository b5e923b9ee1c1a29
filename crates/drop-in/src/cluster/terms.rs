//! Terms: the words that tell the subject of a text.

use std::collections::hash_map::Entry;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use palimpsest_text::hashing::TextSet;
use palimpsest_text::words::words;
use palimpsest_text::{Interner, Text, TextBuf};

/// Words that occur in every text.
const STOP_WORDS: &str = "a an the is are was were be been being have has had do does did will would could should may \
    might shall can need dare ought used to of in for on with at by from as into through during before after above below \
    between out off over under again further then once here there when where why how all each every both few more most \
    other some such no not only own same so than too very just because but and or if while although that this these those \
    i you he she it we they me him her us them my your his its our their what which who whom whose";

/// Minimum length of a term, in UTF-16 code units.
const MIN_LENGTH: usize = 3;

/// Maximum number of distinct terms per text. The first ones suffice to tell the subject.
const MAX_TERMS: usize = 1000;

/// Terms of a text with their counts, ascending by number.
pub type Terms = Vec<(u32, u32)>;

/// Numbers the terms of texts.
#[derive(Debug, Default)]
pub struct TermsTable {
    names: Interner,
    counts: FxHashMap<u32, u32>,
}

impl TermsTable {
    /// Returns the first 1,000 distinct terms of `text`.
    pub fn terms(&mut self, text: Text<'_>) -> Terms {
        let mut lowered = TextBuf::new();
        let text = lowered.lowercase_in_ascii(text).unwrap_or(text).bytes();
        static STOPS: LazyLock<TextSet<Vec<u8>>> =
            LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().map(|word| word.as_bytes().to_vec()).collect());
        for word in words(text).filter(|word| word.end - word.start >= MIN_LENGTH) {
            let term = self.names.intern_lowercase(text, word.start..word.end);
            let is_full = self.counts.len() == MAX_TERMS;
            match self.counts.entry(term) {
                Entry::Occupied(count) => *count.into_mut() += 1,
                Entry::Vacant(_) if is_full || STOPS.contains(self.names.get(term).bytes()) => {}
                Entry::Vacant(count) => _ = count.insert(1),
            }
        }
        let mut terms: Terms = self.counts.drain().collect();
        terms.sort_unstable();
        terms
    }
}
