//! The masks of a block, written once for every kind of vector.

/// Expands to `classify_blocks`, `name_masks` and `case_masks` for the target feature `$feature`. The module that expands it has the
/// vectors: `load` gives those of a block, `mask` a bit for each of their bytes, and `equal`, `in_range`, `is_member`, `is_special`, `either`
/// and `lowercase` work on one of them; `wide_mask` and `is_wide` tell which bytes are outside of ASCII, and whether any is.
macro_rules! block_masks {
    ($feature:literal) => {
        /// See [`super::classify_blocks`].
        #[target_feature(enable = $feature)]
        pub(crate) fn classify_blocks(chunks: &[[u8; BLOCK]], blocks: &mut Vec<Block>) {
            for chunk in chunks {
                blocks.push(classify_block(chunk));
            }
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn classify_block(bytes: &[u8; BLOCK]) -> Block {
            let vectors = load(bytes);
            let (mut line_end, mut space) = (0, 0);
            if is_wide(vectors) {
                line_end = mask(vectors, |v| equal(v, WIDE_LINE_END));
                space = line_end | mask(vectors, |v| equal(v, WIDE_SPACE));
                // As most of Chinese, Japanese and emoji.
                if wide_mask(vectors) == u64::MAX {
                    return Block { space, line_end, ..Block::default() };
                }
            }
            let upper = mask(vectors, |v| in_range(v, b'A', 26));
            let lower = mask(vectors, |v| in_range(v, b'a', 26));
            let digit = mask(vectors, |v| in_range(v, b'0', 10));
            let lf = mask(vectors, |v| equal(v, b'\n'));
            Block {
                upper,
                lower,
                digit,
                word: upper | lower | digit | mask(vectors, |v| equal(v, b'_')),
                vowel: mask(vectors, |v| {
                    let v = lowercase(v);
                    either(is_member(v, &VOWELS), is_member(v, &MORE_VOWELS))
                }),
                space: space | mask(vectors, |v| is_member(v, &SPACES)),
                line_end: line_end | lf | mask(vectors, |v| equal(v, b'\r')),
                lf,
                sentence_end: mask(vectors, |v| is_member(v, &SENTENCE_ENDS)),
                dot: mask(vectors, |v| equal(v, b'.')),
                slash: mask(vectors, |v| equal(v, b'/')),
                hyphen: mask(vectors, |v| equal(v, b'-')),
                plus: mask(vectors, |v| equal(v, b'+')),
                special: mask(vectors, |v| is_special(v)),
                // `[` and `{` differ in the bit of case only.
                opener: mask(vectors, |v| either(equal(lowercase(v), b'{'), either(equal(v, b'`'), equal(v, b'|')))),
            }
        }

        /// See [`super::name_masks`].
        #[target_feature(enable = $feature)]
        pub(crate) fn name_masks(bytes: &[u8; BLOCK]) -> NameMasks {
            let vectors = load(bytes);
            let upper = mask(vectors, |v| in_range(v, b'A', 26));
            let lower = mask(vectors, |v| in_range(v, b'a', 26));
            let digit = mask(vectors, |v| in_range(v, b'0', 10));
            let joint = mask(vectors, |v| is_member(v, &JOINTS));
            let underscore = mask(vectors, |v| equal(v, b'_'));
            let hyphen = mask(vectors, |v| equal(v, b'-'));
            let letter = upper | lower;
            let mut inner = letter | digit | mask(vectors, |v| is_member(v, &NAME_SIGNS));
            let (mut wide, mut math) = (0, 0);
            if is_wide(vectors) {
                wide = wide_mask(vectors);
                math = mask(vectors, |v| equal(v, MATH));
                let breaks = mask(vectors, |v| {
                    let spaces = either(equal(v, WIDE_SPACE), equal(v, WIDE_LINE_END));
                    either(spaces, either(equal(v, LEFT_QUOTE), equal(v, RIGHT_QUOTE)))
                });
                inner = (inner | wide) & !breaks;
            }
            let sign = (joint & !hyphen) | digit | underscore | (letter & upper >> 1);
            NameMasks { inner, joint, wide, math, sign }
        }

        /// See [`super::case_masks`].
        #[target_feature(enable = $feature)]
        pub(crate) fn case_masks(bytes: &[u8; BLOCK]) -> CaseMasks {
            let vectors = load(bytes);
            CaseMasks {
                upper: mask(vectors, |v| in_range(v, b'A', 26)),
                lower: mask(vectors, |v| in_range(v, b'a', 26)),
                digit: mask(vectors, |v| in_range(v, b'0', 10)),
                wide: wide_mask(vectors),
            }
        }
    };
}

pub(super) use block_masks;
