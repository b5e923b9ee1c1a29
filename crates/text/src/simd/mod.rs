//! Classifies and folds many code units at once, with the vectors of the processor.
//!
//! All implementations return the same masks; a test compares them on every byte and on random blocks.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod masks;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tables;

use super::block::{BLOCK, Block, CaseMasks, NameMasks};
use super::units::CHUNK;

/// The vectors of a processor.
// Arm64 has nothing to choose but in comparisons, and WebAssembly nothing at all.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
#[derive(Clone, Copy)]
enum Vectors {
    Portable,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Vectors {
    /// Returns those that the processor has and that are to be used.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    #[inline(always)]
    fn available() -> Self {
        #[cfg(target_arch = "x86_64")]
        let found = if std::arch::is_x86_feature_detected!("avx2") { Vectors::Avx2 } else { Vectors::Portable };
        // Every arm64 processor has NEON.
        #[cfg(target_arch = "aarch64")]
        let found = Vectors::Neon;
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let found = Vectors::Portable;
        #[cfg(any(debug_assertions, fuzzing))]
        let found = if IS_PORTABLE.get() { Vectors::Portable } else { found };
        found
    }
}

thread_local! {
    static IS_PORTABLE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Calls `run` with the portable implementations on this thread, for comparisons: a release build takes no notice.
pub fn portably<T>(run: impl FnOnce() -> T) -> T {
    IS_PORTABLE.set(true);
    let result = run();
    IS_PORTABLE.set(false);
    result
}

/// Returns what a function gives with vectors, or goes on if there are none.
macro_rules! with_vectors {
    ($function:ident($($argument:expr),*)) => {
        // SAFETY: the processor has the instructions.
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        unsafe {
            match Vectors::available() {
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx2 => return avx2::$function($($argument),*),
                #[cfg(target_arch = "aarch64")]
                Vectors::Neon => return neon::$function($($argument),*),
                Vectors::Portable => {}
            }
        }
    };
}

/// Appends the masks of `chunks` to `blocks`.
pub fn classify_blocks(chunks: &[[u8; BLOCK]], blocks: &mut Vec<Block>) {
    with_vectors!(classify_blocks(chunks, blocks));
    blocks.extend(chunks.iter().map(portable::classify_block));
}

#[inline]
pub fn name_masks(bytes: &[u8; BLOCK]) -> NameMasks {
    with_vectors!(name_masks(bytes));
    portable::name_masks(bytes)
}

#[inline]
pub fn case_masks(bytes: &[u8; BLOCK]) -> CaseMasks {
    with_vectors!(case_masks(bytes));
    portable::case_masks(bytes)
}

/// Writes the folded form of `units` to `bytes`, which is as long. Returns whether all are ASCII.
pub fn fold_chunks(units: &[[u16; CHUNK]], bytes: &mut [[u8; CHUNK]]) -> bool {
    #[cfg(target_arch = "x86_64")]
    with_vectors!(fold_chunks(units, bytes));
    let fold = |(chunk, bytes): (&[u16; CHUNK], &mut [u8; CHUNK])| {
        let is_ascii = narrow(chunk, bytes);
        if !is_ascii {
            portable::fold_chunk(chunk, bytes);
        }
        is_ascii
    };
    units.iter().zip(bytes).fold(true, |all_ascii, chunk| fold(chunk) & all_ascii)
}

/// Writes the low bytes of `units` to `bytes`. Returns whether all units are ASCII, so that nothing is lost.
#[inline]
fn narrow(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) -> bool {
    *bytes = units.map(|unit| unit as u8);
    units.iter().fold(0, |seen, &unit| seen | unit) < 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::below;
    use crate::units::fold_unit;

    /// Calls `run` with all instructions that are to be compared.
    fn with_each(mut run: impl FnMut()) {
        portably(&mut run);
        run();
    }

    #[test]
    fn all_ways_fold_alike() {
        // Every unit, first in the company of its neighbours and then of others.
        for factor in [1, 0x4E6D] {
            let units: Vec<u16> = (0..=u16::MAX).map(|unit| unit.wrapping_mul(factor)).collect();
            let alone: Vec<u8> = units.iter().map(|&unit| fold_unit(unit)).collect();
            let (chunks, _) = units.as_chunks();
            let mut folded = vec![[0; CHUNK]; chunks.len()];
            with_each(|| {
                assert!(!fold_chunks(chunks, &mut folded));
                assert!(folded.as_flattened() == alone);
                folded.fill([0; CHUNK]);
                for (chunk, folded) in chunks.iter().zip(&mut folded) {
                    let is_ascii = fold_chunks(&[*chunk], std::slice::from_mut(folded));
                    assert_eq!(is_ascii, chunk.iter().all(|&unit| unit < 0x80));
                }
                assert!(folded.as_flattened() == alone);
            });
        }
    }

    #[test]
    fn all_ways_give_the_same_masks() {
        let mut below = below();
        for round in 0..20_000u32 {
            let mut bytes = [0; BLOCK];
            for (at, byte) in bytes.iter_mut().enumerate() {
                // First every byte in every place of a vector, then random ones.
                *byte = if round < 256 { (round as usize + at) as u8 } else { below(256) as u8 };
                // Blocks without ASCII are read in another way.
                *byte |= if round % 4 == 3 { 0x80 } else { 0 };
            }
            with_each(|| {
                let mut blocks = Vec::new();
                classify_blocks(&[bytes], &mut blocks);
                assert_eq!(blocks, [portable::classify_block(&bytes)], "{bytes:?}");
                assert_eq!(name_masks(&bytes), portable::name_masks(&bytes), "{bytes:?}");
                assert_eq!(case_masks(&bytes), portable::case_masks(&bytes), "{bytes:?}");
            });
        }
    }
}
