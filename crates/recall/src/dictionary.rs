//! The distinct terms of an index.

use super::term_hash::TermHasher;
use palimpsest_text::Text;
use palimpsest_text::terms::{form_keys, is_form, key_of, small_letters};

/// No term.
const NONE: u32 = u32::MAX;

/// Minimum number of slots.
const MIN_SLOTS: usize = 1 << 8;
/// UTF-16 code units of a history to each of its terms, about: most have fewer.
const UNITS_PER_TERM: usize = 64;
/// Slots to each head.
const SLOTS_PER_HEAD: usize = 4;

/// Terms by their hashes, and by the letters they begin with.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
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
    /// One more than the number of its last posting, 0 if there is none.
    last: u32,
    /// End of its letters, which begin where those of the term before end.
    end: u32,
    /// The term before it under the same head.
    next: u32,
}

impl Dictionary {
    /// Makes room for the terms of about `units` UTF-16 code units.
    pub(crate) fn reserve(&mut self, units: usize) {
        let terms = units / UNITS_PER_TERM;
        self.terms.reserve(terms);
        self.letters.reserve(units / 8);
        self.grow(self.terms.len() + terms);
    }

    /// One more than the number of the last posting of the term at `start..end`, 0 if there is none. The term is added if it is unknown.
    #[inline]
    pub(crate) fn last(&mut self, text: Text<'_>, start: usize, end: usize) -> &mut u32 {
        let hash = self.hasher.hash(text, start, end);
        let mut number = self.slots.get(self.slot_of(hash)).copied().unwrap_or(NONE);
        if number == NONE {
            number = self.add(hash, |letters| {
                let bytes = &text.bytes()[start..end];
                if bytes.is_ascii() {
                    // Letters and digits, of which this bit tells the case.
                    letters.extend(bytes.iter().map(|&byte| u16::from(byte | 0x20)));
                } else {
                    letters.extend(small_letters(text, start, end));
                }
            });
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

    /// Adds a term, whose lowercase letters `push` adds to those of the others.
    #[cold]
    fn add(&mut self, hash: u64, push: impl FnOnce(&mut Vec<u16>)) -> u32 {
        self.grow(self.terms.len() + 1);
        push(&mut self.letters);
        let number = self.terms.len() as u32;
        let slot = self.slot_of(hash);
        self.slots[slot] = number;
        self.terms.push(Term { hash, last: 0, end: self.letters.len() as u32, next: NONE });
        self.link(number);
        number
    }

    /// Makes the table large enough for a number of terms: at least a third of the slots stays free.
    fn grow(&mut self, terms: usize) {
        if 2 * self.slots.len() >= 3 * terms && !self.slots.is_empty() {
            return;
        }
        let slots = (3 * terms / 2 + 1).next_power_of_two().max(MIN_SLOTS);
        self.slots = vec![NONE; slots];
        self.heads = vec![NONE; slots / SLOTS_PER_HEAD];
        for number in 0..self.terms.len() {
            let slot = self.slot_of(self.terms[number].hash);
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
    pub(crate) fn replace_last(&mut self, by: impl Fn(u32) -> u32) {
        self.terms.iter_mut().for_each(|term| term.last = by(term.last));
    }

    /// For each form of a word that has postings, one more than the number of the last.
    pub(crate) fn last_of_forms(&self, word: &[u16]) -> Vec<u32> {
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
