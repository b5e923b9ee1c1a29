//! From UTF-16 code units to one byte each.
//!
//! Every rule of the engine asks about ASCII and about a handful of other characters. So a text is kept as one byte
//! per code unit: ASCII as itself, every other unit as the code of the class it belongs to. Positions in the folded
//! text are positions in the original, half the memory is read, and a lone surrogate is nothing special.

use super::simd::narrow;

/// A unit that no rule asks about.
pub const OTHER: u8 = 0x80;
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
pub const DEGREE: u8 = 0x88;
/// The micro sign and the two Greek letters that equal it without regard to case: U+00B5, U+03BC, U+039C.
pub const MICRO: u8 = 0x89;

/// The byte that stands for `unit`.
pub fn fold_unit(unit: u16) -> u8 {
    match unit {
        0..0x80 => unit as u8,
        // Chinese, Japanese, Korean, and both halves of emoji: no need to search for these below.
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

/// Units that are folded at once.
const CHUNK: usize = 32;

/// Appends the folded form of `units` to `folded` and tells whether all of them are ASCII.
pub fn fold_into(units: &[u16], folded: &mut Vec<u8>) -> bool {
    let start = folded.len();
    folded.resize(start + units.len(), 0);
    let mut all_ascii = true;
    let (chunks, rest) = units.as_chunks();
    let (into, into_rest) = folded[start..].as_chunks_mut();
    for (chunk, bytes) in chunks.iter().zip(into) {
        if !narrow(chunk, bytes) {
            all_ascii = false;
            fold_chunk(chunk, bytes);
        }
    }
    for (&unit, byte) in rest.iter().zip(into_rest) {
        all_ascii &= unit < 0x80;
        *byte = fold_unit(unit);
    }
    all_ascii
}

/// Folds a chunk that isn't all ASCII. Nearly all other units have no code of their own: so all are given the common
/// one, in loops that compilers turn into vector instructions, and only the few in doubt are looked at one by one.
fn fold_chunk(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) {
    *bytes = units.map(|unit| if unit < 0x80 { unit as u8 } else { OTHER });
    let doubtful = units.map(|unit| u8::from(may_have_code(unit)));
    let (eights, _) = doubtful.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let mut flags = u64::from_le_bytes(*eight);
        while flags != 0 {
            let at = 8 * number + flags.trailing_zeros() as usize / 8;
            bytes[at] = fold_unit(units[at]);
            flags &= flags - 1;
        }
    }
}

/// Whether `unit`, if it isn't ASCII, might have another code than [`OTHER`].
#[inline(always)]
fn may_have_code(unit: u16) -> bool {
    (unit >= 0x80)
        & ((unit < 0x100)
            | (unit & 0xFF00 == 0x0300)
            | (unit == 0x1680)
            | (unit.wrapping_sub(0x2000) < 0x300)
            | (unit == 0x3000)
            | (unit == 0xFEFF))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_fold_every_unit_like_one_alone() {
        let units: Vec<u16> = (0..=u16::MAX).collect();
        let alone: Vec<u8> = units.iter().map(|&unit| fold_unit(unit)).collect();
        let mut folded = Vec::new();
        assert!(!fold_into(&units, &mut folded));
        assert!(folded == alone);
        // The same units each in the company of others.
        let mixed: Vec<u16> = (0..=u16::MAX).map(|unit| unit.wrapping_mul(0x4E6D)).collect();
        folded.clear();
        fold_into(&mixed, &mut folded);
        assert!(folded.iter().zip(&mixed).all(|(&byte, &unit)| byte == fold_unit(unit)));
    }
}
