//! The words of a question, and where a text says them.
//!
//! A word is a run of letters and digits; `parseUrl`, `max_len` and `ORD-17` are two words each. Case does not matter, and
//! neither do the endings in which forms of a word differ. In scripts without blanks, and in Korean, which writes particles
//! behind its nouns, each two letters side by side are a word.

use std::sync::LazyLock;

use crate::text::Text;

/// Words are looked up by so many letters at their beginning.
const KEY: usize = 4;
/// Words that have so many letters in common at the beginning may be forms of one.
const STEM: usize = 5;
/// So many letters may differ then at the end of each.
const ENDING: usize = 3;
/// In shorter words these endings may differ.
const ENDINGS: [&[u8]; 11] = [b"", b"s", b"es", b"y", b"ies", b"e", b"d", b"ed", b"ing", b"er", b"ied"];
/// Fewer letters in common make no forms of one word.
const SHORTEST_STEM: usize = 3;
/// The bits of the filter that most words of a text end at.
const FILTER: usize = 1 << 12;

/// For each ASCII unit its small letter if words are made of it; else 0.
const SMALL_ASCII: [u16; 128] = {
    let mut table = [0; 128];
    let mut unit = 0;
    while unit < 128 {
        if (unit as u8).is_ascii_alphanumeric() {
            table[unit] = (unit as u8).to_ascii_lowercase() as u16;
        }
        unit += 1;
    }
    table
};

/// The same for every unit: Unicode's tables take long to ask.
static SMALL: LazyLock<Vec<u16>> = LazyLock::new(|| (0..=u16::MAX).map(small_of).collect());

fn small_of(unit: u16) -> u16 {
    // Marks of these scripts as well.
    if is_dense(unit) {
        return unit;
    }
    match char::from_u32(unit.into()) {
        Some(letter) if letter.is_alphanumeric() => {
            let mut small = letter.to_lowercase();
            match (small.next().map(|small| u16::try_from(u32::from(small))), small.next()) {
                (Some(Ok(only)), None) => only,
                _ => unit,
            }
        }
        // Marks that Arabic, Hebrew, Hindi and others write inside words.
        _ if matches!(unit, 0x0300..=0x036F | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0D7F) => unit,
        _ => 0,
    }
}

/// Whether each two units side by side are a word: Thai, Lao, Myanmar, Khmer; kana, Han and its extensions; Hangul.
fn is_dense(unit: u16) -> bool {
    matches!(unit, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xAC00..=0xD7A3)
}

/// The words of a question.
#[derive(Debug, Default)]
pub struct Question {
    /// Each in small letters, with its weight.
    terms: Vec<(Vec<u16>, f64)>,
    /// A bit for the hash of each beginning that a form of a term may have.
    filter: Vec<u64>,
    /// Those beginnings, each with a term; sorted.
    beginnings: Vec<(u64, u16)>,
}

impl Question {
    /// Adds the words of a text until there are `limit`. A word that is there keeps the larger weight.
    pub fn add(&mut self, text: Text<'_>, weight: f64, limit: usize) {
        for_each_word(text, |start, end, _| {
            let word = small_letters(text, start, end);
            match self.terms.iter().position(|(known, _)| is_form(known, &word)) {
                Some(known) => self.terms[known].1 = self.terms[known].1.max(weight),
                None if self.terms.len() < limit => self.terms.push((word, weight)),
                None => {}
            }
        });
    }

    /// Makes [`Question::find`] ready for the words that were added.
    pub fn prepare(&mut self) {
        self.filter = vec![0; FILTER / 64];
        self.beginnings.clear();
        for (index, (word, _)) in self.terms.iter().enumerate() {
            self.beginnings.push((key_of(word), index as u16));
            for stem in SHORTEST_STEM.min(word.len())..word.len().min(KEY) + 1 {
                for ending in ENDINGS {
                    let mut form = word[..stem].to_vec();
                    form.extend(ending.iter().map(|&byte| u16::from(byte)));
                    if is_form(word, &form) {
                        self.beginnings.push((key_of(&form), index as u16));
                    }
                }
            }
        }
        self.beginnings.sort_unstable();
        self.beginnings.dedup();
        for &(key, _) in &self.beginnings {
            self.filter[place_of(key) / 64] |= 1 << (place_of(key) % 64);
        }
    }

    /// The weight of each word.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.terms.iter().map(|&(_, weight)| weight)
    }

    /// Shows `visit` the words of the question that `text` says, in any form, by their numbers, with their places.
    pub fn find(&self, text: Text<'_>, mut visit: impl FnMut(u16, usize)) {
        for_each_word(text, |start, end, key| {
            if self.filter[place_of(key) / 64] >> (place_of(key) % 64) & 1 == 0 {
                return;
            }
            let first = self.beginnings.partition_point(|&(other, _)| other < key);
            let same = self.beginnings[first..].iter().take_while(|&&(other, _)| other == key);
            let mut word = Vec::new();
            for &(_, term) in same {
                if word.is_empty() {
                    word = small_letters(text, start, end);
                }
                if is_form(&self.terms[usize::from(term)].0, &word) {
                    visit(term, start);
                }
            }
        });
    }
}

