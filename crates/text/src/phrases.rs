//! Finding many phrases in a single pass over the words of a text.
//!
//! A phrase matches regardless of the case of ASCII letters, with boundaries at both ends. The pass looks up each word
//! once, by its length and first characters, and compares only the phrases that begin with it.

use super::class::{SPACE, is, is_at, is_boundary, run_end};
use super::masks::{Scanned, positions};

/// Text that matches a space in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Exactly one U+0020.
    Blank,
    /// One U+0020 or one hyphen.
    BlankOrHyphen,
    /// One or more characters of white space, including line ends.
    Flexible,
}

/// A phrase and its meaning to the caller.
#[derive(Clone, Copy, Debug)]
pub struct Phrase<T> {
    /// Text in lowercase, with words separated by single spaces.
    pub text: &'static str,
    /// Text that matches the spaces.
    pub gap: Gap,
    /// Meaning that is reported for each occurrence.
    pub meaning: T,
}

/// A set of phrases, prepared for finding them all in a single pass.
#[derive(Debug)]
pub struct Phrases<T> {
    phrases: Vec<Phrase<T>>,
    /// For each hash of a first word, the first phrase of its chain, or `NONE`.
    heads: Box<[u16; HASHES]>,
    /// For each phrase, the next one of its chain, or `NONE`.
    next: Vec<u16>,
    /// For each hash of a first word, the bytes that may come second after it, as bits by their low five bits.
    seconds: Box<[u32; HASHES]>,
}

const HASHES: usize = 1 << 12;
const NONE: u16 = u16::MAX;
const ANY: u32 = u32::MAX;

impl<T: Copy> Phrases<T> {
    /// Prepares `phrases`. Of phrases that begin with the same word, earlier ones are tried first.
    pub fn new(phrases: Vec<Phrase<T>>) -> Self {
        let mut heads = Box::new([NONE; HASHES]);
        let mut next = vec![NONE; phrases.len()];
        let mut seconds = Box::new([0; HASHES]);
        for (index, phrase) in phrases.iter().enumerate().rev() {
            let text = phrase.text.as_bytes();
            let hash = hash(text, 0, first_word_length(text));
            next[index] = std::mem::replace(&mut heads[hash], index as u16);
            seconds[hash] |= second_units(phrase);
        }
        Phrases { phrases, heads, next, seconds }
    }

    /// Calls `visit` with the meaning, start and end of every phrase in `text`.
    #[inline(always)]
    pub fn for_each(&self, text: Scanned<'_>, mut visit: impl FnMut(T, usize, usize)) {
        for (number, block, starts) in text.word_starts() {
            for start in positions(number, starts & block.letter()) {
                let length = text.word_length(start);
                if self.may_start(text.bytes, start, length) {
                    for (meaning, end) in self.all_at(text.bytes, start, start + length) {
                        visit(meaning, start, end);
                    }
                }
            }
        }
    }

    /// Returns whether a phrase may begin with the word of `length` bytes at `start`. Only that word and the second
    /// byte after it are checked, which rules out nearly all words.
    #[inline(always)]
    pub fn may_start(&self, text: &[u8], start: usize, length: usize) -> bool {
        // No phrase continues after the end of the text.
        let second = text.get(start + length + 1).copied().unwrap_or_default();
        self.seconds[hash(text, start, length)] >> (second % 32) & 1 != 0
    }

    /// Returns the meaning and the end of every phrase that begins with the word at `start..end`.
    #[inline]
    pub fn all_at<'a>(&'a self, text: &'a [u8], start: usize, end: usize) -> impl Iterator<Item = (T, usize)> + 'a {
        let mut candidate = self.heads[hash(text, start, end - start)];
        std::iter::from_fn(move || {
            while candidate != NONE {
                let phrase = &self.phrases[candidate as usize];
                candidate = self.next[candidate as usize];
                if let Some(end) = match_phrase(text, start, phrase.text, phrase.gap) {
                    return Some((phrase.meaning, end));
                }
            }
            None
        })
    }
}

/// Returns the bytes that may come second after the first word of `phrase`, as bits by their low five bits.
fn second_units<T>(phrase: &Phrase<T>) -> u32 {
    let Some((_, rest)) =
        phrase.text.split_once(' ').filter(|(first, _)| first_word_length(phrase.text.as_bytes()) == first.len())
    else {
        return ANY;
    };
    let bit = |unit: u8| 1 << (unit % 32);
    let goes_on = rest.bytes().next().map_or(ANY, bit);
    match phrase.gap {
        Gap::Blank | Gap::BlankOrHyphen => goes_on,
        Gap::Flexible => (0..=u8::MAX).filter(|&unit| is(unit, SPACE)).fold(goes_on, |units, unit| units | bit(unit)),
    }
}

fn first_word_length(phrase: &[u8]) -> usize {
    phrase.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(phrase.len())
}

/// Returns a hash, below [`HASHES`], of the length and the first eight characters of the word at `start`, regardless of
/// case.
#[inline(always)]
fn hash(text: &[u8], start: usize, length: usize) -> usize {
    let head = match text.get(start..).and_then(<[u8]>::first_chunk) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => text[start..].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)),
    };
    // Two shifts, because a shift by 64 bits is not allowed.
    let kept = head & !(!0 << (4 * length.min(8)) << (4 * length.min(8)));
    // Setting bit 5 maps both cases of a letter to one value. The comparison resolves other collisions.
    let key = (kept | 0x2020_2020_2020_2020) ^ (length as u64) << 3;
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASHES.ilog2())) as usize
}

/// Returns the end of the lowercase `phrase`, if it occurs in `text` at `start` and a boundary follows.
pub fn match_phrase(text: &[u8], start: usize, phrase: &str, gap: Gap) -> Option<usize> {
    let mut at = start;
    for &expected in phrase.as_bytes() {
        if expected == b' ' {
            at = match gap {
                Gap::Blank if text.get(at) == Some(&b' ') => at + 1,
                Gap::BlankOrHyphen if matches!(text.get(at), Some(b' ' | b'-')) => at + 1,
                Gap::Flexible if is_at(text, at, SPACE) => run_end(text, at, SPACE),
                _ => return None,
            };
        } else if text.get(at)?.eq_ignore_ascii_case(&expected) {
            at += 1;
        } else {
            return None;
        }
    }
    is_boundary(text, at).then_some(at)
}

/// Returns phrases with the same gap and meaning.
pub fn phrases<T: Copy>(gap: Gap, meaning: T, texts: &[&'static str]) -> impl Iterator<Item = Phrase<T>> {
    texts.iter().map(move |&text| Phrase { text, gap, meaning })
}

#[cfg(test)]
mod tests {
    use super::super::masks::Scratch;
    use super::*;

    #[test]
    fn finds_phrases_bounded_and_in_either_case() {
        let set = Phrases::new(
            phrases(Gap::Flexible, 'a', &["group by", "grant"])
                .chain(phrases(Gap::Blank, 'b', &["let's go", "we do"]))
                .collect(),
        );
        let found = |text: &str| -> String {
            let mut meanings = String::new();
            set.for_each(Scratch::default().scan(text.as_bytes()), |meaning, _, _| meanings.push(meaning));
            meanings
        };
        assert_eq!(found("GROUP \n BY x"), "a");
        assert_eq!(found("Let's go, Grant, We do"), "bab");
        assert_eq!(found("let's  go regrant grants group byte group we\ndo"), "");
    }
}
