//! The AVX2 implementation for x86-64.

use std::arch::x86_64::*;

use super::masks::block_masks;
use super::tables::{JOINTS, MORE_VOWELS, NAME_SIGNS, SENTENCE_ENDS, SPACES, SPECIAL_HIGH, SPECIAL_LOW, Table, VOWELS};
use crate::block::{BLOCK, Block, CaseMasks, NameMasks};
use crate::units::{CHUNK, LEFT_QUOTE, MATH, OTHER, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE, fold_unit};

/// The bytes of a block.
type Halves = [__m256i; 2];

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; BLOCK]) -> Halves {
    // SAFETY: the loads are of 32 bytes each of the 64 and need no alignment.
    unsafe {
        let start: *const __m256i = bytes.as_ptr().cast();
        [_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))]
    }
}

/// Returns the table twice, because `_mm256_shuffle_epi8` looks up each half separately. A byte of 0x80 or more yields 0.
#[inline]
#[target_feature(enable = "avx2")]
fn table(table: &Table) -> __m256i {
    // SAFETY: the pointer is that of 16 bytes; the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
pub(super) fn fold_chunks(units: &[[u16; CHUNK]], bytes: &mut [[u8; CHUNK]]) -> bool {
    units.iter().zip(bytes).fold(true, |all_ascii, (units, bytes)| fold_chunk(units, bytes) & all_ascii)
}

#[inline]
#[target_feature(enable = "avx2")]
fn fold_chunk(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) -> bool {
    // SAFETY: the loads are of 16 units each of the 32 and need no alignment.
    let halves = unsafe {
        let start: *const __m256i = units.as_ptr().cast();
        [_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))]
    };
    if _mm256_testz_si256(_mm256_or_si256(halves[0], halves[1]), all(0xFF80)) != 0 {
        store(pack(halves), bytes);
        return true;
    }
    if are_other(halves) {
        store(splat(OTHER), bytes);
        return false;
    }
    store(pack([fold_half(halves[0]), fold_half(halves[1])]), bytes);
    // Signed packing turns code units of ones into bytes of ones.
    let doubtful = _mm256_packs_epi16(may_have_code(halves[0]), may_have_code(halves[1]));
    let mut flags = highest_bits(_mm256_permute4x64_epi64(doubtful, 0b11_01_10_00));
    while flags != 0 {
        let at = flags.trailing_zeros() as usize;
        bytes[at] = fold_unit(units[at]);
        flags &= flags - 1;
    }
    false
}

// Functions rather than closures: the compiler calls a closure that it doesn't inline through memory, with half the speed.

#[inline]
#[target_feature(enable = "avx2")]
fn all(unit: u16) -> __m256i {
    _mm256_set1_epi16(unit as i16)
}

/// Returns whether no code unit is below those of Chinese, Japanese and Korean and of emoji, nor a byte order mark: none has a code of its own.
#[inline]
#[target_feature(enable = "avx2")]
fn are_other([a, b]: [__m256i; 2]) -> bool {
    let least = all(0x3001);
    let is_beyond = _mm256_cmpeq_epi16(_mm256_min_epu16(_mm256_min_epu16(a, b), least), least);
    let is_mark = _mm256_or_si256(_mm256_cmpeq_epi16(a, all(0xFEFF)), _mm256_cmpeq_epi16(b, all(0xFEFF)));
    _mm256_movemask_epi8(_mm256_andnot_si256(is_mark, is_beyond)) == -1
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii(v: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_and_si256(v, all(0xFF80)), all(0))
}

/// Returns 16 code units folded as if those outside of ASCII had no code.
#[inline]
#[target_feature(enable = "avx2")]
fn fold_half(v: __m256i) -> __m256i {
    _mm256_blendv_epi8(all(u16::from(OTHER)), v, is_ascii(v))
}

