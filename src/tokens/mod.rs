//! How many tokens a text is: an estimate, or exactly, by the encodings of OpenAI's models.
//!
//! The exact counts are those of `encode_ordinary` of OpenAI's tiktoken: `<|endoftext|>` and the like in a text count as
//! the characters that they are. A text is cut into pieces ([`grammar`]), and of most pieces a table knows the count.
//!
//! The vocabularies are read when they are first needed: that takes some 20 ms and 10 MB for o200k_base, half for
//! cl100k_base, once per process. Counting is linear in the text, whatever it holds.

mod classes;
mod counter;
mod grammar;
mod merge;
mod vocabulary;

pub use counter::Counter;

use crate::text::Text;

/// How tokens are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// A token for every 3.5 UTF-16 code units.
    #[default]
    Estimate,
    /// The encoding of GPT-4o and later models of OpenAI.
    O200kBase,
    /// The encoding of GPT-4 and GPT-3.5.
    Cl100kBase,
}

impl Tokenizer {
    /// The tokenizer of that name: `estimate`, `o200k_base` or `cl100k_base`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "estimate" => Some(Tokenizer::Estimate),
            "o200k_base" => Some(Tokenizer::O200kBase),
            "cl100k_base" => Some(Tokenizer::Cl100kBase),
            _ => None,
        }
    }

    /// The tokens of `text`. A lone surrogate counts as U+FFFD does, which is what it becomes when it is sent.
    ///
    /// For many texts, one [`Counter`] is faster.
    pub fn count(self, text: Text<'_>) -> usize {
        Counter::new(self).count(text)
    }
}

/// The estimated tokens of a text of `length` UTF-16 code units: one for every 3.5 of them.
pub fn estimate(length: usize) -> usize {
    (length as f64 / 3.5).ceil() as usize
}
