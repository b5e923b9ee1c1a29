//! What Unicode says of characters, as tables that the build script wrote (`build.rs`). Equal blocks of 64 characters stand
//! once.

include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// Returns the lowercase letter of a code unit that is part of words, otherwise 0; see [`super::unit_rules::small_of`].
#[inline(always)]
pub fn small(unit: u16) -> u16 {
    let entry = SMALL_BLOCKS[usize::from(SMALL_PAGES[usize::from(unit >> 6)])][usize::from(unit & 63)];
    if entry == 0 { 0 } else { unit.wrapping_add(entry as u16) }
}

/// Returns the classes of a code unit in words; see [`super::unit_rules::word`].
#[inline(always)]
pub fn word_class(unit: u16) -> u8 {
    WORD_CLASS_BLOCKS[usize::from(WORD_CLASS_PAGES[usize::from(unit >> 6)])][usize::from(unit & 63)]
}

/// Returns the classes of a character in the grammars of the tokenizers, 0 beyond Unicode; see [`super::unit_rules::token`].
#[inline(always)]
pub fn token_class(code: u32) -> u8 {
    let page = TOKEN_CLASS_PAGES.get((code >> 6) as usize);
    page.map_or(0, |&page| TOKEN_CLASS_BLOCKS[usize::from(page)][(code & 63) as usize])
}

#[cfg(test)]
mod tests {
    use super::super::unit_rules::{small_of, word};
    use super::*;

    #[test]
    fn every_unit_has_what_the_rules_say() {
        for unit in 0..=u16::MAX {
            assert_eq!(small(unit), small_of(unit), "{unit:X}");
            assert_eq!(word_class(unit), word::class_of(unit), "{unit:X}");
        }
    }
}
