//! Which names and words a conversation still says, so that the last mention of one is not cut.

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
        if end - start >= 5 || is_specific(&bytes[start..end]) {
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

fn mix(hash: u64, value: u64) -> u64 {
    // The multiplier of Knuth's multiplicative hashing, 2^64 divided by the golden ratio. Its high bits are the good ones.
    let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

fn hash(text: Text<'_>, start: usize, end: usize) -> u64 {
    let word = &text.bytes()[start..end];
    let (eights, rest) = word.as_chunks::<8>();
    let mut hash = eights.iter().fold(word.len() as u64, |hash, eight| mix(hash, u64::from_le_bytes(*eight)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = mix(hash, u64::from_le_bytes(last));
    match text.units() {
        Some(units) if !word.is_ascii() => units[start..end].iter().fold(hash, |hash, &unit| mix(hash, unit.into())),
        _ => hash,
    }
}

/// The words that are said, as a Bloom filter: it never forgets a word, and takes about one in a thousand for said that
/// is not, which costs the line that says it.
pub struct Vocabulary {
    bits: Vec<u64>,
}

impl Vocabulary {
    /// Room for the words of `units` code units of text.
    pub fn with_capacity(units: usize) -> Self {
        // A conversation says a new word in some 40 units, and each sets two bits.
        Vocabulary { bits: vec![0; (units / 64).next_power_of_two().max(64)] }
    }

    fn places(&self, word: u64) -> [(usize, u64); 2] {
        let mask = self.bits.len() - 1;
        [word, mix(word, 1)].map(|hash| ((hash >> 6) as usize & mask, 1 << (hash & 63)))
    }

    /// Adds the words of `text`.
    pub fn add(&mut self, text: Text<'_>) {
        for_each_word(text, |word| self.places(word).iter().for_each(|&(place, bit)| self.bits[place] |= bit));
    }

    /// Whether one of the words of `text` is said nowhere.
    pub fn misses_one_of(&self, text: Text<'_>) -> bool {
        let mut misses = false;
        for_each_word(text, |word| misses |= self.places(word).iter().any(|&(place, bit)| self.bits[place] & bit == 0));
        misses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn words_that_name_something() {
        let mut vocabulary = Vocabulary::with_capacity(1000);
        vocabulary.add(TextBuf::from("let total = parseUrl(x1y, a.b) + 東京 grüße;").as_text());
        let misses = |text: &str| vocabulary.misses_one_of(TextBuf::from(text).as_text());
        assert!(!misses("total") && !misses("(parseUrl)") && !misses("a.b.") && !misses("grüße"));
        for word in ["totals", "parse_url", "a.c", "grøße"] {
            assert!(misses(word), "{word}");
        }
        assert!(!misses("no so it if + 12"), "words that name nothing");
    }
}
