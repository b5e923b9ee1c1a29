//! A text as words and signs, and hashes of any sequence of them.

use crate::text::Text;
use crate::text::class::{SPACE, WORD, is};
use crate::text::names::hash_of;
use crate::text::rolling::{PRIME, base, minus, push, times};

/// A word, or one sign between words.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Position of its first unit.
    pub start: usize,
    /// Position behind its last unit.
    pub end: usize,
    /// White space or the start of the text stands before it.
    pub is_apart: bool,
    /// It is a word.
    pub is_word: bool,
}

/// A sequence of tokens, by its length and hash. White space between them is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    count: u32,
    hash: u64,
}

/// The tokens of one text after the other.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The tokens.
    pub all: Vec<Token>,
    /// For each token the hash of all before it, and that of all.
    hashes: Vec<u64>,
    /// The powers of the base.
    weights: Vec<u64>,
}

/// The longest sequence that is compared as a whole.
pub const LONGEST: usize = 32;

impl Tokens {
    /// Reads `text`.
    pub fn read(&mut self, text: Text<'_>) {
        let bytes = text.bytes();
        self.all.clear();
        self.hashes.clear();
        self.hashes.push(0);
        if self.weights.is_empty() {
            self.weights =
                std::iter::successors(Some(1), |&weight| Some(times(weight, base()))).take(LONGEST + 1).collect();
        }
        let (mut at, mut is_apart) = (0, true);
        while at < bytes.len() {
            let start = at;
            at += 1;
            if is(bytes[start], SPACE) {
                is_apart = true;
                continue;
            }
            let is_word = in_word(bytes[start]);
            while is_word && at < bytes.len() && in_word(bytes[at]) {
                at += 1;
            }
            self.push(text, Token { start, end: at, is_apart, is_word });
            is_apart = false;
        }
    }

    fn push(&mut self, text: Text<'_>, token: Token) {
        // A polynomial of the units would make one fact of `a bcd` and `b bbd`.
        let value = hash_of(text, token.start..token.end) % PRIME;
        let before = self.hashes[self.all.len()];
        self.hashes.push(push(before, base(), value));
        self.all.push(token);
    }

    /// The key of the `count` tokens from `first` on, at most [`LONGEST`].
    pub fn key(&self, first: usize, count: usize) -> Key {
        let hash = minus(self.hashes[first + count], times(self.hashes[first], self.weights[count]));
        debug_assert!(hash < PRIME);
        Key { count: count as u32, hash }
    }

    /// The tokens that lie in `start..end`, as the first one and their number.
    pub fn within(&self, start: usize, end: usize) -> (usize, usize) {
        let first = self.all.partition_point(|token| token.start < start);
        let last = self.all.partition_point(|token| token.end <= end);
        (first, last.saturating_sub(first))
    }
}

/// Letters of all languages count, and whatever else is not ASCII but white space.
fn in_word(byte: u8) -> bool {
    is(byte, WORD)
        || byte >= 0x80 && !is(byte, SPACE) && !matches!(byte, crate::text::LEFT_QUOTE | crate::text::RIGHT_QUOTE)
}
