//! The words of a query, and their positions in a text.
//!
//! A word is a run of letters and digits; `parseUrl`, `max_len` and `ORD-17` are two words each. Case does not matter, and
//! neither do the endings in which forms of a word differ. In scripts without blanks, and in Korean, which writes particles
//! behind its nouns, each two letters side by side are a word.

use std::sync::LazyLock;

use crate::text::Text;
use crate::text::masks::{BLOCK, CaseMasks, case_masks};

/// Number of letters at their beginning by which words are looked up.
const KEY: usize = 4;
/// Minimum number of letters that forms of one word share at the beginning.
const STEM: usize = 5;
/// Maximum number of letters by which they differ at the end of each.
const ENDING: usize = 3;
/// Endings by which shorter words may differ.
const ENDINGS: [&[u8]; 11] = [b"", b"s", b"es", b"y", b"ies", b"e", b"d", b"ed", b"ing", b"er", b"ied"];
/// Minimum number of shared letters with these endings.
const SHORTEST_STEM: usize = 3;
/// Minimum length of a word with digits that names something by itself, unlike `17` and `v2`.
const SHORTEST_NAME: usize = 3;
/// Number of bits of the filter that rejects most words of a text.
const FILTER: usize = 1 << 12;
/// Size of the filter before it, by the first two letters of a word; pairs of ASCII letters don't collide.
const PAIRS: usize = 1 << 14;

/// For each code unit its lowercase letter if it is part of words, otherwise 0. A table, because Unicode's are slow to ask.
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

/// The words of a query.
#[derive(Debug, Default)]
pub struct Question {
    /// Each in lowercase, with its weight.
    terms: Vec<(Vec<u16>, f64)>,
    /// By the first two letters of each beginning that a form of a term may have: what may follow them, as in [`third_of`].
    pairs: Vec<u32>,
    /// A bit for the hash of each such beginning.
    filter: Vec<u64>,
    /// Those beginnings, each with a term; sorted.
    beginnings: Vec<(u64, u16)>,
}

impl Question {
    /// Adds the words of a text, up to `limit` in total. A word that is known keeps the larger weight.
    pub fn add(&mut self, text: Text<'_>, weight: f64, limit: usize) {
        for_each_start(text, |start| {
            let Some((end, _)) = word_at(text, start) else { return };
            let word: Vec<u16> = small_letters(text, start, end).collect();
            match self.terms.iter().position(|(known, _)| is_form(known, &word)) {
                Some(known) => self.terms[known].1 = self.terms[known].1.max(weight),
                None if self.terms.len() < limit => self.terms.push((word, weight)),
                None => {}
            }
        });
    }

    /// Prepares [`Question::find`] for the words that were added.
    pub fn prepare(&mut self) {
        self.pairs = vec![0; PAIRS];
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
            // No word has fewer than two letters, or more than `KEY` in its key.
            let more = (0..KEY - 1).find(|more| key >> (16 * more) >> 32 == 0).unwrap_or_default();
            let letter = |behind: usize| (key >> (16 * behind)) as u16;
            let may_follow = match more {
                0 if is_dense(letter(1)) => u32::MAX,
                0 => ENDS,
                _ => third_of(letter(more - 1)),
            };
            self.pairs[pair_of(letter(more + 1), letter(more))] |= may_follow;
        }
    }

    /// The weight of each word.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.terms.iter().map(|&(_, weight)| weight)
    }

    /// Whether a word has digits and is long enough to name one thing.
    pub fn is_name(&self, term: usize) -> bool {
        let word = &self.terms[term].0;
        word.len() >= SHORTEST_NAME && word.iter().any(|&unit| is_digit(unit))
    }

    /// Calls `visit` with the number and the position of each word of the query in `text`, in any form.
    pub fn find(&self, text: Text<'_>, mut visit: impl FnMut(u16, usize)) {
        let small = &SMALL[..];
        let mut word = Vec::new();
        for_each_start(text, |start| {
            if start + 1 >= text.len() {
                return;
            }
            let letter = |at: usize| small[usize::from(text.unit(at))];
            let may_follow = self.pairs[pair_of(letter(start), letter(start + 1))];
            if may_follow == 0 {
                return;
            }
            let third = if start + 2 < text.len() { text.unit(start + 2) } else { 0 };
            let small = small[usize::from(third)];
            // A capital or a wide unit may continue the word or begin the next.
            let may_end = if small != third || third >= 0x80 { ENDS } else { 0 };
            if may_follow & (third_of(small) | may_end) == 0 {
                return;
            }
            let Some((end, key)) = word_at(text, start) else { return };
            if self.filter[place_of(key) / 64] >> (place_of(key) % 64) & 1 == 0 {
                return;
            }
            word.clear();
            let first = self.beginnings.partition_point(|&(other, _)| other < key);
            for &(_, term) in self.beginnings[first..].iter().take_while(|&&(other, _)| other == key) {
                let known = &self.terms[usize::from(term)].0;
                // The key of a short word is all of it.
                let is_same = known.len() == end - start && known.len() <= KEY && key_of(known) == key;
                if !is_same && word.is_empty() {
                    word.extend(small_letters(text, start, end));
                }
                if is_same || is_form(known, &word) {
                    visit(term, start);
                }
            }
        });
    }
}

