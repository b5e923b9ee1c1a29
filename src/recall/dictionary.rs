//! The distinct terms of an index.

use super::term_hash::TermHasher;
use crate::text::Text;
use crate::text::terms::{form_keys, is_form, key_of, small_letters};

/// No term, or no posting.
pub const NONE: u32 = u32::MAX;

/// Minimum number of slots.
const MIN_SLOTS: usize = 1 << 10;
/// Slots to each head.
const SLOTS_PER_HEAD: usize = 4;

/// Terms by their hashes, and by the letters they begin with.
#[derive(Debug, Default)]
pub struct Dictionary {
    hasher: TermHasher,
    /// A hash table with open addressing, of numbers of terms. The hashes are keyed, so that nobody can choose terms for the same slots.
    slots: Vec<u32>,
    /// The last term with each key, by the hash of the key.
    heads: Vec<u32>,
    terms: Vec<Term>,
    letters: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    /// Its hash, which no other term has.
    hash: u64,
    /// Its last posting.
    last: u32,
    /// End of its letters, which begin where those of the term before end.
    end: u32,
    /// The term before it under the same head.
    next: u32,
}

impl Dictionary {
    /// The last posting of the term at `start..end`, which is added if it is unknown.
    #[inline]
    pub fn last(&mut self, text: Text<'_>, start: usize, end: usize) -> &mut u32 {
        let hash = self.hasher.hash(text, start, end);
        let mut number = self.slots.get(self.slot_of(hash)).copied().unwrap_or(NONE);
        if number == NONE {
            number = self.add(text, start, end, hash);
        }
        &mut self.terms[number as usize].last
    }

    /// The slot of the term with a hash, or the free one in which it belongs.
    #[inline]
    fn slot_of(&self, hash: u64) -> usize {
        let last = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & last;
        while let Some(term) = self.slots.get(slot).and_then(|&number| self.terms.get(number as usize)) {
            if term.hash == hash {
                break;
            }
            slot = (slot + 1) & last;
        }
        slot
    }

    /// Adds a term.
    #[cold]
    fn add(&mut self, text: Text<'_>, start: usize, end: usize, hash: u64) -> u32 {
        // At least a third of the slots stays free.
        if 2 * self.slots.len() < 3 * (self.terms.len() + 1) {
            self.grow();
        }
        self.letters.extend(small_letters(text, start, end));
        let number = self.terms.len() as u32;
        let slot = self.slot_of(hash);
        self.slots[slot] = number;
        self.terms.push(Term { hash, last: NONE, end: self.letters.len() as u32, next: NONE });
        self.link(number);
        number
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(MIN_SLOTS);
        self.slots = vec![NONE; slots];
        self.heads = vec![NONE; slots / SLOTS_PER_HEAD];
        for number in 0..self.terms.len() {
            let mut slot = self.terms[number].hash as usize & (slots - 1);
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (slots - 1);
            }
            self.slots[slot] = number as u32;
            self.link(number as u32);
        }
    }

    /// Puts a term under its head.
    fn link(&mut self, number: u32) {
        let head = self.head_of(key_of(self.letters_of(number)));
        self.terms[number as usize].next = std::mem::replace(&mut self.heads[head], number);
    }

    fn head_of(&self, key: u64) -> usize {
        self.hasher.hash_key(key) as usize & (self.heads.len() - 1)
    }

    /// Replaces the last posting of each term.
    pub fn replace_last(&mut self, by: impl Fn(u32) -> u32) {
        self.terms.iter_mut().for_each(|term| term.last = by(term.last));
    }

    /// The last posting of each form of a word.
    pub fn postings_of_forms(&self, word: &[u16]) -> Vec<u32> {
        if self.terms.is_empty() {
            return Vec::new();
        }
        let mut heads: Vec<usize> = form_keys(word).into_iter().map(|key| self.head_of(key)).collect();
        heads.sort_unstable();
        heads.dedup();
        let mut found = Vec::new();
        for head in heads {
            let mut at = self.heads[head];
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
