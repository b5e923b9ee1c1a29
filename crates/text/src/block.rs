//! Bit masks of 64 code units, one per class: the types that both SIMD implementations fill.

use super::units::{LEFT_QUOTE, RIGHT_QUOTE, WIDE_LINE_END, WIDE_SPACE};

/// Units in a block.
pub const BLOCK: usize = 64;

/// Masks of 64 consecutive code units, one per class of [`super::class`]; bit 0 is the first unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// `A`–`Z`.
    pub upper: u64,
    /// `a`–`z`.
    pub lower: u64,
    /// `0`–`9`.
    pub digit: u64,
    /// Letters, digits and underscores.
    pub word: u64,
    /// A vowel or `y`, of either case.
    pub vowel: u64,
    /// White space.
    pub space: u64,
    /// Line terminator.
    pub line_end: u64,
    pub lf: u64,
    /// `.` `!` `?`.
    pub sentence_end: u64,
    pub dot: u64,
    pub slash: u64,
    pub hyphen: u64,
    pub plus: u64,
    /// Characters that the rule `high_special_char_ratio` counts.
    pub special: u64,
    /// Starts of structural elements: a backtick, `{`, `[` or `|`.
    pub opener: u64,
}

impl Block {
    /// Returns the mask of letters.
    #[inline(always)]
    pub fn letter(&self) -> u64 {
        self.upper | self.lower
    }

    /// Returns the mask of underscores.
    #[inline(always)]
    pub fn underscore(&self) -> u64 {
        self.word & !self.upper & !self.lower & !self.digit
    }

    /// Returns the mask of characters of paths.
    #[inline(always)]
    pub fn path(&self) -> u64 {
        self.word | self.dot | self.slash | self.hyphen
    }

    /// Returns the mask of base64 characters.
    #[inline(always)]
    pub fn base64(&self) -> u64 {
        self.upper | self.lower | self.digit | self.plus | self.slash
    }

    /// Returns the mask of characters of API keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.word | self.hyphen
    }
}

/// Masks of 64 consecutive code units, to split names into words; bit 0 is the first unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseMasks {
    /// `A`–`Z`.
    pub upper: u64,
    /// `a`–`z`.
    pub lower: u64,
    /// `0`–`9`.
    pub digit: u64,
    /// Units that are not ASCII.
    pub wide: u64,
}

/// Masks of the bytes in a block that belong to names; bit 0 is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameMasks {
    pub inner: u64,
    pub joint: u64,
    /// Units that are not ASCII.
    pub wide: u64,
    /// Mathematical signs, arrows among them. They are inner and wide, too.
    pub math: u64,
    /// Signs that a word is a name: a digit, an underscore, a joint other than a hyphen, or a letter before a capital.
    pub sign: u64,
}

/// Returns whether a byte belongs to names: a letter, a digit, `_` `$` `@` `#`, or outside of ASCII and neither white
/// space nor a quotation mark.
pub(crate) const fn is_inner(byte: u8) -> bool {
    match byte {
        WIDE_SPACE | WIDE_LINE_END | LEFT_QUOTE | RIGHT_QUOTE => false,
        b'_' | b'$' | b'@' | b'#' | 0x80.. => true,
        _ => byte.is_ascii_alphanumeric(),
    }
}

/// Returns whether a byte joins two names: `a.b`, `src/a`, `x:y`, `a-b`.
pub const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'.' | b'/' | b':' | b'-')
}