fn small_letters(text: Text<'_>, start: usize, end: usize) -> Vec<u16> {
    let small = |unit: u16| SMALL_ASCII.get(usize::from(unit)).copied().unwrap_or_else(|| SMALL[usize::from(unit)]);
    (start..end).map(|at| small(text.unit(at))).collect()
}

fn key_of(word: &[u16]) -> u64 {
    word.iter().take(KEY).fold(0, |key, &unit| key << 16 | u64::from(unit))
}

/// The bit of a key in the filter. What the filter lets through is looked up, so that two keys may share one.
fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - FILTER.ilog2())) as usize
}

/// Whether two words are forms of one: `order` and `Orders`, `connect` and `connection`. What has digits has no forms.
fn is_form(a: &[u16], b: &[u16]) -> bool {
    if a == b {
        return true;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let is_digit = |&unit: &u16| (0x30..0x3A).contains(&unit);
    if same < SHORTEST_STEM || a.iter().chain(b).any(is_digit) {
        return false;
    }
    let is_ending =
        |end: &[u16]| ENDINGS.iter().any(|ending| ending.iter().map(|&byte| u16::from(byte)).eq(end.iter().copied()));
    let is_stem = same > STEM || same == STEM && (a.is_empty() || b.is_empty());
    is_stem && a.len() <= ENDING && b.len() <= ENDING || is_ending(a) && is_ending(b)
}

/// Shows `visit` where each word starts and ends, and the key of its beginning.
fn for_each_word(text: Text<'_>, visit: impl FnMut(usize, usize, u64)) {
    match text.units() {
        None => {
            let bytes = text.bytes();
            // A text without units of its own is ASCII.
            scan(bytes.len(), |at| u16::from(bytes[at]), |unit| SMALL_ASCII[usize::from(unit & 0x7F)], visit);
        }
        Some(units) => {
            let small = &SMALL[..];
            scan(units.len(), |at| units[at], |unit| small[usize::from(unit)], visit);
        }
    }
}

#[inline(always)]
fn scan(
    count: usize,
    unit: impl Fn(usize) -> u16,
    small_of: impl Fn(u16) -> u16,
    mut visit: impl FnMut(usize, usize, u64),
) {
    let mut at = 0;
    while at < count {
        let start = at;
        let first = unit(at);
        let small = small_of(first);
        at += 1;
        if small == 0 {
            continue;
        }
        if is_dense(first) {
            if at < count && is_dense(unit(at)) {
                visit(start, at + 1, u64::from(first) << 16 | u64::from(unit(at)));
            }
            continue;
        }
        let mut key = u64::from(small);
        let mut was_small = first == small;
        while at < count {
            let next = unit(at);
            let small = small_of(next);
            let is_capital = small != next;
            if small == 0 || was_small && is_capital || is_dense(next) {
                break;
            }
            // Behind a digit a capital goes on: `o200K`.
            was_small = !is_capital && !(0x30..0x3A).contains(&next);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    /// Which words of `text` a question finds.
    fn found(question: &str, text: &str) -> Vec<usize> {
        let mut asked = Question::default();
        asked.add(TextBuf::from(question).as_text(), 1.0, 64);
        asked.prepare();
        let mut places = Vec::new();
        asked.find(TextBuf::from(text).as_text(), |_, at| places.push(at));
        places
    }

    #[test]
    fn forms_of_a_word_are_one_word() {
        for (a, b) in [
            ("order", "Orders"),
            ("PAY", "pays"),
            ("paid", "paid"),
            ("city", "cities"),
            ("move", "moving"),
            ("moved", "move"),
            ("connect", "connection"),
            ("Straße", "straßen"),
            ("répond", "Répondre"),
            ("заказ", "Заказы"),
        ] {
            assert_eq!(found(a, b), [0], "{a} asks for {b}");
            assert_eq!(found(b, a), [0], "{b} asks for {a}");
        }
        for (a, b) in [("1017", "10170"), ("pay", "payload"), ("v12", "v1"), ("form", "from"), ("contract", "contain")]
        {
            assert_eq!(found(a, b), [0; 0], "{a} does not ask for {b}");
        }
    }

    #[test]
    fn names_are_looked_for_by_their_parts() {
        assert_eq!(found("ORD-1017", "ord_1017, ORD-1018"), [0, 4, 10]);
        assert_eq!(found("parse the url", "parseUrl()"), [0, 5]);
        assert_eq!(found("max_len", "MAX_LEN"), [0, 4]);
    }

    #[test]
    fn words_of_every_script_are_found() {
        assert_eq!(found("故宫在哪里？", "北京故宫"), [2]);
        assert_eq!(found("서울역", "오늘 서울역에서"), [3, 4]);
        assert_eq!(found("ที่อยู่", "ที่อยู่"), (0..6).collect::<Vec<_>>());
        assert_eq!(found("كم السعر", "كان السعر خمسة"), [4]);
        assert_eq!(found("x", "x"), [0; 0], "one letter is no word");
    }

    #[test]
    fn a_text_of_either_width_says_the_same() {
        let ascii = "The orders of parseUrl, ORD-17 and max_len2.";
        let both = ["order parse ord 17 len2", "len"]
            .map(|question| (found(question, ascii), found(question, &format!("{ascii}…"))));
        assert!(both.iter().all(|(narrow, wide)| narrow == wide), "{both:?}");
        assert_eq!(both[0].0.len(), 5);
    }
}
