//! The AVX-512 implementation for x86-64: a comparison gives the mask of a block.

use std::arch::x86_64::*;

use super::folding::{fold_each, folding};
use super::masks::block_masks;
use super::tables::{JOINTS, MORE_VOWELS, NAME_SIGNS, SENTENCE_ENDS, SPACES, SPECIAL_HIGH, SPECIAL_LOW, Table, VOWELS};
use crate::block::{BLOCK, Block, CaseMasks, NameMasks};
use crate::units::{CHUNK, LEFT_QUOTE, MATH, OTHER, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE};

#[inline]
#[target_feature(enable = "avx512bw")]
fn load(bytes: &[u8; BLOCK]) -> __m512i {
    // SAFETY: the load is of the 64 bytes and needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Returns the table four times, because `_mm512_shuffle_epi8` looks up each quarter separately. A byte of 0x80 or more yields 0.
#[inline]
#[target_feature(enable = "avx512bw")]
fn table(table: &Table) -> __m512i {
    // SAFETY: the pointer is that of 16 bytes; the load needs no alignment.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

folding!("avx512bw");

#[inline]
#[target_feature(enable = "avx512bw")]
fn fold_chunk(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) -> bool {
    // SAFETY: the load is of the 32 units and needs no alignment.
    let v = unsafe { _mm512_loadu_si512(units.as_ptr().cast()) };
    let wide = _mm512_test_epi16_mask(v, all(0xFF80));
    let folded = _mm512_mask_mov_epi16(v, wide, all(u16::from(OTHER)));
    // SAFETY: the store is of the 32 bytes and needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), _mm512_cvtepi16_epi8(folded)) };
    let doubtful = if wide == 0 { 0 } else { wide & may_have_code(v) };
    fold_each(doubtful.into(), units, bytes);
    wide == 0
}

/// Returns which of the code units that are not ASCII may have a code of their own, as `portable::may_have_code`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn may_have_code(v: __m512i) -> u32 {
    let page = _mm512_and_si512(v, all(0xFF00));
    let pages = _mm512_cmpeq_epi16_mask(page, all(0)) | _mm512_cmpeq_epi16_mask(page, all(0x0300));
    let sign = _mm512_cmplt_epu16_mask(_mm512_sub_epi16(v, all(0x2000)), all(0x300));
    let spaces = _mm512_cmpeq_epi16_mask(v, all(0x1680)) | _mm512_cmpeq_epi16_mask(v, all(0x3000));
    pages | sign | spaces | _mm512_cmpeq_epi16_mask(v, all(0xFEFF))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn all(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit as i16)
}

block_masks!("avx512bw");

#[inline]
#[target_feature(enable = "avx512bw")]
fn mask(v: __m512i, of: impl Fn(__m512i) -> u64) -> u64 {
    of(v)
}

/// Returns the bytes outside of ASCII.
#[inline]
#[target_feature(enable = "avx512bw")]
fn wide_mask(v: __m512i) -> u64 {
    _mm512_movepi8_mask(v)
}

/// Returns whether any byte is outside of ASCII.
#[inline]
#[target_feature(enable = "avx512bw")]
fn is_wide(v: __m512i) -> bool {
    wide_mask(v) != 0
}

fn either(a: u64, b: u64) -> u64 {
    a | b
}

/// Sets the bit of case.
#[inline]
#[target_feature(enable = "avx512bw")]
fn lowercase(v: __m512i) -> __m512i {
    _mm512_or_si512(v, splat(0x20))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn is_special(v: __m512i) -> u64 {
    let low = _mm512_shuffle_epi8(table(&SPECIAL_LOW), low_bits(v));
    let high = _mm512_shuffle_epi8(table(&SPECIAL_HIGH), low_bits(_mm512_srli_epi16(v, 4)));
    _mm512_test_epi8_mask(low, high)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn low_bits(v: __m512i) -> __m512i {
    _mm512_and_si512(v, splat(0x0F))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn equal(v: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(v, splat(byte))
}

/// Returns, for each byte, whether it is one of the `count` bytes from `first` on.
#[inline]
#[target_feature(enable = "avx512bw")]
fn in_range(v: __m512i, first: u8, count: u8) -> u64 {
    _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, splat(first)), splat(count))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn is_member(v: __m512i, members: &Table) -> u64 {
    _mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(table(members), v))
}
