//! Finding many phrases in one walk over the words of a text.
//!
//! A phrase is found where its characters stand without regard to the case of ASCII letters and bounded at both ends.
//! The walk looks up each word once, by length and first characters, and compares only the phrases that begin with it.

use super::class::{SPACE, is_at, is_boundary, run_end};

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
    heads: Box<[u16; SLOTS]>,
    /// For each phrase the next one of its chain, or `NONE`.
    next: Vec<u16>,
    /// A bit for every way in which the first three letters of a phrase begin.
    beginnings: Box<[u64; BEGINNINGS / 64]>,
}

const SLOTS: usize = 1024;
const NONE: u16 = u16::MAX;
/// Three letters of five bits.
const BEGINNINGS: usize = 1 << 15;

impl<T: Copy> Phrases<T> {
    /// Prepares `phrases`. Of phrases that begin with the same word, earlier ones are tried first.
    pub fn new(phrases: Vec<Phrase<T>>) -> Self {
        let mut heads = Box::new([NONE; SLOTS]);
        let mut next = vec![NONE; phrases.len()];
        let mut beginnings = Box::new([0; BEGINNINGS / 64]);
        for (index, phrase) in phrases.iter().enumerate().rev() {
            let text = phrase.text.as_bytes();
            let slot = slot(text, 0, first_word_length(text));
            next[index] = heads[slot];
            heads[slot] = index as u16;
            let beginning = beginning(text[0], text[1], *text.get(2).unwrap_or(&b' '));
            beginnings[beginning / 64] |= 1 << (beginning % 64);
        }
        Phrases { phrases, heads, next, beginnings }
    }

    /// Whether a phrase might begin with the word at `start`, a letter: a quick look at its first three units, which
    /// rules out most words.
    #[inline(always)]
    pub fn may_start(&self, text: &[u8], start: usize) -> bool {
        let Some(&[first, second, third]) = text.get(start..start + 3).and_then(<[u8]>::first_chunk) else {
            return true;
        };
        let beginning = beginning(first, second, third);
        self.beginnings[beginning / 64] >> (beginning % 64) & 1 != 0
    }

    /// Every phrase that begins with the word at `start..end`, as meaning and end.
    #[inline]
    pub fn all_at<'a>(&'a self, text: &'a [u8], start: usize, end: usize) -> impl Iterator<Item = (T, usize)> + 'a {
        let mut candidate = self.heads[slot(text, start, end)];
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

/// A number for the first three units of a phrase. The low five bits of a letter are the same in either case; a third
/// unit that is no letter, behind a word of two, counts as none.
#[inline(always)]
fn beginning(first: u8, second: u8, third: u8) -> usize {
    let third = if third.is_ascii_alphabetic() { third & 31 } else { 0 };
    (first as usize & 31) << 10 | (second as usize & 31) << 5 | third as usize
}

fn first_word_length(phrase: &[u8]) -> usize {
    phrase.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(phrase.len())
}

/// A hash of length and first eight characters of the word at `start..end`, the same for either case.
#[inline(always)]
fn slot(text: &[u8], start: usize, end: usize) -> usize {
    let length = end - start;
    let head = match text.get(start..start + 8) {
        Some(bytes) => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
        None => text[start..].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)),
    };
    let kept = if length >= 8 { head } else { head & ((1 << (8 * length)) - 1) };
    // Setting bit 5 maps both cases of a letter to one value; what else it confuses, the comparison tells apart.
    let key = (kept | 0x2020_2020_2020_2020) ^ (length as u64) << 3;
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
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
    use super::super::words::words;
    use super::*;

    #[test]
    fn finds_phrases_bounded_and_in_either_case() {
        let set = Phrases::new(
            phrases(Gap::Flexible, 'a', &["group by", "grant"])
                .chain(phrases(Gap::Blank, 'b', &["let's go", "we do"]))
                .collect(),
        );
        let found = |text: &str| -> String {
            let bytes = text.as_bytes();
            let starts = words(bytes).filter(|word| set.may_start(bytes, word.start));
            starts.flat_map(|word| set.all_at(bytes, word.start, word.end)).map(|(meaning, _)| meaning).collect()
        };
        assert_eq!(found("GROUP \n BY x"), "a");
        assert_eq!(found("Let's go, Grant, We do"), "bab");
        assert_eq!(found("let's  go regrant grants group byte group we\ndo"), "");
    }
}
