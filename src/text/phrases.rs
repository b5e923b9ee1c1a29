//! Finding many phrases in one walk over the words of a text.
//!
//! A phrase is found where its characters stand without regard to the case of ASCII letters and bounded at both ends.
//! The walk looks up each word once, by length and first characters, and compares only the phrases that begin with it.

use super::class::{SPACE, is, is_at, is_boundary, run_end};
use super::masks::{Scanned, positions};

/// What may stand where a phrase has a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Exactly one U+0020.
    Blank,
    /// One U+0020 or one hyphen.
    BlankOrHyphen,
    /// One or more units of white space, line ends included.
    Flexible,
}

/// A phrase and what finding it means to the caller.
#[derive(Clone, Copy, Debug)]
pub struct Phrase<T> {
    /// In lowercase, words separated by single blanks.
    pub text: &'static str,
    /// What the blanks stand for.
    pub gap: Gap,
    /// Handed out for each occurrence.
    pub meaning: T,
}

/// A set of phrases, prepared for finding them all in one walk.
#[derive(Debug)]
pub struct Phrases<T> {
    phrases: Vec<Phrase<T>>,
    /// For each hash of a first word the first phrase of its chain, or `NONE`.
    heads: Box<[u16; HASHES]>,
    /// For each phrase the next one of its chain, or `NONE`.
    next: Vec<u16>,
    /// For each hash of a first word the units that may stand second behind it, as bits by their low five bits.
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

    /// Shows `visit` every phrase in `text`: what it stands for, its start and its end.
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

    /// Whether a phrase may begin with the word of `length` units at `start`: a quick look at that word and at the second
    /// unit behind it, which rules out nearly all others.
    #[inline(always)]
    pub fn may_start(&self, text: &[u8], start: usize, length: usize) -> bool {
        // Behind the text stands nothing that a phrase could go on with.
        let second = text.get(start + length + 1).copied().unwrap_or_default();
        self.seconds[hash(text, start, length)] >> (second % 32) & 1 != 0
    }

    /// Every phrase that begins with the word at `start..end`, as meaning and end.
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

/// The units, as bits by their low five bits, that may stand second behind the first word of `phrase`.
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

/// A hash, below [`HASHES`], of length and first eight characters of the word at `start`, the same for either case.
#[inline(always)]
fn hash(text: &[u8], start: usize, length: usize) -> usize {
    let head = match text.get(start..).and_then(<[u8]>::first_chunk) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => text[start..].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)),
    };
    // Two shifts, since one by 64 bits is none.
    let kept = head & !(!0 << (4 * length.min(8)) << (4 * length.min(8)));
    // Setting bit 5 maps both cases of a letter to one value; what else it confuses, the comparison tells apart.
    let key = (kept | 0x2020_2020_2020_2020) ^ (length as u64) << 3;
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASHES.ilog2())) as usize
}

/// The end of `phrase` (lowercase) where it stands in `text` at `start`, bounded at its end.
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

/// Phrases with the same gap and meaning.
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
