//! Folding of UTF-16 code units to one byte each; see [`super::units`] for the codes.

use std::slice;

use super::simd::fold_chunks;
use super::units::fold_unit;

/// Units that are folded at a time, so that what is made room for is still in the nearest cache when it is written.
const PIECE: usize = 4096;

/// Appends the folded form of `units` to `folded`. Returns whether all of them are ASCII.
pub fn fold_into(units: &[u16], folded: &mut Vec<u8>) -> bool {
    folded.reserve(units.len());
    units.chunks(PIECE).fold(true, |all_ascii, piece| fold_piece(piece, folded) & all_ascii)
}

fn fold_piece(units: &[u16], folded: &mut Vec<u8>) -> bool {
    let start = folded.len();
    folded.resize(start + units.len(), 0);
    let folded = &mut folded[start..];
    let (chunks, rest) = units.as_chunks();
    let mut all_ascii = fold_chunks(chunks, folded.as_chunks_mut().0);
    // Units that are folded one by one take longer than all others of a short text, so some are rather folded twice.
    if let (Some(last), Some(into)) = (units.last_chunk(), folded.last_chunk_mut()) {
        return fold_chunks(slice::from_ref(last), slice::from_mut(into)) && all_ascii;
    }
    for (&unit, byte) in rest.iter().zip(folded) {
        all_ascii &= unit < 0x80;
        *byte = fold_unit(unit);
    }
    all_ascii
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_folded_as_its_units_are() {
        for wide_at in [0, 30, 32, 70, 5_000] {
            let units: Vec<u16> =
                (0..2 * PIECE as u16 + 77).map(|at| if at == wide_at { 0x2014 } else { at % 0x80 }).collect();
            for length in (0..100).chain([PIECE - 1, PIECE, PIECE + 1, units.len()]) {
                let mut folded = vec![b'x'];
                assert_eq!(fold_into(&units[..length], &mut folded), length <= wide_at.into());
                let each: Vec<u8> = units[..length].iter().map(|&unit| fold_unit(unit)).collect();
                assert_eq!(folded[1..], each);
            }
        }
    }
}
