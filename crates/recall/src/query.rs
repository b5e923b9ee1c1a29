//! Queries: their terms, and the strings that have to stand in a passage.

use palimpsest_text::ranking::{QueryTerm, add_terms};
use palimpsest_text::{Text, TextBuf};
use palimpsest_tokens::Tokenizer;

/// Length that is read of a query, in UTF-16 code units.
const MAX_READ: usize = 8000;
/// Maximum number of terms.
const MAX_TERMS: usize = 128;

#[derive(Clone, Debug, Default)]
pub struct Query {
    pub text: TextBuf,
    /// Strings that have to stand in each passage.
    pub exact: Vec<TextBuf>,
    /// Maximum tokens of all passages.
    pub tokens: usize,
    /// Tokens that each passage costs besides its text.
    pub overhead: usize,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
}

/// The distinct terms of a text.
pub(crate) fn terms_of(text: Text<'_>) -> Vec<QueryTerm> {
    let mut terms = Vec::new();
    add_terms(text.prefix(MAX_READ), MAX_TERMS, &mut terms);
    terms
}
