//! The vocabularies that a native engine contains. Each is laid out once, when a process first needs it: laid out, both would take
//! 6 MB of each engine instead of 1.5.

use std::sync::LazyLock;

use miniz_oxide::inflate::decompress_to_vec;

use super::grammar::Grammar;
use super::tables::{self, laid_out};
use super::vocabulary::Vocabulary;

/// Displacements that the build script found.
macro_rules! displacements {
    ($name:literal, $table:literal) => {{
        const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".", $table));
        BYTES.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect()
    }};
}

/// A vocabulary of so many tokens.
macro_rules! vocabulary {
    ($name:literal, $grammar:expr, $tokens:expr) => {
        LazyLock::new(|| {
            let packed = include_bytes!(concat!("../vocabularies/", $name, ".bin"));
            let unpacked = decompress_to_vec(packed).expect("the build script has unpacked it");
            let displacements = [displacements!($name, "short"), displacements!($name, "long")];
            Vocabulary { grammar: $grammar, tables: laid_out(&unpacked, $tokens, displacements) }
        })
    };
}

impl Vocabulary {
    pub fn o200k_base() -> &'static Vocabulary {
        static VOCABULARY: LazyLock<Vocabulary> = vocabulary!("o200k_base", Grammar::O200k, tables::O200K_BASE);
        &VOCABULARY
    }

    pub fn cl100k_base() -> &'static Vocabulary {
        static VOCABULARY: LazyLock<Vocabulary> = vocabulary!("cl100k_base", Grammar::Cl100k, tables::CL100K_BASE);
        &VOCABULARY
    }
}
