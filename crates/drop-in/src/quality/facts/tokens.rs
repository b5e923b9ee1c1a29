//! Splitting of a text into words and signs, and rolling hashes of any sequence of them.

use palimpsest_text::Text;
use palimpsest_text::class::{SPACE, WORD, is};
use palimpsest_text::names::hash_of;
use palimpsest_text::rolling::{PRIME, base, minus, push, times};

/// A word, or one sign between words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// Start, in UTF-16 code units.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
    /// Whether it follows white space or the start of the text.
    pub is_apart: bool,
    pub is_word: bool,
}

/// Length and hash of a sequence of tokens, regardless of white space between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    count: u32,
    hash: u64,
}

/// The tokens of a text; the buffers are reused for the next one.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub all: Vec<Token>,
    /// For each token, the hash of all tokens before it; finally, the hash of all tokens.
    hashes: Vec<u64>,
    /// Powers of the base.
    weights: Vec<u64>,
}

/// Maximum number of tokens in a sequence that is compared as a whole.
pub(super) const LONGEST: usize = 32;

impl Tokens {
    pub(super) fn read(&mut self, text: Text<'_>) {
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
        // A polynomial of the code units would make `a bcd` and `b bbd` the same fact.
        let value = hash_of(text, token.start..token.end) % PRIME;
        let before = self.hashes[self.all.len()];
        self.hashes.push(push(before, base(), value));
        self.all.push(token);
    }

    /// Returns the key of the `count` tokens from `first` on; `count` is at most [`LONGEST`].
    pub(super) fn key(&self, first: usize, count: usize) -> Key {
        let hash = minus(self.hashes[first + count], times(self.hashes[first], self.weights[count]));
        debug_assert!(hash < PRIME);
        Key { count: count as u32, hash }
    }

    /// Returns the tokens within `start..end`, as the first one and their number.
    pub(super) fn within(&self, start: usize, end: usize) -> (usize, usize) {
        let first = self.all.partition_point(|token| token.start < start);
        let last = self.all.partition_point(|token| token.end <= end);
        (first, last.saturating_sub(first))
    }
}

/// Returns whether a byte belongs to a word: ASCII word characters, and everything outside of ASCII except white space
/// and quotation marks.
fn in_word(byte: u8) -> bool {
    is(byte, WORD)
        || byte >= 0x80
            && !is(byte, SPACE)
            && !matches!(byte, palimpsest_text::LEFT_QUOTE | palimpsest_text::RIGHT_QUOTE)
}
