//! Many units at once, by the widest instructions that the processor has. The one place with `unsafe` in the engine.
//!
//! All ways give the same masks; a test compares them on every byte and on random blocks.

use super::class::{LINE_END, SENTENCE_END, SPACE, SPECIAL, VOWEL, WORD, class};
use super::fold::{CHUNK, OTHER, fold_unit};
use super::masks::{BLOCK, Block, CaseMasks};
use super::names::{NAME_BLOCK, NameMasks, is_inner, is_joint};

/// Whether AVX2 is to be used.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_avx2() -> bool {
    #[cfg(any(test, fuzzing))]
    if PORTABLE.get() {
        return false;
    }
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(any(test, fuzzing))]
thread_local! {
    static PORTABLE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `run` with the portable implementations on this thread, for comparisons.
#[cfg(any(test, fuzzing))]
pub fn portably<T>(run: impl FnOnce() -> T) -> T {
    PORTABLE.set(true);
    let result = run();
    PORTABLE.set(false);
    result
}

/// Appends the masks of `chunks` to `blocks`.
pub fn classify_blocks(chunks: &[[u8; BLOCK]], blocks: &mut Vec<Block>) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::classify_blocks(chunks, blocks) };
    }
    blocks.extend(chunks.iter().map(classify_block_portably));
}

/// The masks of names in `bytes`.
#[inline]
pub fn name_masks(bytes: &[u8; NAME_BLOCK]) -> NameMasks {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::name_masks(bytes) };
    }
    name_masks_portably(bytes)
}

fn name_masks_portably(bytes: &[u8; NAME_BLOCK]) -> NameMasks {
    let joint = mask(bytes, is_joint);
    let before_capital =
        mask(bytes, |byte| byte.is_ascii_alphabetic()) & mask(bytes, |byte| byte.is_ascii_uppercase()) >> 1;
    let plain = mask(bytes, |byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'/' | b':'));
    let sign = plain | before_capital;
    NameMasks { inner: mask(bytes, is_inner), joint, wide: mask(bytes, |byte| byte >= 0x80), sign }
}

/// The masks of case in `bytes`.
#[inline]
pub fn case_masks(bytes: &[u8; BLOCK]) -> CaseMasks {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::case_masks(bytes) };
    }
    case_masks_portably(bytes)
}

fn case_masks_portably(bytes: &[u8; BLOCK]) -> CaseMasks {
    CaseMasks {
        upper: mask(bytes, |byte| byte.is_ascii_uppercase()),
        lower: mask(bytes, |byte| byte.is_ascii_lowercase()),
        digit: mask(bytes, |byte| byte.is_ascii_digit()),
        wide: mask(bytes, |byte| byte >= 0x80),
    }
}

/// Writes the folded form of `units` as `bytes`, as many, and tells whether all are ASCII.
pub fn fold_chunks(units: &[[u16; CHUNK]], bytes: &mut [[u8; CHUNK]]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::fold_chunks(units, bytes) };
    }
    let fold = |(chunk, bytes): (&[u16; CHUNK], &mut [u8; CHUNK])| {
        let is_ascii = narrow(chunk, bytes);
        if !is_ascii {
            fold_chunk_portably(chunk, bytes);
        }
        is_ascii
    };
    units.iter().zip(bytes).fold(true, |all_ascii, chunk| fold(chunk) & all_ascii)
}

/// Folds a chunk that isn't all ASCII. Nearly all other units have no code of their own: so all are given the common
/// one, in loops that compilers turn into vector instructions, and only the few in doubt are looked at one by one.
fn fold_chunk_portably(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) {
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

/// Whether `unit` might have another code than [`OTHER`].
#[inline(always)]
fn may_have_code(unit: u16) -> bool {
    let page = unit & 0xFF00;
    (unit >= 0x80) & ((page == 0) | (page == 0x0300) | (unit == 0x1680) | (unit.wrapping_sub(0x2000) < 0x300))
        | (unit == 0x3000)
        | (unit == 0xFEFF)
}

/// Writes `units` as `bytes`, and tells whether that is all there is to them: whether all are ASCII.
#[inline]
fn narrow(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        // SAFETY: every x86-64 processor has SSE2. The loads are of 8 units each of the 32, the stores of 16 bytes each
        // of the 32, and neither needs alignment.
        unsafe {
            let [a, b, c, d] = [0, 8, 16, 24].map(|at| _mm_loadu_si128(units.as_ptr().add(at).cast()));
            let all = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
            let wide = _mm_and_si128(all, _mm_set1_epi16(!0x7F));
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm_packus_epi16(a, b));
            _mm_storeu_si128(bytes.as_mut_ptr().add(16).cast(), _mm_packus_epi16(c, d));
            _mm_movemask_epi8(_mm_cmpeq_epi16(wide, _mm_setzero_si128())) == 0xFFFF
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        *bytes = units.map(|unit| unit as u8);
        units.iter().fold(0, |seen, &unit| seen | unit) < 0x80
    }
}

