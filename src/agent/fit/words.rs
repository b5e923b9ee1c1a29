//! The words of a text that may carry a fact, as numbers.
//!
//! In scripts that write words apart a word is a run of letters and digits with the joints of paths, numbers and
//! identifiers inside. Chinese, Japanese, Thai and their like write no blanks: there, each two letters side by side count as one.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::text::Text;

/// What kind of word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// It names one thing: a path, an identifier, a number, a date, an acronym.
    Specific,
    /// A word of ordinary language; it says something where few messages use it.
    Plain,
}

/// Words of at least so many letters may carry a fact although nothing in their form says so.
const LONG: usize = 5;

// Classes of units, as bits, so that those of a whole word can be put together.
const NONE: u8 = 0;
const INNER: u8 = 1;
/// Joins two letters or digits: `a.b`, `src/a`, `12:30`, `2024-01-01`.
const JOINT: u8 = 2;
/// A word with one of these is specific: a digit, an underscore, or a joint that is no hyphen.
const SIGN: u8 = 4;
const CAPITAL: u8 = 8;
const SMALL: u8 = 16;
/// A letter of a script that puts no blanks between words.
const DENSE: u8 = 32;
/// A letter or mark of any other script but ASCII's.
const WIDE: u8 = 64;

static ASCII: [u8; 128] = {
    let mut classes = [NONE; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'_' => INNER | SIGN,
            b'$' | b'@' | b'#' => INNER,
            b'.' | b'/' | b':' => JOINT | SIGN,
            b'-' => JOINT,
            b'0'..=b'9' => INNER | SIGN,
            b'A'..=b'Z' => INNER | CAPITAL,
            b'a'..=b'z' => INNER | SMALL,
            _ => NONE,
        };
        byte += 1;
    }
    classes
};

/// [`class_of`] of every unit: Unicode's tables take long to ask.
static CLASSES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..=u16::MAX).map(class_of).collect());

fn class_of(unit: u16) -> u8 {
    match unit {
        0..0x80 => ASCII[unit as usize],
        // Thai, Lao, Myanmar, Khmer; kana, Han and its extensions.
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF => {
            DENSE
        }
        // Halves of pairs: emoji, and rare letters of dense scripts.
        0xD800..=0xDFFF => NONE,
        _ if char::from_u32(unit.into()).is_some_and(char::is_alphanumeric) => INNER | WIDE,
        // Marks that Arabic, Hebrew, Hindi and others write inside words.
        0x0300..=0x036F | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0D7F | 0x200C | 0x200D => INNER | WIDE,
        _ => NONE,
    }
}

/// Shows `visit` the hash, the kind and the place of each word in `text` that may carry a fact.
pub fn for_each_word(text: Text<'_>, mut visit: impl FnMut(u64, WordKind, Range<usize>)) {
    match text.units() {
        None => walk(text, |at| ASCII[usize::from(text.bytes()[at] & 127)], &mut visit),
        Some(units) => {
            let classes = &CLASSES[..];
            walk(text, |at| classes[usize::from(units[at])], &mut visit);
        }
    }
}

#[inline(always)]
fn walk(text: Text<'_>, class: impl Fn(usize) -> u8, visit: &mut impl FnMut(u64, WordKind, Range<usize>)) {
    let length = text.len();
    let mut at = 0;
    while at < length {
        let mut here = class(at);
        if here & INNER == 0 {
            // Each two letters side by side.
            if here == DENSE && at + 1 < length && class(at + 1) == DENSE {
                visit(hash(text, at..at + 2), WordKind::Plain, at..at + 2);
            }
            at += 1;
            continue;
        }
        // `#42`, `@name` and `$name` are `42` and `name`.
        let mut start = at;
        while here == INNER && is_prefix(text.bytes()[start]) && start + 1 < length && class(start + 1) & INNER != 0 {
            start += 1;
            here = class(start);
        }
        at = start;
        let mut end = at;
        // What is known of the word up to `end`, and of the joints behind it.
        let (mut all, mut behind, mut before) = (NONE, NONE, NONE);
        let mut is_camel = false;
        while at < length {
            here = class(at);
            if here & (INNER | JOINT) == 0 {
                break;
            }
            is_camel |= before & SMALL != 0 && here & CAPITAL != 0;
            behind |= here;
            before = here;
            at += 1;
            if here & INNER != 0 {
                all |= std::mem::take(&mut behind);
                end = at;
            }
        }
        if let Some(kind) = kind_of(end - start, all, is_camel) {
            visit(hash(text, start..end), kind, start..end);
        }
    }
}

fn is_prefix(byte: u8) -> bool {
    matches!(byte, b'#' | b'@' | b'$')
}

