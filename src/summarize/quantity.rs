//! Numbers with a unit, such as `12.5 MB` or `3 retries`.

use crate::text::class::{DIGIT, SPACE, is_at, is_boundary, run_end};
use crate::text::phrases::{Gap, match_phrase};

/// The end of the number with one of `units` (lowercase) that starts at `start`, a boundary.
///
/// A boundary must follow the unit, so `%` is one only where a word character stands right behind it.
pub fn quantity_end(text: &[u8], start: usize, units: &[&str]) -> Option<usize> {
    let mut at = run_end(text, start, DIGIT);
    if at == start {
        return None;
    }
    // Without its fraction the number would be followed by the dot, which no unit starts with.
    if text.get(at) == Some(&b'.') && is_at(text, at + 1, DIGIT) {
        at = run_end(text, at + 1, DIGIT);
    }
    let unit = run_end(text, at, SPACE);
    if text.get(unit) == Some(&b'%') {
        return is_boundary(text, unit + 1).then_some(unit + 1);
    }
    units.iter().find_map(|name| match_phrase(text, unit, name, Gap::Blank))
}
