//! Terms: the words by which texts are looked up.
//!
//! A term is a run of letters and digits; `parseUrl`, `max_len` and `ORD-17` are two terms each. Case does not matter, and neither do the
//! endings in which forms of a word differ. In scripts without blanks, and in Korean, which writes particles after its nouns, each two
//! letters side by side are a term.

use std::ops::RangeInclusive;

use super::Text;
use super::masks::{BLOCK, CaseMasks, case_masks};
use super::tables::small;
use super::unit_rules::is_dense;

/// Number of letters at the beginning of a term that are its key.
pub const KEY: usize = 4;
/// Minimum number of letters that forms of one word share at the beginning.
const STEM: usize = 5;
/// Maximum number of letters by which forms differ at the end of each.
const ENDING: usize = 3;
/// Endings by which shorter words may differ.
const ENDINGS: [&[u8]; 11] = [b"", b"s", b"es", b"y", b"ies", b"e", b"d", b"ed", b"ing", b"er", b"ied"];
/// Minimum number of shared letters with these endings.
const SHORTEST_STEM: usize = 3;

/// Returns the lowercase letters of `text` between two positions.
pub fn small_letters(text: Text<'_>, start: usize, end: usize) -> impl Iterator<Item = u16> + '_ {
    (start..end).map(move |at| small(text.unit(at)))
}

/// Returns the key of a term: its first [`KEY`] letters.
pub fn key_of(word: &[u16]) -> u64 {
    word.iter().take(KEY).fold(0, |key, &unit| key << 16 | u64::from(unit))
}

/// Returns the keys of all forms that a term may have, its own first, each once.
pub fn form_keys(word: &[u16]) -> Vec<u64> {
    // Forms that share more letters than the shortest stem have the same key, and those that share fewer are none.
    const { assert!(SHORTEST_STEM + 1 == KEY && KEY <= STEM) };
    let mut keys = vec![key_of(word)];
    if let Some((stem, end)) = word.split_at_checked(SHORTEST_STEM)
        && is_ending(end)
    {
        for ending in ENDINGS {
            let key = ending.iter().take(1).fold(key_of(stem), |key, &byte| key << 16 | u64::from(byte));
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}

/// Whether two words are forms of one: `order` and `Orders`, `connect` and `connection`. Words with digits have no forms.
#[inline]
pub fn is_form(a: &[u16], b: &[u16]) -> bool {
    // Most words differ in their first letter.
    a.first() == b.first() && is_form_of_same_initial(a, b)
}

/// The same for words whose first letters are the same.
fn is_form_of_same_initial(a: &[u16], b: &[u16]) -> bool {
    if a == b {
        return true;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let is_too_long = a.len() > ENDING || b.len() > ENDING;
    if same < SHORTEST_STEM || is_too_long || a.iter().chain(b).any(|&unit| is_digit(unit)) {
        return false;
    }
    let is_stem = same > STEM || same == STEM && (a.is_empty() || b.is_empty());
    is_stem || is_ending(a) && is_ending(b)
}

/// Whether shorter words may differ by `end`.
fn is_ending(end: &[u16]) -> bool {
    let is = |ending: &[u8]| {
        ending.len() == end.len() && ending.iter().zip(end).all(|(&byte, &unit)| u16::from(byte) == unit)
    };
    ENDINGS.iter().any(|ending| is(ending))
}

/// The letters of Arabic.
const ARABIC: RangeInclusive<u16> = 0x0620..=0x064A;

/// Where words start and stop in 64 code units, by the rules for ASCII; bit 0 is the first of them.
struct Bounds {
    /// Starts of words.
    starts: u64,
    /// Units that no word goes on with: those that belong to none, and capitals that begin one.
    stops: u64,
    /// Wide letters.
    wide: u64,
    /// Wide letters, and the two units after each: the rules for ASCII say nothing about them.
    near: u64,
}

/// Calls `visit` with the bounds in each block of 64 code units, and the position of its first.
#[inline(always)]
fn for_each_block(text: Text<'_>, mut visit: impl FnMut(usize, Bounds)) {
    let units = text.units().unwrap_or_default();
    let (blocks, rest) = text.bytes().as_chunks();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let (mut before, mut first_before) = (CaseMasks::default(), 0);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let mut this = case_masks(block);
        for bit in bits_of(this.wide) {
            this.wide ^= u64::from(small(units[BLOCK * number + bit]) == 0) << bit;
        }
        let run = |masks: &CaseMasks| masks.upper | masks.lower | masks.digit;
        let after = |this: u64, before: u64| this << 1 | before >> (BLOCK - 1);
        let runs = run(&this) & !after(run(&this), run(&before));
        // After a digit a capital goes on, as in `o200K`, but not after the first of a word.
        let first = runs & this.digit;
        let capitals = this.upper & after(this.lower | first, before.lower | first_before);
        let mut near = this.wide | after(this.wide, before.wide) | this.wide << 2 | before.wide >> (BLOCK - 2);
        if number == blocks.len() {
            near &= !(u64::MAX << rest.len());
        }
        let bounds = Bounds { starts: runs | capitals, stops: !run(&this) | capitals, wide: this.wide, near };
        visit(BLOCK * number, bounds);
        (before, first_before) = (this, first);
    }
}

/// Calls `visit` with the start of each word and of each single letter.
pub fn for_each_start(text: Text<'_>, mut visit: impl FnMut(usize)) {
    let units = text.units().unwrap_or_default();
    for_each_block(text, |first, Bounds { starts, near, .. }| {
        for bit in bits_of(starts | near) {
            let mut at = first + bit;
            if near >> bit & 1 != 0 {
                if !is_start(units, at) {
                    continue;
                }
                at += article_length(&units[at..]);
            }
            visit(at);
        }
    });
}

/// Calls `visit` with the start and the end of each word of two letters or more.
pub fn for_each_term<F: FnMut(usize, usize)>(text: Text<'_>, mut visit: F) {
    let units = text.units().unwrap_or_default();
    // The start of a word that goes on in the next block.
    let mut open = None;
    for_each_block(text, |first, Bounds { starts, stops, wide, near }| {
        // A word stops at the first of `stops`.
        let stop = |start: usize, stops: u64, visit: &mut F| {
            let bit = stops.trailing_zeros() as usize;
            if wide >> bit & 1 != 0 {
                visit_at(text, start, visit);
            } else if first + bit - start > 1 {
                visit(start, first + bit);
            }
        };
        if stops != 0
            && let Some(start) = open.take()
        {
            stop(start, stops, &mut visit);
        }
        let single = starts & (stops & !wide) >> 1;
        for bit in bits_of(starts & !single | near) {
            let at = first + bit;
            if near >> bit & 1 == 0 {
                match stops & !1 << bit {
                    0 => open = Some(at),
                    stops => stop(at, stops, &mut visit),
                }
            } else if is_start(units, at) {
                visit_at(text, at + article_length(&units[at..]), &mut visit);
            }
        }
    });
}

/// Calls `visit` with the word that starts at `start`, unless it is a single letter.
fn visit_at(text: Text<'_>, start: usize, visit: &mut impl FnMut(usize, usize)) {
    if let Some((end, _)) = term_at(text, start) {
        visit(start, end);
    }
}

/// The positions of the bits that are set, from the lowest on.
#[inline(always)]
fn bits_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}

/// Length of the Arabic article that `units` begin with, and of a conjunction or preposition before it, if two Arabic letters or more follow.
#[inline]
fn article_length(units: &[u16]) -> usize {
    let length = match units {
        // و ف ب ك
        [0x0648 | 0x0641 | 0x0628 | 0x0643, 0x0627, 0x0644, ..] => 3,
        // ال, لل
        [0x0627 | 0x0644, 0x0644, ..] => 2,
        _ => return 0,
    };
    let follows =
        units[length..].first_chunk().is_some_and(|next: &[u16; 2]| next.iter().all(|unit| ARABIC.contains(unit)));
    if follows { length } else { 0 }
}

/// Whether a word starts at `at`.
#[inline]
fn is_start(units: &[u16], at: usize) -> bool {
    let small = |at: usize| small(units[at]);
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
pub fn term_at(text: Text<'_>, start: usize) -> Option<(usize, u64)> {
    let Some(end) = end_in_ascii(text.bytes(), start) else { return wide_term_at(text, start) };
    let letters = &text.bytes()[start..end.min(start + KEY)];
    // Letters and digits, of which this bit tells the case.
    (end - start > 1).then(|| (end, letters.iter().fold(0, |key, &byte| key << 16 | u64::from(byte | 0x20))))
}

/// End of the word that starts at `start`, if neither it nor what follows is wide.
#[inline]
fn end_in_ascii(bytes: &[u8], start: usize) -> Option<usize> {
    let mut may_end = bytes[start].is_ascii_lowercase() || bytes[start].is_ascii_digit();
    for (length, &byte) in bytes[start..].iter().enumerate() {
        match KINDS[usize::from(byte)] {
            Kind::Wide => return None,
            Kind::Other => return Some(start + length),
            Kind::Upper if length > 0 && may_end => return Some(start + length),
            Kind::Lower => may_end = true,
            // After a digit a capital goes on, as in `o200K`, but not after the first of a word.
            Kind::Upper | Kind::Digit => may_end &= length == 0,
        }
    }
    Some(bytes.len())
}

/// What a byte of a folded text is to a word.
#[derive(Clone, Copy)]
enum Kind {
    Other,
    Lower,
    Upper,
    Digit,
    Wide,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            0x80.. => Kind::Wide,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// [`term_at`] where wide units may be letters.
fn wide_term_at(text: Text<'_>, start: usize) -> Option<(usize, u64)> {
    let first = text.unit(start);
    if is_dense(first) {
        let next = (start + 1 < text.len()).then(|| text.unit(start + 1)).filter(|&next| is_dense(next))?;
        return Some((start + 2, u64::from(first) << 16 | u64::from(next)));
    }
    let mut key = u64::from(small(first));
    let mut was_small = key == u64::from(first);
    let mut at = start + 1;
    while at < text.len() {
        let next = text.unit(at);
        let letter = small(next);
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

/// Whether a unit is a digit of ASCII.
pub fn is_digit(unit: u16) -> bool {
    (0x30..0x3A).contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextBuf;
    use crate::random::below;
    use crate::unit_rules::small_of;

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
            let first = start + plain_article(&units[start..]);
            while let Some(&next) = units.get(at).filter(|&&next| small_of(next) != 0 && !is_dense(next)) {
                let is_capital = small_of(next) != next;
                if may_end && is_capital {
                    break;
                }
                may_end = !is_capital && !is_digit(next);
                at += 1;
            }
            if at - start > 1 {
                words.push((first, at));
            }
        }
        words
    }

    /// The definition of articles, of the word that `units` begin with.
    fn plain_article(units: &[u16]) -> usize {
        let word = String::from_utf16_lossy(units);
        let articles = ["وال", "فال", "بال", "كال", "ال", "لل"];
        articles.iter().find(|&&article| word.starts_with(article)).map_or(0, |article| {
            let length = article.chars().count();
            let is_noun = word.chars().skip(length).take(2).filter(|letter| ('ؠ'..='ي').contains(letter)).count() == 2;
            if is_noun { length } else { 0 }
        })
    }

    /// The definition: the key of each form with a stem of the word and an ending of the list.
    fn plain_form_keys(word: &[u16]) -> Vec<u64> {
        let forms = (0..=word.len()).flat_map(|stem| {
            ENDINGS
                .map(|ending| [&word[..stem], &ending.iter().map(|&byte| u16::from(byte)).collect::<Vec<_>>()].concat())
        });
        forms.filter(|form| is_form(word, form)).map(|form| key_of(&form)).collect()
    }

    #[test]
    fn keys_of_forms_are_those_of_the_definition() {
        let sorted = |mut keys: Vec<u64>| {
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        let letters = "sediyngrx1é".encode_utf16().collect::<Vec<_>>();
        let stems = ["", "a", "ab", "pay", "pass", "cit", "die", "see", "1ab", "ab1", "éàü", "order"];
        let ends = (0..letters.len().pow(4)).map(|mut number| {
            let length = number % 5;
            (0..length).map(|_| (letters[number % letters.len()], number /= letters.len()).0).collect::<Vec<_>>()
        });
        for end in ends.step_by(7).chain(ENDINGS.map(|ending| ending.iter().map(|&byte| u16::from(byte)).collect())) {
            for stem in stems {
                let word: Vec<u16> = stem.encode_utf16().chain(end.iter().copied()).collect();
                let keys = form_keys(&word);
                assert_eq!(keys[0], key_of(&word));
                assert_eq!(keys.len(), sorted(keys.clone()).len(), "{word:?}: each once");
                assert_eq!(sorted(keys), sorted(plain_form_keys(&word)), "{}", String::from_utf16_lossy(&word));
            }
        }
    }

    #[test]
    fn terms_start_where_the_definition_says() {
        let mut below = below();
        let letters: Vec<u16> = "aZ9 _bQé故É→Жж1ก\u{300}-京والبلب".encode_utf16().collect();
        for round in 0..4_000 {
            // Few kinds of units make long runs, many short ones.
            let (kinds, first) = (1 + below(letters.len()), below(letters.len()));
            let units: Vec<u16> = (0..round % 300).map(|_| letters[(first + below(kinds)) % letters.len()]).collect();
            let text = TextBuf::from(String::from_utf16(&units).unwrap().as_str());
            let mut found = Vec::new();
            for_each_start(text.as_text(), |start| {
                found.extend(term_at(text.as_text(), start).map(|(end, _)| (start, end)));
            });
            assert_eq!(found, plain_words(&units), "{}", String::from_utf16(&units).unwrap());
            found.clear();
            for_each_term(text.as_text(), |start, end| found.push((start, end)));
            assert_eq!(found, plain_words(&units), "{}", String::from_utf16(&units).unwrap());
        }
    }
}
