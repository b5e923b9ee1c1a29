//! The names of the tokenizers, and the estimate.

/// A way to count tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// One token for every 3.5 UTF-16 code units.
    #[default]
    Estimate,
    /// The encoding of GPT-4o and later models of OpenAI.
    O200kBase,
    /// The encoding of GPT-4 and GPT-3.5.
    Cl100kBase,
}

impl Tokenizer {
    /// Returns the tokenizer of that name: `estimate`, `o200k_base` or `cl100k_base`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "estimate" => Some(Tokenizer::Estimate),
            "o200k_base" => Some(Tokenizer::O200kBase),
            "cl100k_base" => Some(Tokenizer::Cl100kBase),
            _ => None,
        }
    }
}

/// Estimates the tokens of a text of `length` UTF-16 code units: one for every 3.5 units, rounded up.
pub fn estimate(length: usize) -> usize {
    (length as f64 / 3.5).ceil() as usize
}
