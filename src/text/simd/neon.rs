//! The NEON implementation for arm64. Folding is left to [`super::portable`], whose loops compilers turn into NEON.

use std::arch::aarch64::*;

use super::tables::{JOINTS, MORE_VOWELS, NAME_SIGNS, SENTENCE_ENDS, SPACES, SPECIAL_HIGH, SPECIAL_LOW, Table, VOWELS};
use crate::text::block::{BLOCK, Block, CaseMasks, NameMasks};
use crate::text::units::{LEFT_QUOTE, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE};

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

/// See [`super::classify_blocks`].
#[target_feature(enable = "neon")]
pub fn classify_blocks(chunks: &[[u8; BLOCK]], blocks: &mut Vec<Block>) {
    for chunk in chunks {
        blocks.push(classify_block(chunk));
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn classify_block(bytes: &[u8; BLOCK]) -> Block {
    let quarters = load(bytes);
    let upper = mask(quarters, |v| in_range(v, b'A', 26));
    let lower = mask(quarters, |v| in_range(v, b'a', 26));
    let digit = mask(quarters, |v| in_range(v, b'0', 10));
    let lf = mask(quarters, |v| equal(v, b'\n'));
    let mut block = Block {
        upper,
        lower,
        digit,
        word: upper | lower | digit | mask(quarters, |v| equal(v, b'_')),
        vowel: mask(quarters, |v| {
            let v = vorrq_u8(v, vdupq_n_u8(0x20));
            vorrq_u8(is_member(v, &VOWELS), is_member(v, &MORE_VOWELS))
        }),
        space: mask(quarters, |v| is_member(v, &SPACES)),
        line_end: lf | mask(quarters, |v| equal(v, b'\r')),
        lf,
        sentence_end: mask(quarters, |v| is_member(v, &SENTENCE_ENDS)),
        dot: mask(quarters, |v| equal(v, b'.')),
        slash: mask(quarters, |v| equal(v, b'/')),
        hyphen: mask(quarters, |v| equal(v, b'-')),
        plus: mask(quarters, |v| equal(v, b'+')),
        special: mask(quarters, |v| {
            let low = vqtbl1q_u8(table(&SPECIAL_LOW), vandq_u8(v, vdupq_n_u8(0x0F)));
            let high = vqtbl1q_u8(table(&SPECIAL_HIGH), vshrq_n_u8::<4>(v));
            vtstq_u8(low, high)
        }),
        opener: mask(quarters, |v| {
            // `[` and `{` differ in bit 5 only.
            let bracket = equal(vorrq_u8(v, vdupq_n_u8(0x20)), b'{');
            vorrq_u8(bracket, vorrq_u8(equal(v, b'`'), equal(v, b'|')))
        }),
    };
    if is_wide(quarters) {
        let line_end = mask(quarters, |v| equal(v, WIDE_LINE_END));
        block.line_end |= line_end;
        block.space |= line_end | mask(quarters, |v| equal(v, WIDE_SPACE));
    }
    block
}

/// See [`super::name_masks`].
#[inline]
#[target_feature(enable = "neon")]
pub fn name_masks(bytes: &[u8; BLOCK]) -> NameMasks {
    let quarters = load(bytes);
    let upper = mask(quarters, |v| in_range(v, b'A', 26));
    let lower = mask(quarters, |v| in_range(v, b'a', 26));
    let digit = mask(quarters, |v| in_range(v, b'0', 10));
    let joint = mask(quarters, |v| is_member(v, &JOINTS));
    let underscore = mask(quarters, |v| equal(v, b'_'));
    let hyphen = mask(quarters, |v| equal(v, b'-'));
    let letter = upper | lower;
    let mut inner = letter | digit | mask(quarters, |v| is_member(v, &NAME_SIGNS));
    let mut wide = 0;
    if is_wide(quarters) {
        wide = wide_mask(quarters);
        let breaks =
            [WIDE_SPACE, WIDE_LINE_END, LEFT_QUOTE, RIGHT_QUOTE].map(|byte| mask(quarters, |v| equal(v, byte)));
        inner = breaks.into_iter().fold(inner | wide, |inner, one| inner & !one);
    }
    NameMasks { inner, joint, wide, sign: (joint & !hyphen) | digit | underscore | (letter & upper >> 1) }
}

/// See [`super::case_masks`].
#[inline]
#[target_feature(enable = "neon")]
pub fn case_masks(bytes: &[u8; BLOCK]) -> CaseMasks {
    let quarters = load(bytes);
    CaseMasks {
        upper: mask(quarters, |v| in_range(v, b'A', 26)),
        lower: mask(quarters, |v| in_range(v, b'a', 26)),
        digit: mask(quarters, |v| in_range(v, b'0', 10)),
        wide: wide_mask(quarters),
    }
}

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
