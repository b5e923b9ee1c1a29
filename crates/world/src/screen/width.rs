//! How many columns a character takes.

use std::ops::RangeInclusive;

/// Characters that take one column in every terminal: of Latin, Greek and Cyrillic, punctuation, arrows, lines, blocks and dots, as bars and
/// spinners have them.
const ONE: [RangeInclusive<u32>; 12] = [
    0x20..=0x7E,
    0xA1..=0xAC,
    0xAE..=0x24F,
    0x391..=0x3A1,
    0x3A3..=0x3C9,
    0x400..=0x482,
    0x48A..=0x52F,
    0x2010..=0x2027,
    0x2030..=0x203B,
    0x2190..=0x2193,
    0x2500..=0x259F,
    0x2800..=0x28FF,
];
/// Characters that take two: ideographs, syllables of Japanese and Korean, wide forms.
const TWO: [RangeInclusive<u32>; 6] =
    [0x3041..=0x3096, 0x30A1..=0x30FA, 0x3105..=0x312D, 0x4E00..=0x9FA5, 0xAC00..=0xD7A3, 0xFF01..=0xFF5E];

/// The columns of a character, where all terminals agree. None for those that join others, images, and the like.
pub(super) fn columns(character: u32) -> Option<usize> {
    let is_in = |ranges: &[RangeInclusive<u32>]| ranges.iter().any(|range| range.contains(&character));
    match () {
        () if (0x20..0x7F).contains(&character) || is_in(&ONE) => Some(1),
        () if is_in(&TWO) => Some(2),
        () => None,
    }
}