/// Returns for each of 16 code units whether it may have a code of its own, as `portable::may_have_code`.
#[inline]
#[target_feature(enable = "avx2")]
fn may_have_code(v: __m256i) -> __m256i {
    let page = _mm256_and_si256(v, all(0xFF00));
    let pages = _mm256_or_si256(_mm256_cmpeq_epi16(page, all(0)), _mm256_cmpeq_epi16(page, all(0x0300)));
    let offset = _mm256_sub_epi16(v, all(0x2000));
    let is_sign = _mm256_cmpeq_epi16(_mm256_min_epu16(offset, all(0x2FF)), offset);
    let spaces = _mm256_or_si256(_mm256_cmpeq_epi16(v, all(0x1680)), _mm256_cmpeq_epi16(v, all(0x3000)));
    let single = _mm256_or_si256(spaces, _mm256_cmpeq_epi16(v, all(0xFEFF)));
    _mm256_andnot_si256(is_ascii(v), _mm256_or_si256(_mm256_or_si256(pages, is_sign), single))
}

/// Returns the low bytes of 32 code units below 256, in order.
#[inline]
#[target_feature(enable = "avx2")]
fn pack(halves: [__m256i; 2]) -> __m256i {
    _mm256_permute4x64_epi64(_mm256_packus_epi16(halves[0], halves[1]), 0b11_01_10_00)
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(v: __m256i, bytes: &mut [u8; CHUNK]) {
    // SAFETY: the pointer is that of 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }
}

block_masks!("avx2");

#[inline]
#[target_feature(enable = "avx2")]
fn low_bits(v: __m256i) -> __m256i {
    _mm256_and_si256(v, splat(0x0F))
}

#[inline]
#[target_feature(enable = "avx2")]
fn high_bits(v: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16(v, 4), splat(0x0F))
}

/// Returns the highest bit of each byte.
///
/// `_mm256_movemask_epi8` would do the same, but the compiler sees through it, merges the comparisons of many masks,
/// and moves single bits, which is many times slower.
#[inline]
#[target_feature(enable = "avx2")]
fn highest_bits(bytes: __m256i) -> u64 {
    let mask: u64;
    // SAFETY: the instruction reads one register and writes another; it clears the upper half of the 64 bits.
    unsafe {
        std::arch::asm!(
            "vpmovmskb {mask:e}, {bytes}",
            mask = out(reg) mask,
            bytes = in(ymm_reg) bytes,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    mask
}

/// Returns the highest bits of the results of `of` for all bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(halves: Halves, of: impl Fn(__m256i) -> __m256i) -> u64 {
    highest_bits(of(halves[0])) | highest_bits(of(halves[1])) << 32
}

/// Returns the bytes outside of ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn wide_mask(halves: Halves) -> u64 {
    mask(halves, |v| v)
}

/// Returns whether any byte is outside of ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn is_wide(halves: Halves) -> bool {
    wide_mask(halves) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn either(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}

/// Sets the bit of case.
#[inline]
#[target_feature(enable = "avx2")]
fn lowercase(v: __m256i) -> __m256i {
    _mm256_or_si256(v, splat(0x20))
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_special(v: __m256i) -> __m256i {
    let low = _mm256_shuffle_epi8(table(&SPECIAL_LOW), low_bits(v));
    let high = _mm256_shuffle_epi8(table(&SPECIAL_HIGH), high_bits(v));
    _mm256_cmpgt_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx2")]
fn equal(v: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(v, splat(byte))
}

/// Returns, for each byte, whether it is one of the `count` bytes from `first` on.
#[inline]
#[target_feature(enable = "avx2")]
fn in_range(v: __m256i, first: u8, count: u8) -> __m256i {
    let offset = _mm256_sub_epi8(v, splat(first));
    _mm256_cmpeq_epi8(_mm256_min_epu8(offset, splat(count - 1)), offset)
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_member(v: __m256i, members: &Table) -> __m256i {
    _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(table(members), v))
}
