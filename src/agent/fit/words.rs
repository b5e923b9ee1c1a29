//! The words of a text that may carry a fact, as numbers.
//!
//! In scripts that write words apart a word is a run of letters and digits with the joints of paths, numbers and
//! identifiers inside. Chinese, Japanese, Thai and their like write no blanks: there, each two letters side by side count as one.

use std::ops::Range;

use rustc_hash::FxHashMap;

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

const NONE: u8 = 0;
const INNER: u8 = 1;
/// Joins two letters or digits: `a.b`, `src/a`, `12:30`, `2024-01-01`.
const JOINT: u8 = 2;
/// A letter of a script that puts no blanks between words.
const DENSE: u8 = 3;

static ASCII: [u8; 128] = {
    let mut classes = [NONE; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'_' | b'$' | b'@' | b'#' => INNER,
            b'.' | b'/' | b':' | b'-' => JOINT,
            unit if unit.is_ascii_alphanumeric() => INNER,
            _ => NONE,
        };
        byte += 1;
    }
    classes
};

fn class_of(unit: u16) -> u8 {
    match unit {
        0..0x80 => ASCII[unit as usize],
        // Thai, Lao, Myanmar, Khmer; kana, Han and its extensions.
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF => {
            DENSE
        }
        // Halves of pairs: emoji, and rare letters of dense scripts.
        0xD800..=0xDFFF => NONE,
        _ if char::from_u32(unit.into()).is_some_and(char::is_alphanumeric) => INNER,
        // Marks that Arabic, Hebrew, Hindi and others write inside words.
        0x0300..=0x036F | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0D7F | 0x200C | 0x200D => INNER,
        _ => NONE,
    }
}

/// Shows `visit` the hash, the kind and the place of each word in `text` that may carry a fact.
pub fn for_each_word(text: Text<'_>, mut visit: impl FnMut(u64, WordKind, Range<usize>)) {
    match text.units() {
        None => walk(
            text.bytes().len(),
            |at| ASCII[usize::from(text.bytes()[at] & 127)],
            |at| text.bytes()[at].into(),
            &mut visit,
        ),
        Some(units) => walk(units.len(), |at| class_of(units[at]), |at| units[at], &mut visit),
    }
}

#[inline(always)]
fn walk(
    length: usize,
    class: impl Fn(usize) -> u8,
    unit: impl Fn(usize) -> u16,
    visit: &mut impl FnMut(u64, WordKind, Range<usize>),
) {
    let mut at = 0;
    while at < length {
        match class(at) {
            INNER => {}
            DENSE => {
                if at + 1 < length && class(at + 1) == DENSE {
                    visit(mix(mix(2, unit(at).into()), unit(at + 1).into()), WordKind::Plain, at..at + 2);
                }
                at += 1;
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        }
        let mut start = at;
        while at < length && matches!(class(at), INNER | JOINT) {
            at += 1;
        }
        let mut end = at;
        while class(end - 1) == JOINT {
            end -= 1;
        }
        while start < end && matches!(unit(start), 0x23 | 0x24 | 0x40) {
            start += 1;
        }
        if let Some(kind) = kind_of(start, end, &class, &unit) {
            visit((start..end).fold(1, |hash, at| mix(hash, unit(at).into())), kind, start..end);
        }
    }
}

#[inline(always)]
fn kind_of(start: usize, end: usize, class: &impl Fn(usize) -> u8, unit: &impl Fn(usize) -> u16) -> Option<WordKind> {
    let length = end - start;
    let (mut digits, mut capitals, mut has_joint, mut is_camel, mut is_wide) = (0, 0, false, false, false);
    let mut was_small = false;
    for at in start..end {
        let unit = unit(at);
        let byte = u8::try_from(unit).unwrap_or(0);
        digits += usize::from(byte.is_ascii_digit());
        let is_capital = byte.is_ascii_uppercase();
        capitals += usize::from(is_capital);
        is_camel |= was_small && is_capital;
        was_small = byte.is_ascii_lowercase();
        has_joint |= byte == b'_' || (class(at) == JOINT && byte != b'-');
        is_wide |= unit >= 0x80;
    }
    // Counts up to 99 name nothing by themselves.
    let is_count = digits == length && length < 3;
    if length >= 3 && (digits > 0 || has_joint || is_camel || capitals == length) && !is_count {
        return Some(WordKind::Specific);
    }
    (length >= LONG || (is_wide && length >= 2)).then_some(WordKind::Plain)
}

fn mix(hash: u64, value: u64) -> u64 {
    // The multiplier of Knuth's multiplicative hashing, 2^64 divided by the golden ratio.
    let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

/// Adds the words of `text` to `found`, each once, and tells how many they are: their hashes, the lowest bit of which says
/// whether the word is a specific one.
pub fn hashes_of(text: Text<'_>, found: &mut Vec<u64>) -> u32 {
    let start = found.len();
    for_each_word(text, |hash, kind, _| found.push(marked(hash, kind)));
    found[start..].sort_unstable();
    let mut kept = start;
    for at in start..found.len() {
        if at == start || found[at] != found[kept - 1] {
            found[kept] = found[at];
            kept += 1;
        }
    }
    found.truncate(kept);
    (kept - start) as u32
}

fn marked(hash: u64, kind: WordKind) -> u64 {
    hash & !1 | u64::from(kind == WordKind::Specific)
}

/// A number for each distinct word, in order of first use.
#[derive(Debug, Default)]
pub struct Words {
    numbers: FxHashMap<u64, u32>,
    /// The kind of each.
    pub kinds: Vec<WordKind>,
}

impl Words {
    /// The number of a word that was added.
    pub fn number(&self, hash: u64, kind: WordKind) -> Option<u32> {
        self.numbers.get(&marked(hash, kind)).copied()
    }

    /// The number of a word by what [`hashes_of`] says of it.
    pub fn add(&mut self, hash: u64) -> u32 {
        let next = self.kinds.len() as u32;
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.kinds.push(if hash & 1 == 1 { WordKind::Specific } else { WordKind::Plain });
        }
        number
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
