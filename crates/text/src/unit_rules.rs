//! What Unicode says of code units. The build script makes tables of it, because asking Unicode's own is slow.

/// Returns the lowercase letter of a code unit that is part of words, otherwise 0.
pub fn small_of(unit: u16) -> u16 {
    // Marks of these scripts as well.
    if is_dense(unit) {
        return unit;
    }
    match char::from_u32(unit.into()) {
        Some(letter) if letter.is_alphanumeric() => {
            let mut small = letter.to_lowercase();
            match (small.next().map(|small| u16::try_from(u32::from(small))), small.next()) {
                (Some(Ok(only)), None) => only,
                _ => unit,
            }
        }
        // Marks that Arabic, Hebrew, Hindi and others write inside words.
        _ if matches!(unit, 0x0300..=0x036F | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0D7F) => unit,
        _ => 0,
    }
}

/// Whether each two units side by side are a word: Thai, Lao, Myanmar, Khmer; kana, Han and its extensions; Hangul.
pub fn is_dense(unit: u16) -> bool {
    matches!(unit, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xAC00..=0xD7A3)
}

/// Classes of units in words, as bits, so that those of a whole word can be put together.
pub mod word {
    /// No part of a word.
    pub const NONE: u8 = 0;
    /// Part of a word by itself.
    pub const INNER: u8 = 1;
    /// Joins two letters or digits: `a.b`, `src/a`, `12:30`, `2024-01-01`.
    pub const JOINT: u8 = 2;
    /// A digit, an underscore, a joint that is no hyphen; see [`crate::names::NameMasks::sign`].
    pub const SIGN: u8 = 4;
    /// A letter of ASCII.
    pub const LETTER: u8 = 8;
    /// A capital letter of ASCII.
    pub const CAPITAL: u8 = 16;
    /// A letter of a script that puts no blanks between words.
    pub const DENSE: u8 = 32;
    /// A letter or mark of any other script but ASCII's.
    pub const WIDE: u8 = 64;

    /// Returns the classes of a unit.
    pub fn class_of(unit: u16) -> u8 {
        match unit {
            0..0x80 => match unit as u8 {
                b'_' => INNER | SIGN,
                b'$' | b'@' | b'#' => INNER,
                b'.' | b'/' | b':' => JOINT | SIGN,
                b'-' => JOINT,
                b'0'..=b'9' => INNER | SIGN,
                b'A'..=b'Z' => INNER | LETTER | CAPITAL,
                b'a'..=b'z' => INNER | LETTER,
                _ => NONE,
            },
            // Korean writes blanks between words.
            0xAC00..=0xD7A3 => INNER | WIDE,
            _ if super::is_dense(unit) => DENSE,
            // Digits of Arabic, Persian and Hindi, and full-width ones.
            0x0660..=0x0669 | 0x06F0..=0x06F9 | 0x0966..=0x096F | 0xFF10..=0xFF19 => INNER | WIDE | SIGN,
            // Halves of pairs: emoji, and rare letters of dense scripts.
            0xD800..=0xDFFF => NONE,
            _ if char::from_u32(unit.into()).is_some_and(char::is_alphanumeric) => INNER | WIDE,
            // Marks that Arabic, Hebrew, Hindi and others write inside words.
            0x0300..=0x036F | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0D7F | 0x200C | 0x200D => INNER | WIDE,
            _ => NONE,
        }
    }
}

/// Classes of characters in the grammars of the tokenizers.
pub mod token {
    /// `\p{L}`
    pub const LETTER: u8 = 1;
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
    pub const UPPER: u8 = 2;
    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
    pub const LOWER: u8 = 4;
    /// `\p{N}`
    pub const NUMBER: u8 = 8;
    /// `\s`
    pub const SPACE: u8 = 16;
    /// `[\r\n]`
    pub const NEWLINE: u8 = 32;
    /// The end of the text.
    pub const END: u8 = 64;
}
