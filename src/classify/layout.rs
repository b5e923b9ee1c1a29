//! Hard reasons that lie in the shape of the whole text: verse, ragged lines, many special characters.

use super::{Reason, Reasons};
use crate::text::class::{SENTENCE_END, SPACE, SPECIAL, UPPER, class, is, is_at};
use crate::text::lines::lf_lines;

/// Adds the reasons of this file that hold for `text`.
pub fn hard_reasons(text: &[u8], reasons: &mut Reasons) {
    for (holds, reason) in [
        (has_verse(text), Reason::VersePattern),
        (has_ragged_lines(text), Reason::HighLineLengthVariance),
        (has_many_specials(text), Reason::HighSpecialCharRatio),
    ] {
        if holds {
            reasons.insert(reason);
        }
    }
}

/// Three successive lines, not the first one, that start with a capital letter and end no sentence.
fn has_verse(text: &[u8]) -> bool {
    let mut successive = 0;
    for (start, end) in lf_lines(text).skip(1) {
        let is_verse = is_at(text, start, UPPER) && !text[start..end].iter().any(|&byte| is(byte, SENTENCE_END));
        successive = if is_verse { successive + 1 } else { 0 };
        if successive == 3 {
            return true;
        }
    }
    false
}

/// More than three lines whose lengths have a standard deviation above 1.2 times their mean.
fn has_ragged_lines(text: &[u8]) -> bool {
    let count = lf_lines(text).count();
    if count <= 3 {
        return false;
    }
    let count = count as f64;
    // The sum of lengths is what the LFs leave of the text; integers up to 2^53 add up exactly in any order.
    let mean = (text.len() as f64 - (count - 1.0)) / count;
    let variance = lf_lines(text).map(|(start, end)| ((end - start) as f64 - mean).powi(2)).sum::<f64>() / count;
    mean > 0.0 && variance.sqrt() / mean > 1.2
}

/// Special characters make up more than 15 % of the text.
fn has_many_specials(text: &[u8]) -> bool {
    let count = text.iter().map(|&byte| usize::from(class(byte) & SPECIAL != 0)).sum::<usize>();
    count as f64 / text.len().max(1) as f64 > 0.15
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
