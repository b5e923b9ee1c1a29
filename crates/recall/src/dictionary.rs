//! The distinct terms of an index.

use super::term_hash::TermHasher;
use palimpsest_text::Text;
use palimpsest_text::terms::{form_keys, is_form, key_of, small_letters};
use rustc_hash::FxHashMap;

/// No term.
const NONE: u32 = u32::MAX;

/// UTF-16 code units of a history to each of its terms, about: most have fewer.
const UNITS_PER_TERM: usize = 64;

/// Terms by their hashes, and by the letters they begin with.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    hasher: TermHasher,
    /// Numbers of terms, by hash. The hashes are keyed, so that nobody can choose terms for the same slots.
    numbers: FxHashMap<u64, u32>,
    /// The last term with each key, by the hash of the key.
    heads: FxHashMap<u64, u32>,
    terms: Vec<Term>,
    letters: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    /// One more than the number of its last posting, 0 if there is none.
    last: u32,
    /// End of its letters, which begin where those of the term before end.
    end: u32,
    /// The term before it with the same key.
    next: u32,
}

impl Dictionary {
    /// Makes room for the terms of about `units` UTF-16 code units.
    pub(crate) fn reserve(&mut self, units: usize) {
        let terms = units / UNITS_PER_TERM;
        self.terms.reserve(terms);
        self.numbers.reserve(terms);
        self.letters.reserve(units / 8);
    }

    /// One more than the number of the last posting of the term at `start..end`, 0 if there is none. The term is added if it is unknown.
    #[inline]
    pub(crate) fn last(&mut self, text: Text<'_>, start: usize, end: usize) -> &mut u32 {
        let hash = self.hasher.hash(text, start, end);
        let number = self.numbers.get(&hash).copied().unwrap_or_else(|| {
            self.add(hash, |letters| {
                let bytes = &text.bytes()[start..end];
                if bytes.is_ascii() {
                    // Letters and digits, of which this bit tells the case.
                    letters.extend(bytes.iter().map(|&byte| u16::from(byte | 0x20)));
                } else {
                    letters.extend(small_letters(text, start, end));
                }
            })
        });
        &mut self.terms[number as usize].last
    }

    /// Adds a term, whose lowercase letters `push` adds to those of the others.
    #[cold]
    fn add(&mut self, hash: u64, push: impl FnOnce(&mut Vec<u16>)) -> u32 {
        push(&mut self.letters);
        let number = self.terms.len() as u32;
        self.numbers.insert(hash, number);
        let end = self.letters.len() as u32;
        let start = self.terms.last().map_or(0, |before| before.end);
        let key = self.hasher.hash_key(key_of(&self.letters[start as usize..]));
        let next = self.heads.insert(key, number).unwrap_or(NONE);
        self.terms.push(Term { last: 0, end, next });
        number
    }

    /// Replaces the last posting of each term.
    pub(crate) fn replace_last(&mut self, by: impl Fn(u32) -> u32) {
        self.terms.iter_mut().for_each(|term| term.last = by(term.last));
    }

    /// For each form of a word that has postings, one more than the number of the last.
    pub(crate) fn last_of_forms(&self, word: &[u16]) -> Vec<u32> {
        let mut keys: Vec<u64> = form_keys(word).into_iter().map(|key| self.hasher.hash_key(key)).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut found = Vec::new();
        for key in keys {
            let mut at = self.heads.get(&key).copied().unwrap_or(NONE);
            while at != NONE {
                let term = self.terms[at as usize];
                if term.last > 0 && is_form(word, self.letters_of(at)) {
                    found.push(term.last);
                }
                at = term.next;
            }
        }
        found
    }

    fn letters_of(&self, term: u32) -> &[u16] {
        let start = term.checked_sub(1).map_or(0, |before| self.terms[before as usize].end);
        &self.letters[start as usize..self.terms[term as usize].end as usize]
    }
}
