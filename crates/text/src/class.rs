//! Classes of folded bytes, and predicates on positions that every rule uses.

use super::units::{WIDE_LINE_END, WIDE_SPACE};

/// ASCII letter, digit or underscore ("W" in the contract).
pub const WORD: u16 = 1 << 0;
/// `A`–`Z`.
pub const UPPER: u16 = 1 << 1;
/// `a`–`z`.
pub const LOWER: u16 = 1 << 2;
/// `0`–`9`.
pub const DIGIT: u16 = 1 << 3;
/// White space as JavaScript's `\s` and `trim` see it ("S").
pub const SPACE: u16 = 1 << 4;
/// Line terminator ("LT"): LF, CR, U+2028, U+2029.
pub const LINE_END: u16 = 1 << 5;
/// `.` `!` `?`.
pub const SENTENCE_END: u16 = 1 << 6;
/// A letter that is a vowel or `y`, of either case.
pub const VOWEL: u16 = 1 << 7;
/// Counted by rule `high_special_char_ratio`.
pub const SPECIAL: u16 = 1 << 8;
/// Characters of API keys: word characters and `-`.
pub const KEY: u16 = 1 << 9;

/// ASCII letter or digit.
pub const ALNUM: u16 = UPPER | LOWER | DIGIT;
/// ASCII letter.
pub const LETTER: u16 = UPPER | LOWER;

static CLASSES: [u16; 256] = classes();

const fn classes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut class = 0;
        if b.is_ascii_uppercase() {
            class |= UPPER | WORD | KEY;
        }
        if b.is_ascii_lowercase() {
            class |= LOWER | WORD | KEY;
        }
        if b.is_ascii_digit() {
            class |= DIGIT | WORD | KEY;
        }
        if matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y') {
            class |= VOWEL;
        }
        class |= match b {
            b'_' => WORD | KEY,
            b'-' => KEY,
            b'.' | b'!' | b'?' => SENTENCE_END,
            b'\n' | b'\r' | WIDE_LINE_END => SPACE | LINE_END,
            b'\t' | 0x0B | 0x0C | b' ' | WIDE_SPACE => SPACE,
            _ => 0,
        };
        table[byte] = class;
        byte += 1;
    }
    let specials = b"{}[]<>|\\;:@#$%^&*()=+`~";
    let mut at = 0;
    while at < specials.len() {
        table[specials[at] as usize] |= SPECIAL;
        at += 1;
    }
    table
}

/// Returns the classes that `byte` belongs to, as a set of bits.
#[inline(always)]
pub fn class(byte: u8) -> u16 {
    CLASSES[byte as usize]
}

/// Returns whether `byte` belongs to one of `classes`.
#[inline(always)]
pub fn is(byte: u8, classes: u16) -> bool {
    class(byte) & classes != 0
}

/// Returns whether there is a byte at `at` that belongs to one of `classes`.
#[inline(always)]
pub fn is_at(text: &[u8], at: usize, classes: u16) -> bool {
    text.get(at).is_some_and(|&byte| is(byte, classes))
}

/// Returns whether there is a byte before `at` that belongs to one of `classes`.
#[inline(always)]
pub fn is_before(text: &[u8], at: usize, classes: u16) -> bool {
    at > 0 && is(text[at - 1], classes)
}

/// Returns whether there is a word boundary at `at`: exactly one of the bytes before and at `at` is a word character.
#[inline(always)]
pub fn is_boundary(text: &[u8], at: usize) -> bool {
    is_before(text, at, WORD) != is_at(text, at, WORD)
}

/// Returns whether a line starts at `at`: at the start of the text, or right after a line terminator.
#[inline(always)]
pub fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || is(text[at - 1], LINE_END)
}

/// Returns the end of the run of `classes` that starts at `from`; `from` itself if there is none.
#[inline(always)]
pub fn run_end(text: &[u8], from: usize, classes: u16) -> usize {
    let mut at = from;
    while at < text.len() && is(text[at], classes) {
        at += 1;
    }
    at
}

/// Returns the first position at or after `from` that belongs to one of `classes`; the length of the text if there is
/// none.
#[inline(always)]
pub fn find(text: &[u8], from: usize, classes: u16) -> usize {
    let mut at = from;
    while at < text.len() && !is(text[at], classes) {
        at += 1;
    }
    at
}

/// Returns the start of the run of `classes` that ends at `to`; `to` itself if there is none.
#[inline(always)]
pub fn run_start(text: &[u8], to: usize, classes: u16) -> usize {
    let mut at = to;
    while at > 0 && is(text[at - 1], classes) {
        at -= 1;
    }
    at
}

/// Trims the white space at both ends of `start..end`; an empty result lies at `end`.
pub fn trim(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let from = run_end(&text[..end], start, SPACE);
    let mut to = end;
    while to > from && is(text[to - 1], SPACE) {
        to -= 1;
    }
    (from, to)
}
