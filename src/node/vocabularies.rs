//! Vocabularies that the loader of an engine in WebAssembly brings when they are first needed (`wasm/instantiate.mjs`).

use napi::bindgen_prelude::{Error, Result};

use palimpsest_tokens::Tokenizer;

#[link(wasm_import_module = "palimpsest")]
unsafe extern "C" {
    /// The length of a vocabulary's file in bytes; 0 if the loader has none.
    safe fn vocabulary_length(number: u32) -> usize;
    /// Writes the file of the last [`vocabulary_length`] to `bytes`.
    fn read_vocabulary(bytes: *mut u8);
}

/// Gives the tokenizer its vocabulary, unless it has it.
///
/// # Errors
///
/// The loader has no such vocabulary, or brings something else.
pub fn provide(tokenizer: Tokenizer, name: &str) -> Result<()> {
    if !tokenizer.lacks_vocabulary() {
        return Ok(());
    }
    let mut packed = vec![0; vocabulary_length(tokenizer as u32)];
    if packed.is_empty() {
        let reason = format!(
            "the vocabulary {name} is not loaded: give it to loadVocabulary(), or estimate tokens with tokenizer: 'estimate'"
        );
        return Err(Error::from_reason(reason));
    }
    // SAFETY: `packed` has the length that the loader gave.
    unsafe { read_vocabulary(packed.as_mut_ptr()) };
    if tokenizer.give(&packed) {
        return Ok(());
    }
    Err(Error::from_reason(format!("the vocabulary {name} that was loaded is not that of this version")))
}
