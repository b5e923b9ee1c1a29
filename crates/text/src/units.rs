//! Folded codes: one byte for each UTF-16 code unit.
//!
//! The rules of the engine test for ASCII and for a few other characters. A folded text therefore has one byte per code
//! unit: ASCII characters as themselves, all other units as the code of their class. Positions in the folded text are
//! positions in the original, the text takes half the memory, and a lone surrogate needs no special case.

/// Units that are folded at once.
pub(crate) const CHUNK: usize = 32;

/// A code unit that matters to no rule.
pub(crate) const OTHER: u8 = 0x80;
/// White space that ends no line: U+00A0, U+1680, U+2000–200A, U+202F, U+205F, U+3000, U+FEFF.
pub const WIDE_SPACE: u8 = 0x81;
/// U+2028 and U+2029: white space that ends a line.
pub const WIDE_LINE_END: u8 = 0x82;
/// A mathematical sign of rule `unicode_math`.
pub const MATH: u8 = 0x83;
/// ∴ U+2234.
pub const THEREFORE: u8 = 0x84;
/// • U+2022.
pub const BULLET: u8 = 0x85;
/// “ U+201C.
pub const LEFT_QUOTE: u8 = 0x86;
/// ” U+201D.
pub const RIGHT_QUOTE: u8 = 0x87;
/// ° U+00B0.
pub(crate) const DEGREE: u8 = 0x88;
/// The micro sign and the two Greek letters that equal it without regard to case: U+00B5, U+03BC, U+039C.
pub(crate) const MICRO: u8 = 0x89;

/// Returns the byte for `unit`.
pub fn fold_unit(unit: u16) -> u8 {
    match unit {
        0..0x80 => unit as u8,
        // Chinese, Japanese, Korean, and both halves of emoji skip the search below.
        0x3001..=0xFEFE | 0xFF00.. => OTHER,
        0x00A0 | 0x1680 | 0x2000..=0x200A | 0x202F | 0x205F | 0x3000 | 0xFEFF => WIDE_SPACE,
        0x2028 | 0x2029 => WIDE_LINE_END,
        // ∀ ∃ ∈ ∉ ⊆ ⊇ ∪ ∩ ∧ ∨ ¬ → ↔ ∑ ∏ ∫ √ ∞ ≈ ≠ ≤ ≥ ± × ÷
        0x2200 | 0x2203 | 0x2208 | 0x2209 | 0x2286 | 0x2287 | 0x222A | 0x2229 | 0x2227 | 0x2228 | 0x00AC | 0x2192
        | 0x2194 | 0x2211 | 0x220F | 0x222B | 0x221A | 0x221E | 0x2248 | 0x2260 | 0x2264 | 0x2265 | 0x00B1 | 0x00D7
        | 0x00F7 => MATH,
        0x2234 => THEREFORE,
        0x2022 => BULLET,
        0x201C => LEFT_QUOTE,
        0x201D => RIGHT_QUOTE,
        0x00B0 => DEGREE,
        0x00B5 | 0x03BC | 0x039C => MICRO,
        _ => OTHER,
    }
}
