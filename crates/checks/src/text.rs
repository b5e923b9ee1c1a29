//! Vector instructions and portable code give the same facts about a text.

use super::compress::{messages_of, outcome_of};
use super::input::{buffer, units_of};
use palimpsest_drop_in::compress::Options;
use palimpsest_text::fold_unit;
use palimpsest_text::masks::Scratch;
use palimpsest_text::simd::portably;

/// Compares a text's folded bytes, its masks, and the result and statistics of `compress`, with and without vector instructions.
pub fn text(bytes: &[u8]) {
    let units = units_of(bytes);
    let alone: Vec<u8> = units.iter().map(|&unit| fold_unit(unit)).collect();
    let text = buffer(&units);
    assert_eq!(text.as_text().bytes(), alone);
    assert_eq!(portably(|| buffer(&units)), text);
    let blocks = || Scratch::default().scan(text.as_text().bytes()).blocks.to_vec();
    assert_eq!(blocks(), portably(blocks));

    let messages = messages_of(units.split(|&unit| unit == 0x0C).map(<[u16]>::to_vec));
    let options = Options { recency_window: 0.0, trace: true, fuzzy_dedup: true, ..Options::default() };
    let outcome = || {
        let outcome = outcome_of(&messages, &options);
        format!("{:?} {:?}", outcome.outputs, outcome.statistics)
    };
    assert_eq!(outcome(), portably(outcome));
}
