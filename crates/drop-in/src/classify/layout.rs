//! Hard reasons given by the shape of the whole text: verse, ragged lines, many special characters.

use super::rule::{Rule, add_reasons};
use super::{Reason, Reasons};
use palimpsest_text::class::{SPACE, UPPER, is, is_at};
use palimpsest_text::masks::Scanned;

/// Adds the reasons of this file that apply to `text`.
pub(super) fn hard_reasons(text: Scanned<'_>, wants_all: bool, reasons: &mut Reasons) {
    const RULES: &[Rule] = &[
        (has_many_specials, Reason::HighSpecialCharRatio),
        (has_ragged_lines, Reason::HighLineLengthVariance),
        (has_verse, Reason::VersePattern),
    ];
    add_reasons(text, wants_all, RULES, reasons);
}

/// Returns whether three consecutive lines, other than the first, start with a capital letter and contain no sentence
/// end.
fn has_verse(text: Scanned<'_>) -> bool {
    let mut consecutive = 0;
    for (start, end) in text.lf_lines().skip(1) {
        let is_verse = is_at(text.bytes, start, UPPER) && !text.any_in(start, end, |block| block.sentence_end);
        consecutive = if is_verse { consecutive + 1 } else { 0 };
        if consecutive == 3 {
            return true;
        }
    }
    false
}

/// Returns whether there are more than three lines, and the standard deviation of their lengths exceeds 1.2 times the
/// mean.
fn has_ragged_lines(text: Scanned<'_>) -> bool {
    let count = u128::from(text.count(|block| block.lf)) + 1;
    let sum = text.bytes.len() as u128 + 1 - count;
    if count <= 3 || sum == 0 {
        return false;
    }
    let squares: u64 = text.lf_lines().map(|(start, end)| ((end - start) as u64).pow(2)).sum();
    let squares = u128::from(squares);
    // In integers: 25·n·Σl² > 61·(Σl)². If both sides are nearly equal, doubles decide, with the rounding of
    // JavaScript.
    let (spread, limit) = (25 * count * squares, 61 * sum * sum);
    if spread.abs_diff(limit) > limit / 1_000_000 {
        return spread > limit;
    }
    let mean = sum as f64 / count as f64;
    let variance =
        text.lf_lines().map(|(start, end)| ((end - start) as f64 - mean).powi(2)).sum::<f64>() / count as f64;
    variance.sqrt() / mean > 1.2
}

/// Returns whether special characters make up more than 15 % of the text.
fn has_many_specials(text: Scanned<'_>) -> bool {
    text.count(|block| block.special) as f64 / text.bytes.len().max(1) as f64 > 0.15
}

/// Returns whether splitting `text` at runs of white space gives fewer than `limit` pieces. White space at either end
/// gives an empty piece, and the empty text is one piece.
pub(super) fn has_fewer_pieces(text: &[u8], limit: usize) -> bool {
    let mut pieces = 1;
    let mut in_space = false;
    for &byte in text {
        let space = is(byte, SPACE);
        pieces += usize::from(space && !in_space);
        in_space = space;
        if pieces >= limit {
            return false;
        }
    }
    true
}
