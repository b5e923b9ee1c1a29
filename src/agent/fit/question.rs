//! The words of a question, and where a text says them.
//!
//! A word is a run of letters and digits; `parseUrl` and `max_len` are two. Case does not matter, and neither do the endings by
//! which forms of one word differ. Where a script writes no blanks, each two letters side by side are a word.

use std::sync::LazyLock;

use crate::text::Text;

/// Words begin alike if these many letters are equal.
const KEY: usize = 4;
/// A longer word counts as a form of another one that begins with so many of its letters.
const STEM: usize = 5;
/// So many letters more at most.
const ENDING: usize = 3;
/// Endings of short words.
const ENDINGS: [&str; 11] = ["", "s", "es", "y", "ies", "e", "d", "ed", "ing", "er", "ied"];
const BITS: usize = 1 << 12;

/// For each unit its small letter where it belongs to a word, and 0 elsewhere.
static FOLDED: LazyLock<Vec<u16>> = LazyLock::new(|| {
    (0..=u16::MAX)
        .map(|unit| {
            let Some(character) = char::from_u32(unit.into()).filter(|character| character.is_alphanumeric()) else {
                // Marks inside of words.
                let is_mark = matches!(unit, 0x0300..=0x036F | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0D7F | 0x200C | 0x200D);
                return if is_mark { unit } else { 0 };
            };
            let mut small = character.to_lowercase();
            match (small.next().map(u32::from), small.next()) {
                (Some(only), None) if only <= 0xFFFF => only as u16,
                _ => unit,
            }
        })
        .collect()
});

/// Whether a unit belongs to a script that puts no blanks between words, or long endings behind them.
fn is_dense(unit: u16) -> bool {
    matches!(unit, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xAC00..=0xD7A3)
}

/// What a question asks with.
#[derive(Debug, Default)]
pub struct Question {
    /// The words in small letters, each with how much it matters.
    pub terms: Vec<Term>,
    /// How much it asks.
    pub strength: f64,
    /// Which beginnings there are, by their hash.
    beginnings: Vec<u64>,
    /// The terms of each beginning.
    by_key: Vec<(u64, u16)>,
}

/// A word of a question.
#[derive(Clone, Debug)]
pub struct Term {
    word: Vec<u16>,
    /// How much it matters.
    pub weight: f64,
}

impl Question {
    /// Adds the words of a text.
    pub fn add(&mut self, text: Text<'_>, weight: f64, limit: usize) {
        let mut found: Vec<Vec<u16>> = Vec::new();
        for_each(text, |start, end, _| {
            found.push((start..end).map(|at| FOLDED[usize::from(text.unit(at))]).collect());
        });
        for word in found {
            match self.terms.iter().position(|term| is_form(&term.word, &word)) {
                Some(known) => self.terms[known].weight = self.terms[known].weight.max(weight),
                None if self.terms.len() < limit => self.terms.push(Term { word, weight }),
                None => {}
            }
        }
    }

    /// Prepares the search.
    pub fn prepare(&mut self) {
        self.beginnings = vec![0; BITS / 64];
        for (index, term) in self.terms.iter().enumerate() {
            let mut keys: Vec<u64> = Vec::new();
            let own = term.word.len().min(KEY);
            for stem in own.saturating_sub(3).max(2.min(own))..=own {
                for ending in ENDINGS {
                    let form: Vec<u16> = term.word[..stem].iter().copied().chain(ending.encode_utf16()).collect();
                    if is_form(&term.word, &form) || stem == own {
                        keys.push(key_of(&form));
                    }
                }
            }
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                let bit = bit_of(key);
                self.beginnings[bit / 64] |= 1 << (bit % 64);
                self.by_key.push((key, index as u16));
            }
        }
        self.by_key.sort_unstable();
    }

    /// Shows `visit` each word of the question in `text`, with its place.
    pub fn find(&self, text: Text<'_>, mut visit: impl FnMut(u16, usize)) {
        let mut word: Vec<u16> = Vec::new();
        for_each(text, |start, end, key| {
            let bit = bit_of(key);
            if self.beginnings[bit / 64] >> (bit % 64) & 1 == 0 {
                return;
            }
            let first = self.by_key.partition_point(|&(other, _)| other < key);
            word.clear();
            for &(_, term) in self.by_key[first..].iter().take_while(|&&(other, _)| other == key) {
                if word.is_empty() {
                    word.extend((start..end).map(|at| FOLDED[usize::from(text.unit(at))]));
                }
                if is_form(&self.terms[usize::from(term)].word, &word) {
                    visit(term, start);
                }
            }
        });
    }
}

fn key_of(word: &[u16]) -> u64 {
    word.iter().take(KEY).fold(0, |key, &unit| key << 16 | u64::from(unit))
}

fn bit_of(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// Whether two words are forms of one.
fn is_form(a: &[u16], b: &[u16]) -> bool {
    if a == b {
        return true;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let is_digit = |&unit: &u16| (0x30..0x3A).contains(&unit);
    if same < 3 || a.iter().chain(b).any(is_digit) {
        return false;
    }
    if same >= STEM && a.len() <= ENDING && b.len() <= ENDING && (same > STEM || a.is_empty() || b.is_empty()) {
        return true;
    }
    let is_ending = |end: &[u16]| ENDINGS.iter().any(|ending| ending.encode_utf16().eq(end.iter().copied()));
    is_ending(a) && is_ending(b)
}

/// Shows `visit` where each word starts and ends, and the key of its beginning.
fn for_each(text: Text<'_>, visit: impl FnMut(usize, usize, u64)) {
    match text.units() {
        None => {
            let bytes = text.bytes();
            scan(bytes.len(), |at| u16::from(bytes[at]), visit);
        }
        Some(units) => scan(units.len(), |at| units[at], visit),
    }
}

#[inline(always)]
fn scan(count: usize, unit: impl Fn(usize) -> u16, mut visit: impl FnMut(usize, usize, u64)) {
    let folded = &FOLDED[..];
    let mut at = 0;
    while at < count {
        let first = unit(at);
        let small = folded[usize::from(first)];
        if small == 0 {
            at += 1;
            continue;
        }
        if first >= 0xE00 && is_dense(first) {
            if at + 1 < count && is_dense(unit(at + 1)) {
                visit(at, at + 2, u64::from(first) << 16 | u64::from(unit(at + 1)));
            }
            at += 1;
            continue;
        }
        let start = at;
        let mut key = u64::from(small);
        let mut was_small = first == small;
        at += 1;
        while at < count {
            let next = unit(at);
            let small = folded[usize::from(next)];
            if small == 0 || (next >= 0xE00 && is_dense(next)) || (was_small && next != small) {
                break;
            }
            was_small = next == small && next > 0x39;
            if at - start < KEY {
                key = key << 16 | u64::from(small);
            }
            at += 1;
        }
        if at - start > 1 {
            visit(start, at, key);
        }
    }
}
