//! Writes tables of characters in which equal blocks of 64 stand once.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::{env, fs};

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

#[allow(dead_code, unreachable_pub, reason = "a part is for look-ups")]
#[path = "src/unit_rules.rs"]
mod unit_rules;

use unit_rules::{small_of, token, word};

const BLOCK: usize = 64;

/// Writes `classes.rs`, which `src/tables.rs` includes.
fn main() {
    for source in ["build.rs", "src/unit_rules.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let units = || 0..=u16::MAX;
    // As the distance to the unit, so that most letters of a script have the same; the bit says that the unit is part of words.
    let small = |unit: u16| match small_of(unit) {
        0 => 0,
        small => u32::from(small.wrapping_sub(unit)) | 1 << 16,
    };
    let source = [
        table("SMALL", "u32", units().map(small)),
        table("WORD_CLASS", "u8", units().map(word::class_of)),
        table("TOKEN_CLASS", "u8", (0..0x11_0000).map(|code| char::from_u32(code).map_or(0, token_class))),
    ];
    fs::write(out.join("classes.rs"), source.concat()).expect("OUT_DIR is writable");
}

/// Returns the source of `<name>_PAGES`, the number of the block of each 64 values, and `<name>_BLOCKS`.
fn table<T: Display + Ord + Copy>(name: &str, kind: &str, values: impl Iterator<Item = T>) -> String {
    let values: Vec<T> = values.collect();
    let mut blocks = Vec::new();
    let mut numbers = BTreeMap::new();
    let pages: Vec<u16> = values
        .chunks(BLOCK)
        .map(|block| {
            *numbers.entry(block).or_insert_with(|| {
                blocks.push(block);
                u16::try_from(blocks.len() - 1).expect("few blocks differ")
            })
        })
        .collect();
    let joined = |values: &[T]| values.iter().map(T::to_string).collect::<Vec<_>>().join(",");
    let numbers = pages.iter().map(u16::to_string).collect::<Vec<_>>().join(",");
    let listed = blocks.iter().map(|block| format!("[{}],\n", joined(block))).collect::<String>();
    format!(
        "static {name}_PAGES: [u16; {}] = [{numbers}];\nstatic {name}_BLOCKS: [[{kind}; {BLOCK}]; {}] = [\n{listed}];\n",
        pages.len(),
        blocks.len(),
    )
}

fn token_class(character: char) -> u8 {
    use GeneralCategory::{
        DecimalNumber, EnclosingMark, LetterNumber, LowercaseLetter, ModifierLetter, NonspacingMark, OtherLetter,
        OtherNumber, SpacingMark, TitlecaseLetter, UppercaseLetter,
    };
    use token::{LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER};
    match character {
        '\r' | '\n' => SPACE | NEWLINE,
        _ if character.is_whitespace() => SPACE,
        _ => match character.general_category() {
            UppercaseLetter | TitlecaseLetter => LETTER | UPPER,
            LowercaseLetter => LETTER | LOWER,
            ModifierLetter | OtherLetter => LETTER | UPPER | LOWER,
            NonspacingMark | SpacingMark | EnclosingMark => UPPER | LOWER,
            DecimalNumber | LetterNumber | OtherNumber => NUMBER,
            _ => 0,
        },
    }
}