fn small_letters(text: Text<'_>, start: usize, end: usize) -> impl Iterator<Item = u16> + '_ {
    (start..end).map(move |at| SMALL[usize::from(text.unit(at))])
}

/// Bit of [`third_of`] for the end of a word.
const ENDS: u32 = 1;

/// Bit of a lowercase letter behind two others; units that are no letters have [`ENDS`].
fn third_of(letter: u16) -> u32 {
    1 << (letter % 32)
}

/// Index of two letters in the filter of pairs.
fn pair_of(first: u16, second: u16) -> usize {
    (usize::from(first) << 7 ^ usize::from(second)) % PAIRS
}

fn key_of(word: &[u16]) -> u64 {
    word.iter().take(KEY).fold(0, |key, &unit| key << 16 | u64::from(unit))
}

/// Bit of a key in the filter. Keys may share a bit, because words that pass are looked up.
fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - FILTER.ilog2())) as usize
}

/// Whether two words are forms of one: `order` and `Orders`, `connect` and `connection`. Words with digits have no forms.
fn is_form(a: &[u16], b: &[u16]) -> bool {
    if a == b {
        return true;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    if same < SHORTEST_STEM || a.iter().chain(b).any(|&unit| is_digit(unit)) {
        return false;
    }
    let is_ending =
        |end: &[u16]| ENDINGS.iter().any(|ending| ending.iter().map(|&byte| u16::from(byte)).eq(end.iter().copied()));
    let is_stem = same > STEM || same == STEM && (a.is_empty() || b.is_empty());
    is_stem && a.len() <= ENDING && b.len() <= ENDING || is_ending(a) && is_ending(b)
}

/// Calls `visit` with the start of each word and of each single letter.
fn for_each_start(text: Text<'_>, mut visit: impl FnMut(usize)) {
    let (blocks, rest) = text.bytes().as_chunks();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let units = text.units().unwrap_or_default();
    let small = &SMALL[..];
    let (mut before, mut first_before) = (CaseMasks::default(), 0);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let this = case_masks(block);
        let run = |masks: &CaseMasks| masks.upper | masks.lower | masks.digit;
        let behind = |this: u64, before: u64| this << 1 | before >> (BLOCK - 1);
        let runs = run(&this) & !behind(run(&this), run(&before));
        // Behind a digit a capital goes on, as in `o200K`, but not behind the first of a word.
        let first = runs & this.digit;
        let capitals = this.upper & behind(this.lower | first, before.lower | first_before);
        // The masks are for ASCII: wide units and the two units behind each are checked one by one.
        let mut near = this.wide | behind(this.wide, before.wide) | this.wide << 2 | before.wide >> (BLOCK - 2);
        if number == blocks.len() {
            near &= !(u64::MAX << rest.len());
        }
        let mut starts = runs | capitals | near;
        while starts != 0 {
            let bit = starts.trailing_zeros();
            starts &= starts - 1;
            let at = BLOCK * number + bit as usize;
            if near >> bit & 1 == 0 || is_start(units, small, at) {
                visit(at);
            }
        }
        (before, first_before) = (this, first);
    }
}

