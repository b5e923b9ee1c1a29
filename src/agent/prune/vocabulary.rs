//! Which names and words a conversation still says, so that the last mention of one is not cut.

use std::hash::Hasher;

use rustc_hash::{FxHashSet, FxHasher};

use crate::text::{LEFT_QUOTE, RIGHT_QUOTE, Text, WIDE_LINE_END, WIDE_SPACE};

/// A unit that words are made of.
const INNER: u8 = 1;
/// One that joins two of them: `a.b`, `src/a`, `x:y`, `a-b`.
const JOINT: u8 = 2;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let unit = byte as u8;
        classes[byte] = match unit {
            WIDE_SPACE | WIDE_LINE_END | LEFT_QUOTE | RIGHT_QUOTE => 0,
            b'_' | b'$' | b'@' | b'#' | 0x80.. => INNER,
            b'.' | b'/' | b':' | b'-' => JOINT,
            _ if unit.is_ascii_alphanumeric() => INNER,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Shows `visit` the hash of each word in `text` that may name something: five units or more; three with a digit, an
/// underscore, a joint or a capital behind a small letter; two where not all are ASCII.
pub fn for_each_word(text: Text<'_>, mut visit: impl FnMut(u64)) {
    let bytes = text.bytes();
    let mut at = 0;
    while at < bytes.len() {
        if CLASSES[bytes[at] as usize] != INNER {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && CLASSES[bytes[at] as usize] != 0 {
            at += 1;
        }
        let mut end = at;
        while CLASSES[bytes[end - 1] as usize] == JOINT {
            end -= 1;
        }
        let word = &bytes[start..end];
        if word.len() >= 5 || is_specific(word) {
            visit(hash(text, start, end));
        }
    }
}

fn is_specific(word: &[u8]) -> bool {
    if word.len() < 3 {
        return word.len() == 2 && !word.is_ascii();
    }
    word.iter().any(|&byte| byte.is_ascii_digit() || byte == b'_' || CLASSES[byte as usize] == JOINT)
        || word.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

fn hash(text: Text<'_>, start: usize, end: usize) -> u64 {
    let mut hasher = FxHasher::default();
    let word = &text.bytes()[start..end];
    hasher.write(word);
    if let Some(units) = text.units().filter(|_| !word.is_ascii()) {
        units[start..end].iter().for_each(|&unit| hasher.write_u16(unit));
    }
    hasher.finish()
}

/// The words that are said.
#[derive(Default)]
pub struct Vocabulary {
    words: FxHashSet<u64>,
}

impl Vocabulary {
    /// Adds the words of `text`.
    pub fn add(&mut self, text: Text<'_>) {
        for_each_word(text, |word| {
            self.words.insert(word);
        });
    }

    /// Whether one of the words of `text` is said nowhere.
    pub fn misses_one_of(&self, text: Text<'_>) -> bool {
        let mut misses = false;
        for_each_word(text, |word| misses |= !self.words.contains(&word));
        misses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn words_that_name_something() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(TextBuf::from("let total = parseUrl(x1y, a.b) + 東京 grüße;").as_text());
        let misses = |text: &str| vocabulary.misses_one_of(TextBuf::from(text).as_text());
        assert!(!misses("total") && !misses("(parseUrl)") && !misses("a.b.") && !misses("grüße"));
        assert!(misses("totals") && misses("parse_url") && misses("a.c") && misses("grøße"));
        assert!(!misses("no so it if + 12"), "words that name nothing");
    }
}
