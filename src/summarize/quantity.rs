//! Numbers with a unit, such as `12.5 MB` or `3 retries`.

use crate::text::class::{DIGIT, SPACE, WORD, is_at, run_end};

/// The longest unit, in units.
const LONGEST: usize = 9;

/// The end of the number that starts at `start`, a boundary, and is followed by a word that `is_unit` (asked in
/// lowercase) or by a percent sign.
///
/// A boundary must follow, so `%` is a unit only where a word character stands right behind it.
#[inline]
pub fn quantity_end(text: &[u8], start: usize, is_unit: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut at = run_end(text, start, DIGIT);
    // Without its fraction the number would be followed by the dot, which no unit starts with.
    if text.get(at) == Some(&b'.') && is_at(text, at + 1, DIGIT) {
        at = run_end(text, at + 1, DIGIT);
    }
    let unit = run_end(text, at, SPACE);
    let first = *text.get(unit)?;
    if first == b'%' {
        return is_at(text, unit + 1, WORD).then_some(unit + 1);
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let end = run_end(&text[..text.len().min(unit + LONGEST + 1)], unit, WORD);
    let mut lowered = [0; LONGEST];
    let word = lowered.get_mut(..end - unit)?;
    word.copy_from_slice(&text[unit..end]);
    word.make_ascii_lowercase();
    is_unit(word).then_some(end)
}
