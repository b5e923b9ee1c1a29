//! Queries: their terms, and the strings that have to stand in a passage.

use palimpsest_text::questions::is_function_word;
use palimpsest_text::terms::{for_each_term, is_form, small_letters};
use palimpsest_text::{Text, TextBuf};
use palimpsest_tokens::Tokenizer;

/// Length that is read of a query, in UTF-16 code units.
const MAX_READ: usize = 8000;
/// Maximum number of terms.
const MAX_TERMS: usize = 128;

/// Weight of a function word.
const FUNCTION_WORD: f64 = 0.25;

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

/// A term of a query, in lowercase.
#[derive(Clone, Debug)]
pub(crate) struct QueryTerm {
    pub letters: Vec<u16>,
    pub weight: f64,
    /// Whether it does not say what the query is about.
    pub is_function_word: bool,
}

/// The distinct terms of a text.
pub(crate) fn terms_of(text: Text<'_>) -> Vec<QueryTerm> {
    let text = text.prefix(MAX_READ);
    let mut terms: Vec<QueryTerm> = Vec::new();
    for_each_term(text, |start, end| {
        if terms.len() == MAX_TERMS {
            return;
        }
        let letters: Vec<u16> = small_letters(text, start, end).collect();
        if !terms.iter().any(|known| is_form(&known.letters, &letters)) {
            let is_function_word = is_function_word(&letters);
            let weight = if is_function_word { FUNCTION_WORD } else { 1.0 };
            terms.push(QueryTerm { letters, weight, is_function_word });
        }
    });
    terms
}