/// Whether a word starts at `at`.
#[inline]
fn is_start(units: &[u16], small: &[u16], at: usize) -> bool {
    let small = |at: usize| small[usize::from(units[at])];
    let (unit, letter) = (units[at], small(at));
    if letter == 0 {
        return false;
    }
    let follows = |at: usize| at > 0 && small(at - 1) != 0 && !is_dense(units[at - 1]);
    if !follows(at) || is_dense(unit) {
        return true;
    }
    let before = units[at - 1];
    letter != unit && small(at - 1) == before && (!is_digit(before) || !follows(at - 1))
}

/// End of the word that starts at `start`, and the key of its beginning; `None` for a single letter.
#[inline]
fn word_at(text: Text<'_>, start: usize) -> Option<(usize, u64)> {
    let small = &SMALL[..];
    let first = text.unit(start);
    if is_dense(first) {
        let next = (start + 1 < text.len()).then(|| text.unit(start + 1)).filter(|&next| is_dense(next))?;
        return Some((start + 2, u64::from(first) << 16 | u64::from(next)));
    }
    let mut key = u64::from(small[usize::from(first)]);
    let mut was_small = key == u64::from(first);
    let mut at = start + 1;
    while at < text.len() {
        let next = text.unit(at);
        let letter = small[usize::from(next)];
        let is_capital = letter != next;
        if letter == 0 || was_small && is_capital || is_dense(next) {
            break;
        }
        was_small = !is_capital && !is_digit(next);
        if at - start < KEY {
            key = key << 16 | u64::from(letter);
        }
        at += 1;
    }
    (at - start > 1).then_some((at, key))
}

fn is_digit(unit: u16) -> bool {
    (0x30..0x3A).contains(&unit)
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

    /// The definition, unit by unit: where each word starts and ends.
    fn plain_words(units: &[u16]) -> Vec<(usize, usize)> {
        let mut words = Vec::new();
        let mut at = 0;
        while at < units.len() {
            let start = at;
            at += 1;
            if small_of(units[start]) == 0 {
                continue;
            }
            if is_dense(units[start]) {
                if units.get(at).is_some_and(|&next| is_dense(next)) {
                    words.push((start, at + 1));
                }
                continue;
            }
            let mut may_end = small_of(units[start]) == units[start];
            while let Some(&next) = units.get(at).filter(|&&next| small_of(next) != 0 && !is_dense(next)) {
                let is_capital = small_of(next) != next;
                if may_end && is_capital {
                    break;
                }
                may_end = !is_capital && !is_digit(next);
                at += 1;
            }
            if at - start > 1 {
                words.push((start, at));
            }
        }
        words
    }

    #[test]
    fn words_start_where_the_definition_says() {
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as usize % limit
        };
        let letters: Vec<u16> = "aZ9 _bQé故ÉЖж1ก\u{300}-京".encode_utf16().collect();
        for round in 0..4_000 {
            // Few kinds of units make long runs, many short ones.
            let (kinds, first) = (1 + below(letters.len()), below(letters.len()));
            let units: Vec<u16> = (0..round % 300).map(|_| letters[(first + below(kinds)) % letters.len()]).collect();
            let text = TextBuf::from(String::from_utf16(&units).unwrap().as_str());
            let mut found = Vec::new();
            for_each_start(text.as_text(), |start| {
                found.extend(word_at(text.as_text(), start).map(|(end, _)| (start, end)));
            });
            assert_eq!(found, plain_words(&units), "{}", String::from_utf16(&units).unwrap());
        }
    }
}
