//! The NEON implementation for arm64. Folding is left to [`super::portable`], whose loops compilers turn into NEON.

use std::arch::aarch64::*;

use super::masks::block_masks;
use super::tables::{JOINTS, MORE_VOWELS, NAME_SIGNS, SENTENCE_ENDS, SPACES, SPECIAL_HIGH, SPECIAL_LOW, Table, VOWELS};
use crate::block::{BLOCK, Block, CaseMasks, NameMasks};
use crate::units::{LEFT_QUOTE, MATH, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE};

/// The bytes of a block.
type Quarters = [uint8x16_t; 4];

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; BLOCK]) -> Quarters {
    // SAFETY: the loads are of 16 bytes each of the 64 and need no alignment.
    [0, 16, 32, 48].map(|at| unsafe { vld1q_u8(bytes.as_ptr().add(at)) })
}

#[inline]
#[target_feature(enable = "neon")]
fn table(table: &Table) -> uint8x16_t {
    // SAFETY: the load is of the 16 bytes and needs no alignment.
    unsafe { vld1q_u8(table.as_ptr()) }
}

block_masks!("neon");

/// Returns one bit per byte, set where `of` gives ones. NEON has no movemask: each byte keeps the bit of its place in a
/// group of eight, and three pairwise additions join the groups.
#[inline]
#[target_feature(enable = "neon")]
fn mask(quarters: Quarters, of: impl Fn(uint8x16_t) -> uint8x16_t) -> u64 {
    let places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    let [a, b, c, d] = quarters.map(|v| vandq_u8(of(v), places));
    let joined = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(joined, joined)))
}

/// Returns whether any byte is outside of ASCII.
#[inline]
#[target_feature(enable = "neon")]
fn is_wide([a, b, c, d]: Quarters) -> bool {
    vmaxvq_u8(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d))) >= 0x80
}

/// Returns the bytes outside of ASCII.
#[inline]
#[target_feature(enable = "neon")]
fn wide_mask(quarters: Quarters) -> u64 {
    mask(quarters, |v| vcgeq_u8(v, vdupq_n_u8(0x80)))
}

#[inline]
#[target_feature(enable = "neon")]
fn either(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vorrq_u8(a, b)
}

/// Sets the bit of case.
#[inline]
#[target_feature(enable = "neon")]
fn lowercase(v: uint8x16_t) -> uint8x16_t {
    vorrq_u8(v, vdupq_n_u8(0x20))
}

#[inline]
#[target_feature(enable = "neon")]
fn is_special(v: uint8x16_t) -> uint8x16_t {
    let low = vqtbl1q_u8(table(&SPECIAL_LOW), vandq_u8(v, vdupq_n_u8(0x0F)));
    vtstq_u8(low, vqtbl1q_u8(table(&SPECIAL_HIGH), vshrq_n_u8::<4>(v)))
}

#[inline]
#[target_feature(enable = "neon")]
fn equal(v: uint8x16_t, byte: u8) -> uint8x16_t {
    vceqq_u8(v, vdupq_n_u8(byte))
}

/// Returns, for each byte, whether it is one of the `count` bytes from `first` on.
#[inline]
#[target_feature(enable = "neon")]
fn in_range(v: uint8x16_t, first: u8, count: u8) -> uint8x16_t {
    vcltq_u8(vsubq_u8(v, vdupq_n_u8(first)), vdupq_n_u8(count))
}

/// Returns, for each byte, whether `members` has it. Bytes of 0x80 or more keep their highest bit, for which the
/// instruction yields 0.
#[inline]
#[target_feature(enable = "neon")]
fn is_member(v: uint8x16_t, members: &Table) -> uint8x16_t {
    vceqq_u8(v, vqtbl1q_u8(table(members), vandq_u8(v, vdupq_n_u8(0x8F))))
}
