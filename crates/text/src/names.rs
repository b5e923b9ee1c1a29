//! Names in texts, from `total` and `x1` to `src/a.rs`.

use std::ops::Range;

use super::Text;
use super::block::{BLOCK, NameMasks, is_inner};
use super::hashing::{Secret, text_hash};
use super::simd::name_masks;
use super::units::MATH;

pub use super::block::is_joint;

/// A word that may be a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub range: Range<usize>,
    /// Whether it contains a sign; see [`NameMasks::sign`].
    pub has_sign: bool,
    /// Whether it contains a code unit that is not ASCII.
    pub is_wide: bool,
}

/// Returns whether `is` holds for a word in `text` that may be a name. Such words have five bytes or more, three or
/// four with a sign (see [`NameMasks::sign`]) or a hyphen, or two or more that are not all ASCII. Joints inside a word
/// belong to it.
pub fn any_name(text: &[u8], is: impl FnMut(Name) -> bool) -> bool {
    any_between::<false>(text, is)
}

/// The same for words that end before mathematical signs: the arrow after the number of a line is one.
pub fn for_each_name(text: &[u8], mut visit: impl FnMut(Name)) {
    any_between::<true>(text, |name| {
        visit(name);
        false
    });
}

/// [`any_name`], or with `MATH_ENDS` the names of [`for_each_name`].
#[inline(always)]
fn any_between<const MATH_ENDS: bool>(text: &[u8], mut is: impl FnMut(Name) -> bool) -> bool {
    let name_masks = |block| {
        let mut masks = name_masks(block);
        if MATH_ENDS {
            masks.inner &= !masks.math;
            masks.wide &= !masks.math;
        }
        masks
    };
    let (blocks, rest) = text.as_chunks();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let mut next = name_masks(blocks.first().unwrap_or(&last));
    let mut before = 0;
    for number in 0..=blocks.len() {
        let mut this = next;
        next = match blocks.get(number + 1) {
            Some(block) => name_masks(block),
            None if number < blocks.len() => name_masks(&last),
            None => NameMasks::default(),
        };
        if let Some(&[letter, capital]) = text.get(BLOCK * (number + 1) - 1..).and_then(|rest| rest.first_chunk()) {
            // Masks do not see a sign on the border of two blocks.
            this.sign |= u64::from(letter.is_ascii_alphabetic() && capital.is_ascii_uppercase()) << (BLOCK - 1);
        }
        let run = this.run();
        // Runs end before these.
        let ends = !run;
        let mut starts = run & !(run << 1 | before) & this.candidates(&next);
        before = run >> (BLOCK - 1);
        while starts != 0 {
            let from = starts.trailing_zeros();
            starts &= starts - 1;
            let start = BLOCK * number + from as usize;
            let found = match (ends >> from).trailing_zeros() {
                // Most runs end in their block.
                length @ ..u64::BITS => name_in(start, length, |class| class(&this) >> from),
                _ => {
                    let window = |class: fn(&NameMasks) -> u64| shifted(class(&this), class(&next), from);
                    match window(NameMasks::run).trailing_ones() {
                        u64::BITS => read_on(text, start, start + BLOCK, |byte| MATH_ENDS && byte == MATH),
                        length => name_in(start, length, window),
                    }
                }
            };
            if found.is_some_and(&mut is) {
                return true;
            }
        }
    }
    false
}

/// Returns the word in the run of `length` units at `start`, if it may be a name; `window` returns the masks from there on.
#[inline(always)]
fn name_in(start: usize, length: u32, window: impl Fn(fn(&NameMasks) -> u64) -> u64) -> Option<Name> {
    let word = window(|masks| masks.inner) & !(u64::MAX << length);
    if word == 0 {
        return None;
    }
    let (zeros, gone) = (word.trailing_zeros(), word.leading_zeros());
    let within = (u64::MAX << zeros) & (u64::MAX >> gone);
    let has = |class: fn(&NameMasks) -> u64| window(class) & within != 0;
    let (has_sign, is_wide) = (has(|masks| masks.sign), has(|masks| masks.wide));
    let names = match u64::BITS - gone - zeros {
        0 | 1 => false,
        2 => is_wide,
        3 | 4 => is_wide || has_sign || has(|masks| masks.joint),
        _ => true,
    };
    names.then(|| Name { range: start + zeros as usize..start + BLOCK - gone as usize, has_sign, is_wide })
}

/// Returns the 64 bits that start `count` bits after the start of `this`, which `next` follows.
#[inline(always)]
fn shifted(this: u64, next: u64, count: u32) -> u64 {
    // Two shifts, because a shift by 64 bits is not allowed.
    this >> count | next << 1 << (u64::BITS - 1 - count)
}

impl NameMasks {
    #[inline(always)]
    fn run(&self) -> u64 {
        self.inner | self.joint
    }