/// What kind of word of `length` units it is, given the classes of all of them.
#[inline(always)]
fn kind_of(length: usize, all: u8, is_camel: bool) -> Option<WordKind> {
    // Numbers up to 99 name nothing by themselves.
    if length >= 3 && (all & SIGN != 0 || is_camel || all == INNER | CAPITAL) {
        return Some(WordKind::Specific);
    }
    (length >= LONG || (all & WIDE != 0 && length >= 2)).then_some(WordKind::Plain)
}

/// The same for the same word, whether its text is ASCII or not.
#[inline(always)]
fn hash(text: Text<'_>, word: Range<usize>) -> u64 {
    let bytes = text.bytes();
    let length = word.len();
    if let Some(units) = text.units()
        && !bytes[word.clone()].is_ascii()
    {
        return units[word].iter().fold(length as u64, |hash, &unit| mix(hash, unit.into()));
    }
    match bytes[word.start..].first_chunk::<16>() {
        Some(sixteen) if length < 16 => {
            let word = u128::from_le_bytes(*sixteen) & !(u128::MAX << (8 * length));
            mix(mix(length as u64, word as u64), (word >> 64) as u64)
        }
        _ => {
            let (sixteens, rest) = bytes[word].as_chunks::<16>();
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            sixteens.iter().chain([&last]).fold(length as u64, |hash, sixteen| {
                let word = u128::from_le_bytes(*sixteen);
                mix(mix(hash, word as u64), (word >> 64) as u64)
            })
        }
    }
}

#[inline(always)]
fn mix(hash: u64, value: u64) -> u64 {
    // The multiplier of Knuth's multiplicative hashing, 2^64 divided by the golden ratio.
    let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

/// Makes `found` the words of `text`, each once: their hashes, the lowest bit of which says whether the word is a specific
/// one.
pub fn hashes_of(text: Text<'_>, found: &mut Vec<u64>) {
    found.clear();
    for_each_word(text, |hash, kind, _| found.push(marked(hash, kind)));
    found.sort_unstable();
    found.dedup();
}

fn marked(hash: u64, kind: WordKind) -> u64 {
    hash & !1 | u64::from(kind == WordKind::Specific)
}

/// A number for each distinct word, in order of first use.
#[derive(Debug, Default)]
pub struct Words {
    numbers: FxHashMap<u64, u32>,
    /// What [`hashes_of`] says of each.
    pub hashes: Vec<u64>,
}

impl Words {
    /// Room for so many words.
    pub fn with_capacity(count: usize) -> Self {
        let numbers = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        Words { numbers, hashes: Vec::with_capacity(count) }
    }

    /// The number of a word that was added.
    pub fn number(&self, hash: u64, kind: WordKind) -> Option<u32> {
        self.numbers.get(&marked(hash, kind)).copied()
    }

    /// The number of a word by what [`hashes_of`] says of it.
    pub fn add(&mut self, hash: u64) -> u32 {
        let next = self.hashes.len() as u32;
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.hashes.push(hash);
        }
        number
    }

    /// The kind of each.
    pub fn kinds(&self) -> impl Iterator<Item = WordKind> + '_ {
        self.hashes.iter().map(|hash| if hash & 1 == 1 { WordKind::Specific } else { WordKind::Plain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    fn count(text: &str) -> (usize, usize) {
        let (mut specific, mut plain) = (0, 0);
        for_each_word(TextBuf::from(text).as_text(), |_, kind, _| match kind {
            WordKind::Specific => specific += 1,
            WordKind::Plain => plain += 1,
        });
        (specific, plain)
    }

    #[test]
    fn what_names_one_thing_is_told_from_ordinary_words() {
        assert_eq!(count("src/a.ts parseUrl max_len HTTP 12:30 2024-01-01 v1.2 404 @octocat99"), (9, 0));
        assert_eq!(count("the worker reads a queue and 12 to 99"), (0, 3));
        assert_eq!(count("(…) -- // ::"), (0, 0));
    }

    #[test]
    fn words_of_every_script_are_found() {
        assert_eq!(count("Größe über Straßenbahn"), (0, 3));
        assert_eq!(count("السلام عليكم"), (0, 2));
        assert_eq!(count("北京故宫"), (0, 3), "each two letters");
        assert_eq!(count("北京 API_KEY"), (1, 1));
        assert_eq!(count("서울역에서 만나요"), (0, 2));
    }

    #[test]
    fn equal_words_have_one_number_in_texts_of_either_width() {
        let mut words = Words::default();
        let mut numbers = |text: &str| {
            let mut found = Vec::new();
            hashes_of(TextBuf::from(text).as_text(), &mut found);
            let mut numbers: Vec<u32> = found.into_iter().map(|hash| words.add(hash)).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(numbers("parseUrl twice parseUrl"), [0, 1]);
        let wide = numbers("über parseUrl");
        assert_eq!((wide.len(), wide[0] < 2, wide[1]), (2, true, 2));
    }
}
