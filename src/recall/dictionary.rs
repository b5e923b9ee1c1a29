//! The distinct terms of an index.

use rustc_hash::FxHashMap;

use crate::text::Text;
use crate::text::hashing::TextMap;
use crate::text::terms::{form_keys, hash_of_term, is_form, small_letters};

/// No term, or no posting.
pub const NONE: u32 = u32::MAX;

/// Terms by their hashes, and by the letters they begin with.
#[derive(Debug, Default)]
pub struct Dictionary {
    /// By [`hash_of_term`], which is keyed.
    numbers: FxHashMap<u64, u32>,
    /// The last term with each key.
    heads: TextMap<u64, u32>,
    terms: Vec<Term>,
    letters: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    /// End of its letters, which begin where those of the term before end.
    end: u32,
    /// The term before it with the same key.
    next: u32,
    /// Its last posting.
    last: u32,
}

impl Dictionary {
    /// The number of the term at `start..end`, which begins with `key`; a new one if it is unknown.
    pub fn add(&mut self, text: Text<'_>, start: usize, end: usize, key: u64) -> u32 {
        let next = self.terms.len() as u32;
        let number = *self.numbers.entry(hash_of_term(text, start, end)).or_insert(next);
        if number == next {
            self.letters.extend(small_letters(text, start, end));
            let before = self.heads.insert(key, number).unwrap_or(NONE);
            self.terms.push(Term { end: self.letters.len() as u32, next: before, last: NONE });
        }
        number
    }

    /// The last posting of a term.
    pub fn last(&mut self, term: u32) -> &mut u32 {
        &mut self.terms[term as usize].last
    }

    /// The last posting of each form of a word.
    pub fn postings_of_forms(&self, word: &[u16]) -> Vec<u32> {
        let mut keys = form_keys(word);
        keys.sort_unstable();
        keys.dedup();
        let mut found = Vec::new();
        for key in keys {
            let mut at = self.heads.get(&key).copied().unwrap_or(NONE);
            while at != NONE {
                let term = self.terms[at as usize];
                if term.last != NONE && is_form(word, self.letters_of(at)) {
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