    /// Returns the starts of runs that may contain a name; `next` are the masks of the following block.
    #[inline(always)]
    fn candidates(&self, next: &NameMasks) -> u64 {
        let run = |count| shifted(self.run(), next.run(), count);
        let wide = |count| shifted(self.wide, next.wide, count);
        let sign = |count| shifted(self.sign | self.joint | self.wide, next.sign | next.joint | next.wide, count);
        let has_sign = sign(0) | sign(1) | sign(2) | sign(3);
        run(1) & (wide(0) | wide(1) | run(2) & (has_sign | run(3) & run(4)))
    }
}

/// Returns the word in the run that begins at `start` and continues at `at`, if it may be a name. A byte that `ends_there` ends it, too.
#[cold]
fn read_on(text: &[u8], start: usize, at: usize, ends_there: impl Fn(u8) -> bool) -> Option<Name> {
    let ends = |&byte: &u8| !is_inner(byte) && !is_joint(byte) || ends_there(byte);
    let end = text[at..].iter().position(ends).map_or(text.len(), |length| at + length);
    let from = start + text[start..end].iter().position(|&byte| is_inner(byte))?;
    let to = start + text[start..end].iter().rposition(|&byte| is_inner(byte))? + 1;
    let word = &text[from..to];
    names_something(word).then(|| Name { range: from..to, has_sign: has_sign(word), is_wide: !word.is_ascii() })
}

fn has_sign(word: &[u8]) -> bool {
    word.iter().any(|&byte| byte.is_ascii_digit() || byte == b'_' || (byte != b'-' && is_joint(byte)))
        || word.windows(2).any(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_uppercase())
}

fn names_something(word: &[u8]) -> bool {
    match word.len() {
        0 | 1 => false,
        2 => !word.is_ascii(),
        3 | 4 => !word.is_ascii() || has_sign(word) || word.contains(&b'-'),
        _ => true,
    }
}

/// Returns a hash of the word at `word`, which is the same throughout this process, whether or not its text is ASCII.
/// Keyed, so that nobody can choose two words with the same hash.
#[inline(always)]
pub fn hash_of(text: Text<'_>, word: Range<usize>) -> u64 {
    let Range { start, end } = word;
    let bytes = text.bytes();
    let length = end - start;
    if length >= SHORT {
        return hash_of_long(text, start..end);
    }
    let short = match bytes[start..].first_chunk() {
        Some(sixteen) => u128::from_le_bytes(*sixteen) & !(u128::MAX << (8 * length)),
        None => bytes[start..end].iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
    };
    if !text.is_ascii() && !short.to_le_bytes().is_ascii() {
        return hash_of_wide(text, start..end);
    }
    // A short word leaves the last byte free for its length.
    Secret::of_process().fold(short as u64, (short >> 64) as u64 | (length as u64) << 56)
}

/// Words of fewer bytes are hashed as one number.
const SHORT: usize = 16;
/// So are those of fewer units, if they are not ASCII.
const SHORT_WIDE: usize = 8;

/// [`hash_of`] of a word of [`SHORT`] bytes or more.
#[inline(never)]
fn hash_of_long(text: Text<'_>, word: Range<usize>) -> u64 {
    let bytes = &text.bytes()[word.clone()];
    if !text.is_ascii() && !bytes.is_ascii() {
        return text_hash(text.slice(word));
    }
    let secret = Secret::of_process();
    let fold = |hash: u64, sixteen: &[u8; SHORT]| {
        let sixteen = u128::from_le_bytes(*sixteen);
        secret.fold(sixteen as u64 ^ hash, (sixteen >> 64) as u64)
    };
    let (chunks, _) = bytes.as_chunks();
    // Nobody knows where the words of a length begin, so none can be made to continue like one of another length.
    let hash = chunks.iter().fold(secret.fold(bytes.len() as u64, 0), fold);
    // The last one overlaps the one before.
    bytes.last_chunk().map_or(hash, |last| fold(hash, last))
}

