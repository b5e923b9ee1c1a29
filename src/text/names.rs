//! Names: what a text calls things by, from `total` and `x1` to `src/a.rs`.

use std::ops::Range;

use super::simd::name_masks;
use super::{LEFT_QUOTE, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE};

/// Bytes that are looked at together.
pub const NAME_BLOCK: usize = 64;

/// The bytes of a block that names are made of; bit 0 is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameMasks {
    /// See [`is_inner`].
    pub inner: u64,
    /// See [`is_joint`].
    pub joint: u64,
    /// Where a short word shows that it is a name: a digit, an underscore, a joint, or a small letter before a capital.
    pub sign: u64,
}

/// Whether names are made of it: a letter, a digit, `_` `$` `@` `#`, or what is not ASCII and neither white space nor a quote.
pub const fn is_inner(byte: u8) -> bool {
    match byte {
        WIDE_SPACE | WIDE_LINE_END | LEFT_QUOTE | RIGHT_QUOTE => false,
        b'_' | b'$' | b'@' | b'#' | 0x80.. => true,
        _ => byte.is_ascii_alphanumeric(),
    }
}

/// Whether it joins two names: `a.b`, `src/a`, `x:y`, `a-b`.
pub const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'.' | b'/' | b':' | b'-')
}

/// Whether `is` says so of the start and end of one of the words in `text` that may name something: of five bytes or more; of
/// three or four with a sign (see [`NameMasks::sign`]); of two where not all are ASCII. Joints are part of a word that goes on
/// behind them.
pub fn any_name(text: &[u8], mut is: impl FnMut(usize, usize) -> bool) -> bool {
    let (blocks, rest) = text.as_chunks();
    let mut last = [0; NAME_BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    // Up to where words that lead out of their blocks have been read.
    let mut done = 0;
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let base = NAME_BLOCK * number;
        let NameMasks { inner, joint, sign } = name_masks(block);
        let mut left = inner | joint;
        if done > base {
            left &= u64::MAX.checked_shl((done - base) as u32).unwrap_or_default();
        }
        while left != 0 {
            // Adding its lowest bit to a run clears it and sets the bit behind it.
            let behind = left.wrapping_add(left & left.wrapping_neg());
            let run = left & !behind;
            left &= behind;
            let (start, end, has_sign);
            if run >> (NAME_BLOCK - 1) != 0 && number < blocks.len() {
                let word;
                (word, done) = read_on(text, base + run.trailing_zeros() as usize, base + NAME_BLOCK);
                (start, end) = (word.start, word.end);
                has_sign = has_sign_in(&text[word]);
            } else {
                let word = inner & run;
                let (zeros, gone) = (word.trailing_zeros(), word.leading_zeros());
                (start, end) = (base + zeros as usize, base + NAME_BLOCK - gone as usize);
                // `gone` is below 64 unless there is no word, whose sign nobody asks for.
                has_sign = sign & run & (u64::MAX << (zeros & 63)) & (u64::MAX >> (gone & 63)) != 0;
            }
            let names = match end.saturating_sub(start) {
                0 | 1 => false,
                2 => !text[start..end].is_ascii(),
                3 | 4 => has_sign,
                _ => true,
            };
            if names && is(start, end) {
                return true;
            }
        }
    }
    false
}

/// The word in the run of units and joints that begins at `start` and goes on at `at`, and the end of that run.
fn read_on(text: &[u8], start: usize, at: usize) -> (Range<usize>, usize) {
    let ends = |&byte: &u8| !is_inner(byte) && !is_joint(byte);
    let end = text[at..].iter().position(ends).map_or(text.len(), |length| at + length);
    let run = &text[start..end];
    let from = run.iter().position(|&byte| is_inner(byte)).unwrap_or(run.len());
    let to = run.iter().rposition(|&byte| is_inner(byte)).map_or(from, |last| last + 1);
    (start + from..start + to, end)
}

fn has_sign_in(word: &[u8]) -> bool {
    word.iter().any(|&byte| byte.is_ascii_digit() || byte == b'_' || is_joint(byte))
        || word.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, unit by unit.
    fn plain_names(text: &[u8]) -> Vec<&[u8]> {
        let runs = text.split(|&byte| !is_inner(byte) && !is_joint(byte));
        let words = runs.filter_map(|run| {
            let from = run.iter().position(|&byte| is_inner(byte))?;
            let to = run.iter().rposition(|&byte| is_inner(byte))?;
            Some(&run[from..=to])
        });
        let names = words.filter(|word| match word.len() {
            0 | 1 => false,
            2 => !word.is_ascii(),
            3 | 4 => has_sign_in(word),
            _ => true,
        });
        names.collect()
    }

    #[test]
    fn names_are_found_wherever_they_stand() {
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as usize % limit
        };
        let units = b"aZ9_.- \n\x80\x81\x86";
        for round in 0..3_000 {
            // Few kinds of units make long runs, many short ones.
            let kinds = 1 + below(units.len());
            let first = below(units.len());
            let unit = |at: usize| units[(first + at) % units.len()];
            let text: Vec<u8> = (0..round % 300).map(|_| unit(below(kinds))).collect();
            let mut found = Vec::new();
            assert!(!any_name(&text, |start, end| {
                found.push(&text[start..end]);
                false
            }));
            assert_eq!(found, plain_names(&text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn the_first_that_is_meant_ends_the_search() {
        let mut asked = Vec::new();
        let text = b"open src/a.ts and read it again";
        assert!(any_name(text, |start, end| {
            asked.push(&text[start..end]);
            text[start..end].ends_with(b".ts")
        }));
        assert_eq!(asked, [&b"src/a.ts"[..]]);
    }
}
