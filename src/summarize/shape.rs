//! What a word looks like: a name of code, or a word without a vowel.

use crate::text::class::{LOWER, UPPER, is, run_end};
use crate::text::masks::Block;

/// The shape of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `readToken`.
    Camel,
    /// `TokenStream`.
    Pascal,
    /// `read_token`.
    Snake,
    /// Any other.
    Plain,
}

/// The shape of `word`.
pub fn shape(word: &[u8]) -> Shape {
    let mut at = run_end(word, 0, LOWER);
    let starts_low = at > 0;
    if word.get(at) == Some(&b'_') {
        let is_snake =
            word.split(|&byte| byte == b'_').all(|piece| !piece.is_empty() && run_end(piece, 0, LOWER) == piece.len());
        return if is_snake { Shape::Snake } else { Shape::Plain };
    }
    let mut humps = 0;
    while at < word.len() {
        let end = run_end(word, at + 1, LOWER);
        if !is(word[at], UPPER) || end == at + 1 {
            return Shape::Plain;
        }
        humps += 1;
        at = end;
    }
    match (starts_low, humps) {
        (true, 1..) => Shape::Camel,
        (false, 2..) => Shape::Pascal,
        _ => Shape::Plain,
    }
}

/// The units behind words that are all consonants, as a mask of `block`; `starts` are the starts of words in it and
/// `carry` is what the last block left over.
///
/// Adding the starts of words to the consonants carries each to the end of its run of consonants: where no word goes on
/// there, the word has nothing else. The empty block at the end of a text takes the last carry.
#[inline(always)]
pub fn vowelless_ends(block: &Block, starts: u64, carry: &mut u64) -> u64 {
    let consonant = block.letter() & !block.vowel;
    let (sum, overflow) = consonant.overflowing_add(starts & consonant);
    let (sum, overflow_too) = sum.overflowing_add(*carry);
    *carry = u64::from(overflow | overflow_too);
    sum & !consonant & !block.word
}
