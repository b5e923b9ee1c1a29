//! Classes of characters in the grammars of the tokenizers.

use palimpsest_text::tables::token_class;
pub(crate) use palimpsest_text::unit_rules::token::{END, LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER};

/// Returns the classes of the character at `at`, and its length in bytes. `text` is UTF-8, and `at` a boundary in
/// it.
#[inline(always)]
pub(crate) fn class_at(text: &[u8], at: usize) -> (u8, usize) {
    match text.get(at) {
        Some(&ascii @ 0..=0x7F) => (ASCII[usize::from(ascii)], 1),
        _ => class_beyond_ascii(text, at),
    }
}

/// Returns the classes of the character at `at`, if that is ASCII or the end.
#[inline(always)]
pub(crate) fn class_of_ascii(text: &[u8], at: usize) -> Option<u8> {
    match text.get(at) {
        None => Some(END),
        Some(&ascii @ 0..=0x7F) => Some(ASCII[usize::from(ascii)]),
        _ => None,
    }
}

#[inline(never)]
fn class_beyond_ascii(text: &[u8], at: usize) -> (u8, usize) {
    let byte = |offset: usize| text.get(at + offset).map_or(0, |byte| u32::from(byte & 0x3F));
    match text.get(at) {
        None => (END, 0),
        Some(&two @ 0..=0xDF) => (token_class((u32::from(two & 0x1F) << 6) | byte(1)), 2),
        Some(&three @ 0xE0..=0xEF) => (token_class((u32::from(three & 0x0F) << 12) | (byte(1) << 6) | byte(2)), 3),
        Some(&four) => {
            let code = (u32::from(four & 0x07) << 18) | (byte(1) << 12) | (byte(2) << 6) | byte(3);
            (token_class(code), 4)
        }
    }
}

/// Returns the end of the characters from `at` on that have one of the classes `wanted`.
#[inline]
pub(crate) fn run(text: &[u8], mut at: usize, wanted: u8) -> usize {
    loop {
        let (class, length) = class_at(text, at);
        if class & wanted == 0 {
            return at;
        }
        at += length;
    }
}

/// Returns the end of the characters from `at` on that have none of the classes `unwanted`.
#[inline]
pub(crate) fn run_without(text: &[u8], mut at: usize, unwanted: u8) -> usize {
    loop {
        let (class, length) = class_at(text, at);
        if class & (unwanted | END) != 0 {
            return at;
        }
        at += length;
    }
}

const ASCII: [u8; 128] = {
    let mut classes = [0; 128];
    let mut code = 0;
    while code < 128 {
        classes[code] = match code as u8 {
            b'\r' | b'\n' => SPACE | NEWLINE,
            b'\t' | b'\x0B' | b'\x0C' | b' ' => SPACE,
            b'A'..=b'Z' => LETTER | UPPER,
            b'a'..=b'z' => LETTER | LOWER,
            b'0'..=b'9' => NUMBER,
            _ => 0,
        };
        code += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes hours")]
    fn every_character_has_the_classes_that_regular_expressions_give_it() {
        let all: String = ('\0'..=char::MAX).collect();
        let mut expected = vec![0; 0x11_0000];
        for (class, pattern) in [
            (LETTER, r"\p{L}+"),
            (UPPER, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"),
            (LOWER, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"),
            (NUMBER, r"\p{N}+"),
            (SPACE, r"\s+"),
            (NEWLINE, r"[\r\n]+"),
        ] {
            let pattern = Regex::new(pattern).expect("a constant pattern");
            let matched = pattern.find_iter(&all).flat_map(|found| found.as_str().chars());
            matched.for_each(|character| expected[character as usize] |= class);
        }
        for character in all.chars() {
            assert_eq!(token_class(character.into()), expected[character as usize], "{character:?}");
        }
    }

    #[test]
    fn ascii_has_the_classes_that_unicode_gives_it() {
        (0..128).for_each(|code: u8| assert_eq!(ASCII[usize::from(code)], token_class(code.into()), "{code}"));
    }
}