/// The masks of a block, on any processor.
fn classify_block_portably(bytes: &[u8; BLOCK]) -> Block {
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

/// One bit for each byte. Comparing 64 bytes in a row is a loop that compilers turn into vector instructions.
fn mask(bytes: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let flags = bytes.map(|byte| u8::from(is(byte)));
    let (eights, _) = flags.as_chunks();
    // The product has the lowest bits of eight bytes side by side in its highest byte.
    let gather = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |mask, eight| mask << 8 | gather(eight))
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::super::fold::{LEFT_QUOTE, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE};
    use super::{BLOCK, Block, CHUNK, CaseMasks, NAME_BLOCK, NameMasks, OTHER, fold_unit};

    /// A table for `_mm256_shuffle_epi8`, which looks up in each half by itself.
    type Table = [u8; 32];

    const fn twice(bytes: [u8; 16]) -> Table {
        let mut table = [0; 32];
        let mut at = 0;
        while at < 32 {
            table[at] = bytes[at % 16];
            at += 1;
        }
        table
    }

    /// A table that maps the low four bits of each of `members` to the byte itself; no two may share them. Looking up a
    /// byte of 0x80 or more gives 0, so what stands in the other places equals no byte that leads there.
    const fn members(members: &[u8]) -> Table {
        let mut table = [0xFF; 16];
        let mut at = 0;
        while at < members.len() {
            table[members[at] as usize & 0x0F] = members[at];
            at += 1;
        }
        twice(table)
    }

    static SPACES: Table = members(b"\t\n\x0B\x0C\r ");
    static SENTENCE_ENDS: Table = members(b".!?");
    static JOINTS: Table = members(b"./:-");
    static NAME_SIGNS: Table = members(b"_$@#");
    static VOWELS: Table = members(b"aeio");
    static MORE_VOWELS: Table = members(b"uy");
    /// A byte is special where the entries for its low and its high four bits share a bit.
    static SPECIAL_LOW: Table = twice([4, 0, 0, 1, 1, 1, 1, 0, 1, 1, 3, 11, 10, 10, 10, 0]);
    static SPECIAL_HIGH: Table = twice([0, 0, 1, 2, 4, 8, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0]);

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the pointer is that of 32 bytes; the load needs no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    /// See [`super::fold_chunks`].
    #[target_feature(enable = "avx2")]
    pub fn fold_chunks(units: &[[u16; CHUNK]], bytes: &mut [[u8; CHUNK]]) -> bool {
        let mut all_ascii = true;
        for (units, bytes) in units.iter().zip(bytes) {
            all_ascii &= fold_chunk(units, bytes);
        }
        all_ascii
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn fold_chunk(units: &[u16; CHUNK], bytes: &mut [u8; CHUNK]) -> bool {
        // SAFETY: the loads are of 16 units each of the 32 and need no alignment.
        let halves = unsafe { [0, 16].map(|at| _mm256_loadu_si256(units.as_ptr().add(at).cast())) };
        let all = |wanted: u16| _mm256_set1_epi16(wanted as i16);
        let is_wide = _mm256_testz_si256(_mm256_or_si256(halves[0], halves[1]), all(0xFF80)) == 0;
        if !is_wide {
            store(pack(halves), bytes);
            return true;
        }
        let is_page = |v: __m256i, page: u16| _mm256_cmpeq_epi16(_mm256_and_si256(v, all(0xFF00)), all(page));
        let folded = halves.map(|v| {
            let is_ascii = _mm256_cmpeq_epi16(_mm256_and_si256(v, all(0xFF80)), all(0));
            _mm256_blendv_epi8(all(u16::from(OTHER)), v, is_ascii)
        });
        // As in `may_have_code`.
        let doubtful = halves.map(|v| {
            let is_ascii = _mm256_cmpeq_epi16(_mm256_and_si256(v, all(0xFF80)), all(0));
            let offset = _mm256_sub_epi16(v, all(0x2000));
            let is_sign = _mm256_cmpeq_epi16(_mm256_min_epu16(offset, all(0x2FF)), offset);
            let single = [0x1680, 0x3000, 0xFEFF].map(|unit| _mm256_cmpeq_epi16(v, all(unit)));
            let pages = _mm256_or_si256(is_page(v, 0), is_page(v, 0x0300));
            let any = single.into_iter().fold(_mm256_or_si256(pages, is_sign), |any, one| _mm256_or_si256(any, one));
            _mm256_andnot_si256(is_ascii, any)
        });
        store(pack(folded), bytes);
        // Packing with signs makes bytes of ones out of units of ones.
        let packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(doubtful[0], doubtful[1]), 0b11_01_10_00);
        let mut flags = highest_bits(packed);
        while flags != 0 {
            let at = flags.trailing_zeros() as usize;
            bytes[at] = fold_unit(units[at]);
            flags &= flags - 1;
        }
        false
    }

    /// The low bytes of 32 units below 256, in order.
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

    /// See [`super::classify_blocks`].
    #[target_feature(enable = "avx2")]
    pub fn classify_blocks(chunks: &[[u8; BLOCK]], blocks: &mut Vec<Block>) {
        for chunk in chunks {
            blocks.push(classify_block(chunk));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn classify_block(bytes: &[u8; BLOCK]) -> Block {
        let halves: &[[u8; 32]; 2] = bytes.as_chunks().0.try_into().unwrap_or(&[[0; 32]; 2]);
        let halves = [load(&halves[0]), load(&halves[1])];
        let upper = mask(halves, |v| in_range(v, b'A', 26));
        let lower = mask(halves, |v| in_range(v, b'a', 26));
        let digit = mask(halves, |v| in_range(v, b'0', 10));
        let word = upper | lower | digit | mask(halves, |v| equal(v, b'_'));
        let lf = mask(halves, |v| equal(v, b'\n'));
        let mut block = Block {
            upper,
            lower,
            digit,
            word,
            vowel: mask(halves, |v| {
                let v = _mm256_or_si256(v, splat(0x20));
                _mm256_or_si256(is_member(v, &VOWELS), is_member(v, &MORE_VOWELS))
            }),
            space: mask(halves, |v| is_member(v, &SPACES)),
            line_end: lf | mask(halves, |v| equal(v, b'\r')),
            lf,
            sentence_end: mask(halves, |v| is_member(v, &SENTENCE_ENDS)),
            dot: mask(halves, |v| equal(v, b'.')),
            slash: mask(halves, |v| equal(v, b'/')),
            hyphen: mask(halves, |v| equal(v, b'-')),
            plus: mask(halves, |v| equal(v, b'+')),
            special: mask(halves, |v| {
                let low = _mm256_shuffle_epi8(load(&SPECIAL_LOW), low_bits(v));
                let high = _mm256_shuffle_epi8(load(&SPECIAL_HIGH), high_bits(v));
                let shared = _mm256_and_si256(low, high);
                _mm256_cmpgt_epi8(shared, _mm256_setzero_si256())
            }),
            opener: mask(halves, |v| {
                // `[` and `{` differ in bit 5 only.
                let bracket = equal(_mm256_or_si256(v, splat(0x20)), b'{');
                _mm256_or_si256(bracket, _mm256_or_si256(equal(v, b'`'), equal(v, b'|')))
            }),
        };
        if mask(halves, |v| v) != 0 {
            let line_end = mask(halves, |v| equal(v, WIDE_LINE_END));
            block.line_end |= line_end;
            block.space |= line_end | mask(halves, |v| equal(v, WIDE_SPACE));
        }
        block
    }

    /// See [`super::name_masks`].
    #[target_feature(enable = "avx2")]
    pub fn name_masks(bytes: &[u8; NAME_BLOCK]) -> NameMasks {
        let halves: &[[u8; 32]; 2] = bytes.as_chunks().0.try_into().unwrap_or(&[[0; 32]; 2]);
        let halves = [load(&halves[0]), load(&halves[1])];
        let upper = mask(halves, |v| in_range(v, b'A', 26));
        let lower = mask(halves, |v| in_range(v, b'a', 26));
        let digit = mask(halves, |v| in_range(v, b'0', 10));
        let joint = mask(halves, |v| is_member(v, &JOINTS));
        let underscore = mask(halves, |v| equal(v, b'_'));
        let hyphen = mask(halves, |v| equal(v, b'-'));
        let letter = upper | lower;
        let mut inner = letter | digit | mask(halves, |v| is_member(v, &NAME_SIGNS));
        let wide = mask(halves, |v| v);
        if wide != 0 {
            let breaks =
                [WIDE_SPACE, WIDE_LINE_END, LEFT_QUOTE, RIGHT_QUOTE].map(|byte| mask(halves, |v| equal(v, byte)));
            inner = breaks.into_iter().fold(inner | wide, |inner, one| inner & !one);
        }
        NameMasks { inner, joint, wide, sign: (joint & !hyphen) | digit | underscore | (letter & upper >> 1) }
    }

    /// See [`super::case_masks`].
    #[target_feature(enable = "avx2")]
    pub fn case_masks(bytes: &[u8; BLOCK]) -> CaseMasks {
        let halves: &[[u8; 32]; 2] = bytes.as_chunks().0.try_into().unwrap_or(&[[0; 32]; 2]);
        let halves = [load(&halves[0]), load(&halves[1])];
        CaseMasks {
            upper: mask(halves, |v| in_range(v, b'A', 26)),
            lower: mask(halves, |v| in_range(v, b'a', 26)),
            digit: mask(halves, |v| in_range(v, b'0', 10)),
            wide: mask(halves, |v| v),
        }
    }

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

    /// The highest bit of each byte.
    ///
    /// `_mm256_movemask_epi8` would do, but the compiler sees through it, joins the comparisons of many masks, and ends up
    /// moving single bits: many times slower.
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

    /// The highest bits of what `of` makes of all bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn mask(halves: [__m256i; 2], of: impl Fn(__m256i) -> __m256i) -> u64 {
        highest_bits(of(halves[0])) | highest_bits(of(halves[1])) << 32
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

    /// Whether each byte is one of the `count` bytes from `first` on.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn in_range(v: __m256i, first: u8, count: u8) -> __m256i {
        let offset = _mm256_sub_epi8(v, splat(first));
        _mm256_cmpeq_epi8(_mm256_min_epu8(offset, splat(count - 1)), offset)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn is_member(v: __m256i, members: &Table) -> __m256i {
        _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(load(members), v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_takes_ascii_and_nothing_else() {
        let mut bytes = [0; 32];
        assert!(narrow(&std::array::from_fn(|at| 4 * at as u16 + 3), &mut bytes));
        assert_eq!(bytes, std::array::from_fn(|at| 4 * at as u8 + 3));
        for unit in [0x80, 0xFF, 0x100, 0x2022, 0x7FFF, 0x8000, 0xFFFF] {
            for at in 0..32 {
                let mut units = [0x41; 32];
                units[at] = unit;
                assert!(!narrow(&units, &mut bytes), "{unit:x} at {at}");
            }
        }
    }

    #[test]
    fn all_ways_fold_alike() {
        // Every unit, first in the company of its neighbours and then of others.
        for factor in [1, 0x4E6D] {
            let units: Vec<u16> = (0..=u16::MAX).map(|unit| unit.wrapping_mul(factor)).collect();
            let alone: Vec<u8> = units.iter().map(|&unit| fold_unit(unit)).collect();
            let (chunks, _) = units.as_chunks();
            let mut folded = vec![[0; CHUNK]; chunks.len()];
            assert!(!fold_chunks(chunks, &mut folded));
            assert!(folded.as_flattened() == alone);
            for (chunk, folded) in chunks.iter().zip(&mut folded) {
                assert_eq!(fold_chunks(&[*chunk], std::slice::from_mut(folded)), chunk.iter().all(|&unit| unit < 0x80));
                fold_chunk_portably(chunk, folded);
            }
            assert!(folded.as_flattened() == alone);
        }
    }

    #[test]
    fn all_ways_give_the_same_masks() {
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..20_000u32 {
            let mut bytes = [0; BLOCK];
            for (at, byte) in bytes.iter_mut().enumerate() {
                // First every byte in every place of a vector, then random ones.
                *byte = if round < 256 { (round as usize + at) as u8 } else { (random() >> 32) as u8 };
            }
            let mut blocks = Vec::new();
            classify_blocks(&[bytes], &mut blocks);
            assert_eq!(blocks, [classify_block_portably(&bytes)], "{bytes:?}");
            assert_eq!(name_masks(&bytes), name_masks_portably(&bytes), "{bytes:?}");
            assert_eq!(case_masks(&bytes), case_masks_portably(&bytes), "{bytes:?}");
        }
    }
}
