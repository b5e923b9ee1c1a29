//! Numbers with a unit, such as `12.5 MB` or `3 retries`.

use crate::text::class::{DIGIT, WORD, is_at};
use crate::text::masks::Scanned;

/// The longest unit, in characters.
const LONGEST: usize = 9;

/// The end of the number that starts at `start`, a boundary, and is followed by a word that `is_unit` (asked in
/// lowercase) or by a percent sign. The number may have a fraction where `may_have_fraction`.
///
/// A boundary must follow, so `%` is a unit only where a word character stands right behind it.
#[inline]
pub fn quantity_end(
    text: Scanned<'_>,
    start: usize,
    may_have_fraction: bool,
    is_unit: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    let bytes = text.bytes;
    let mut at = text.run_end(start, |block| block.digit);
    // Without its fraction the number would be followed by the dot, which no unit starts with.
    if may_have_fraction && bytes.get(at) == Some(&b'.') && is_at(bytes, at + 1, DIGIT) {
        at = text.run_end(at + 1, |block| block.digit);
    }
    let unit = text.run_end(at, |block| block.space);
    let first = *bytes.get(unit)?;
    if first == b'%' {
        return is_at(bytes, unit + 1, WORD).then_some(unit + 1);
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let end = text.run_end(unit, |block| block.word);
    let mut lowered = [0; LONGEST];
    let word = lowered.get_mut(..end - unit)?;
    word.copy_from_slice(&bytes[unit..end]);
    word.make_ascii_lowercase();
    is_unit(word).then_some(end)
}
