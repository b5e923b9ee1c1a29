//! The portable implementation, in loops that compilers turn into vector instructions.

use crate::block::{BLOCK, Block, CaseMasks, NameMasks, is_inner, is_joint};
use crate::class::{LINE_END, SENTENCE_END, SPACE, SPECIAL, VOWEL, WORD, class};
use crate::units::{CHUNK, MATH, OTHER, fold_unit};

pub(super) fn name_masks(bytes: &[u8; BLOCK]) -> NameMasks {
    let joint = mask(bytes, is_joint);
    let before_capital =
        mask(bytes, |byte| byte.is_ascii_alphabetic()) & mask(bytes, |byte| byte.is_ascii_uppercase()) >> 1;
    let plain = mask(bytes, |byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'/' | b':'));
    let sign = plain | before_capital;
    let math = mask(bytes, |byte| byte == MATH);
    NameMasks { inner: mask(bytes, is_inner), joint, wide: mask(bytes, |byte| byte >= 0x80), math, sign }
}

pub(super) fn case_masks(bytes: &[u8; BLOCK]) -> CaseMasks {
    CaseMasks {
        upper: mask(bytes, |byte| byte.is_ascii_uppercase()),
        lower: mask(bytes, |byte| byte.is_ascii_lowercase()),
        digit: mask(bytes, |byte| byte.is_ascii_digit()),
        wide: mask(bytes, |byte| byte >= 0x80),
    }
}

/// Folds a chunk that is not all ASCII. Nearly all other code units have no code of their own. All are given the common
/// one, in loops that compilers turn into vector instructions, and only the few in doubt are examined one by one.
pub(super) fn fold_chunk(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) {
    *bytes = units.map(|unit| if unit < 0x80 { unit as u8 } else { OTHER });
    let doubtful = units.map(|unit| u8::from(may_have_code(unit)));
    let (words, _) = doubtful.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let mut flags = u64::from_le_bytes(*word);
        while flags != 0 {
            let at = 8 * number + flags.trailing_zeros() as usize / 8;
            bytes[at] = fold_unit(units[at]);
            flags &= flags - 1;
        }
    }
}

/// Returns whether `unit` may have another code than [`OTHER`].
#[inline(always)]
fn may_have_code(unit: u16) -> bool {
    let page = unit & 0xFF00;
    (unit >= 0x80) & ((page == 0) | (page == 0x0300) | (unit == 0x1680) | (unit.wrapping_sub(0x2000) < 0x300))
        | (unit == 0x3000)
        | (unit == 0xFEFF)
}

/// Returns the masks of a block.
pub(super) fn classify_block(bytes: &[u8; BLOCK]) -> Block {
    let of = |wanted: u16| mask(bytes, |byte| class(byte) & wanted != 0);
    Block {
        upper: mask(bytes, |byte| byte.is_ascii_uppercase()),
        lower: mask(bytes, |byte| byte.is_ascii_lowercase()),
        digit: mask(bytes, |byte| byte.is_ascii_digit()),
        word: of(WORD),
        vowel: of(VOWEL),
        space: of(SPACE),
        line_end: of(LINE_END),
        lf: mask(bytes, |byte| byte == b'\n'),
        sentence_end: of(SENTENCE_END),
        dot: mask(bytes, |byte| byte == b'.'),
        slash: mask(bytes, |byte| byte == b'/'),
        hyphen: mask(bytes, |byte| byte == b'-'),
        plus: mask(bytes, |byte| byte == b'+'),
        special: of(SPECIAL),
        opener: mask(bytes, |byte| matches!(byte, b'`' | b'{' | b'[' | b'|')),
    }
}

/// Returns one bit per byte: a movemask by multiplication (Warren, *Hacker's Delight*).
fn mask(bytes: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let flags = bytes.map(|byte| u8::from(is(byte)));
    let (words, _) = flags.as_chunks();
    // The highest byte of the product holds the lowest bits of the eight bytes.
    let gather = |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.iter().rev().fold(0, |mask, word| mask << 8 | gather(word))
}
