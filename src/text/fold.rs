//! Folding of UTF-16 code units to one byte each; see [`super::units`] for the codes.

use super::simd::fold_chunks;
use super::units::fold_unit;

/// Appends the folded form of `units` to `folded`. Returns whether all of them are ASCII.
pub fn fold_into(units: &[u16], folded: &mut Vec<u8>) -> bool {
    let start = folded.len();
    folded.resize(start + units.len(), 0);
    let (chunks, rest) = units.as_chunks();
    let (into, into_rest) = folded[start..].as_chunks_mut();
    let mut all_ascii = fold_chunks(chunks, into);
    for (&unit, byte) in rest.iter().zip(into_rest) {
        all_ascii &= unit < 0x80;
        *byte = fold_unit(unit);
    }
    all_ascii
}
