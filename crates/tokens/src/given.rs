//! The vocabularies that an engine in WebAssembly is given. Each is laid out once, when it is first needed: with both of them
//! inside, the engine would be more than twice as large to download.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_to_vec;
use sha2::{Digest, Sha256};

use super::displacements::displacements;
use super::grammar::Grammar;
use super::tables::{self, laid_out};
use super::tokenizer::Tokenizer;
use super::vocabulary::Vocabulary;

static O200K_BASE: OnceLock<Vocabulary> = OnceLock::new();
static CL100K_BASE: OnceLock<Vocabulary> = OnceLock::new();

/// A vocabulary as `crates/tokens/vocabularies` has it.
struct Source {
    place: &'static OnceLock<Vocabulary>,
    grammar: Grammar,
    tokens: usize,
    sha256: &'static str,
}

fn source_of(tokenizer: Tokenizer) -> Option<Source> {
    match tokenizer {
        Tokenizer::Estimate => None,
        Tokenizer::O200kBase => Some(Source {
            place: &O200K_BASE,
            grammar: Grammar::O200k,
            tokens: tables::O200K_BASE,
            sha256: "de50d9f2a52613b65661a60f7e38e9244e5facd4a9a20d95f5ae7a55947b0abe",
        }),
        Tokenizer::Cl100kBase => Some(Source {
            place: &CL100K_BASE,
            grammar: Grammar::Cl100k,
            tokens: tables::CL100K_BASE,
            sha256: "55b7fd6b42bd079945396b16f19eaec47c6b4421f87af47029f803872e6630b9",
        }),
    }
}

impl Tokenizer {
    /// Returns whether the tokenizer still has to be given its vocabulary.
    pub fn lacks_vocabulary(self) -> bool {
        source_of(self).is_some_and(|source| source.place.get().is_none())
    }

    /// Gives the tokenizer its vocabulary, the contents of a file in `crates/tokens/vocabularies`. Returns whether it is the right one.
    pub fn give(self, packed: &[u8]) -> bool {
        let Some(source) = source_of(self) else { return false };
        let sha256: String = Sha256::digest(packed).iter().map(|byte| format!("{byte:02x}")).collect();
        if sha256 != source.sha256 {
            return false;
        }
        source.place.get_or_init(|| {
            let unpacked = decompress_to_vec(packed).expect("the file of that hash is a DEFLATE stream");
            let displacements = displacements(&unpacked, source.tokens);
            Vocabulary { grammar: source.grammar, tables: laid_out(&unpacked, source.tokens, displacements) }
        });
        true
    }
}

impl Vocabulary {
    pub fn o200k_base() -> &'static Vocabulary {
        O200K_BASE.get().expect("the bindings give it before anything is counted")
    }

    pub fn cl100k_base() -> &'static Vocabulary {
        CL100K_BASE.get().expect("the bindings give it before anything is counted")
    }
}
