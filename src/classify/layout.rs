//! Hard reasons that lie in the shape of the whole text: verse, ragged lines, many special characters.

use super::rule::{Rule, add_reasons};
use super::{Reason, Reasons};
use crate::text::class::{SPACE, UPPER, is, is_at};
use crate::text::masks::Scanned;

/// Adds the reasons of this file that hold for `text`.
pub fn hard_reasons(text: Scanned<'_>, wants_all: bool, reasons: &mut Reasons) {
    const RULES: &[Rule] = &[
        (has_many_specials, Reason::HighSpecialCharRatio),
        (has_ragged_lines, Reason::HighLineLengthVariance),
        (has_verse, Reason::VersePattern),
    ];
    add_reasons(text, wants_all, RULES, reasons);
}

/// Three successive lines, not the first one, that start with a capital letter and end no sentence.
fn has_verse(text: Scanned<'_>) -> bool {
    let mut successive = 0;
    for (start, end) in text.lf_lines().skip(1) {
        let is_verse = is_at(text.bytes, start, UPPER) && !text.any_in(start, end, |block| block.sentence_end);
        successive = if is_verse { successive + 1 } else { 0 };
        if successive == 3 {
            return true;
        }
    }
    false
}

/// More than three lines whose lengths have a standard deviation above 1.2 times their mean.
fn has_ragged_lines(text: Scanned<'_>) -> bool {
    let count = u128::from(text.count(|block| block.lf)) + 1;
    let sum = text.bytes.len() as u128 + 1 - count;
    if count <= 3 || sum == 0 {
        return false;
    }
    let squares: u64 = text.lf_lines().map(|(start, end)| ((end - start) as u64).pow(2)).sum();
    let squares = u128::from(squares);
    // In integers: 25·n·Σl² > 61·(Σl)². Doubles round, so where both sides are all but equal they decide as they do in
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

/// Special characters make up more than 15 % of the text.
fn has_many_specials(text: Scanned<'_>) -> bool {
    text.count(|block| block.special) as f64 / text.bytes.len().max(1) as f64 > 0.15
}

/// Whether splitting `text` at runs of white space gives fewer than `limit` pieces. White space at an end gives an
/// empty piece there, and the empty text is one piece.
pub fn has_fewer_pieces(text: &[u8], limit: usize) -> bool {
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
