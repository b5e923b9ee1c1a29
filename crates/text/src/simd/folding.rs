//! What the implementations for x86-64 share of folding.

use crate::units::{CHUNK, fold_unit};

/// Defines `fold_chunks` for an implementation with these features that has `fold_chunk`.
macro_rules! folding {
    ($features:literal) => {
        /// See [`super::fold_chunks`].
        #[target_feature(enable = $features)]
        pub(crate) fn fold_chunks(units: &[[u16; CHUNK]], bytes: &mut [[u8; CHUNK]]) -> bool {
            let mut all_ascii = true;
            for (units, bytes) in units.iter().zip(bytes) {
                all_ascii &= fold_chunk(units, bytes);
            }
            all_ascii
        }
    };
}
pub(super) use folding;

/// Folds those units of a chunk one by one whose bits are set in `flags`.
#[inline(always)]
pub(crate) fn fold_each(mut flags: u64, units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) {
    while flags != 0 {
        let at = flags.trailing_zeros() as usize;
        bytes[at] = fold_unit(units[at]);
        flags &= flags - 1;
    }
}
