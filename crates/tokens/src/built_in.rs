//! The vocabularies that are part of a native engine.

use super::grammar::Grammar;
use super::vocabulary::{Slots, Vocabulary};

/// A table that the build script wrote, as numbers of so many bytes.
macro_rules! table {
    ($name:literal, $table:literal) => {{
        const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".", $table));
        BYTES.as_chunks().0
    }};
}

/// A vocabulary of which the build script wrote the tables.
macro_rules! vocabulary {
    ($name:literal, $grammar:expr) => {
        Vocabulary {
            grammar: $grammar,
            pairs: table!($name, "pairs"),
            present: table!($name, "present"),
            short: Slots { displacements: table!($name, "short-displacements"), slots: table!($name, "short") },
            long: Slots { displacements: table!($name, "long-displacements"), slots: table!($name, "long") },
            texts: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".texts")),
        }
    };
}

impl Vocabulary {
    pub fn o200k_base() -> &'static Vocabulary {
        static VOCABULARY: Vocabulary = vocabulary!("o200k_base", Grammar::O200k);
        &VOCABULARY
    }

    pub fn cl100k_base() -> &'static Vocabulary {
        static VOCABULARY: Vocabulary = vocabulary!("cl100k_base", Grammar::Cl100k);
        &VOCABULARY
    }
}