/// [`hash_of`] of a shorter one that is not all ASCII.
#[inline(never)]
fn hash_of_wide(text: Text<'_>, word: Range<usize>) -> u64 {
    if word.len() >= SHORT_WIDE {
        return text_hash(text.slice(word));
    }
    let length = word.len() as u64;
    let units = word.rev().fold(0, |units, at| units << 16 | u128::from(text.unit(at)));
    // No short word of ASCII has the highest bit.
    Secret::of_process().fold(units as u64, (units >> 64) as u64 | (1 << 15 | length) << 48)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::below;
    use crate::{TextBuf, Texts};

    /// The definition, unit by unit.
    fn plain_names(text: &[u8]) -> Vec<&[u8]> {
        let runs = text.split(|&byte| !is_inner(byte) && !is_joint(byte));
        let words = runs.filter_map(|run| {
            let from = run.iter().position(|&byte| is_inner(byte))?;
            let to = run.iter().rposition(|&byte| is_inner(byte))?;
            Some(&run[from..=to])
        });
        words.filter(|word| names_something(word)).collect()
    }

    #[test]
    fn names_are_found_wherever_they_stand() {
        let mut below = below();
        let units = b"aZ9_.- \n\x80\x81\x83\x86";
        for round in 0..3_000 {
            // Few kinds of units make long runs, many short ones.
            let kinds = 1 + below(units.len());
            let first = below(units.len());
            let unit = |at: usize| units[(first + at) % units.len()];
            let text: Vec<u8> = (0..round % 300).map(|_| unit(below(kinds))).collect();
            let mut found = Vec::new();
            assert!(!any_name(&text, |name| {
                found.push((&text[name.range], name.has_sign, name.is_wide));
                false
            }));
            let expected: Vec<_> =
                plain_names(&text).into_iter().map(|word| (word, has_sign(word), !word.is_ascii())).collect();
            assert_eq!(found, expected, "{}", text.escape_ascii());
            let mut between = Vec::new();
            for_each_name(&text, |name| between.push(name));
            // As if a blank stood in the place of each sign.
            let blanked: Vec<u8> = text.iter().map(|&byte| if byte == MATH { b' ' } else { byte }).collect();
            let mut expected = Vec::new();
            any_name(&blanked, |name| {
                expected.push(name);
                false
            });
            assert_eq!(between, expected, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn the_first_that_is_meant_ends_the_search() {
        let mut asked = Vec::new();
        let text = b"open src/a.ts and read it again";
        assert!(any_name(text, |name| {
            asked.push(&text[name.range.clone()]);
            text[name.range].ends_with(b".ts")
        }));
        assert_eq!(asked, [&b"src/a.ts"[..]]);
    }

    /// A public hash of words, of which the value that leads from one hash to another can be computed.
    fn public_mix(hash: u64, value: u64) -> u64 {
        let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    }

    #[test]
    fn words_made_to_have_one_hash_have_two() {
        let word = "settingsForTheirBackups";
        let eight = |text: &str| u64::from_le_bytes(*text.as_bytes().first_chunk().unwrap());
        let start = word.len() as u64;
        let twins = (0..2_000_000u64).filter_map(|number| {
            let letters = number.wrapping_mul(0xD6E8_FEB8_6659_FD93) & 0x0707_0707_0707_0707;
            let first = letters + u64::from_le_bytes([b'a'; 8]);
            let second = public_mix(start, first) ^ public_mix(start, eight(word)) ^ eight(&word[8..]);
            let names = [first, second].map(u64::to_le_bytes).concat();
            (names.is_ascii() && names.iter().copied().all(is_inner))
                .then(|| String::from_utf8(names).unwrap() + &word[16..])
        });
        let mut count = 0;
        for twin in twins {
            let hash = |word: &str| hash_of(TextBuf::from(word).as_text(), 0..word.len());
            assert_ne!(hash(word), hash(&twin), "{twin}");
            count += 1;
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn different_words_have_different_hashes() {
        let words = (0..50_000u32).flat_map(|number| {
            let (digits, wide) = (number.to_string(), char::from_u32(0x4E00 + number % 0x5000));
            let ascii = [digits.clone(), format!("x{digits}\0"), format!("a_longer_name_{digits}")];
            ascii.into_iter().chain([format!("é{digits}"), format!("{digits}é"), format!("é{digits}{wide:?}")])
        });
        // Repetitions of another length, whose first letters differ as the lengths do.
        let lengths = (SHORT..60).flat_map(|first| (SHORT..60).map(move |second| (first, second)));
        let repeated = lengths.map(|(first, second)| {
            let letter = char::from(b'a' ^ (first ^ second) as u8);
            format!("{letter}{}", "ab".repeat(first)[..first - 1].to_owned())
        });
        let words: std::collections::BTreeSet<String> = words.chain(repeated).collect();
        let mut seen = std::collections::HashSet::new();
        for word in words {
            let text = TextBuf::from(word.as_str());
            assert!(seen.insert(hash_of(text.as_text(), 0..text.len())), "{word}");
        }
    }

    #[test]
    fn a_word_is_the_same_wherever_it_stands() {
        for (length, wide) in
            (1..40).flat_map(|length| [(length, None), (length, Some('\u{e9}')), (length, Some('\u{2192}'))])
        {
            let letters = (b'a'..=b'z').cycle().map(char::from);
            let word: String = letters.take(length - usize::from(wide.is_some())).chain(wide).collect();
            let alone = TextBuf::from(word.as_str());
            let expected = hash_of(alone.as_text(), 0..length);
            for after in ["and so on and on and on and on", "\u{2014} and so on and on"] {
                let text = format!(". {word} {after}");
                // Texts keep all of their units, or those that are not ASCII.
                for mut texts in [Texts::default(), Texts::compact(0, 0)] {
                    texts.push_str(&text);
                    assert_eq!(hash_of(texts.get(0), 2..2 + length), expected, "{text}");
                }
            }
        }
    }
}
