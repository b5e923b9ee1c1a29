//! Exact token counts of written messages.

use rustc_hash::FxHashMap;

use palimpsest_text::SharedText;
use palimpsest_tokens::{Counter, Tokenizer};

/// Counts the tokens of the messages that the engine writes, by a tokenizer.
#[derive(Debug)]
pub struct ExactTokens {
    counter: Counter,
    others: Vec<f64>,
    of_request: f64,
    /// Counts by the address of the text: a search for a budget counts most texts several times. Each text is kept, so that
    /// its address is not used again.
    counted: FxHashMap<(usize, u32), (SharedText, f64)>,
}

impl ExactTokens {
    /// `others` are the tokens of each input message without its text, which the message that replaces it has as well;
    /// `of_request` those that belong to no message.
    pub fn new(tokenizer: Tokenizer, others: Vec<f64>, of_request: f64) -> Self {
        ExactTokens { counter: Counter::new(tokenizer), others, of_request, counted: FxHashMap::default() }
    }

    /// Returns the tokens that belong to no message.
    pub(super) fn of_request(&self) -> f64 {
        self.of_request
    }

    /// Returns the tokens of the message `start` with `text` instead of its own.
    pub(super) fn of_output(&mut self, start: usize, text: &SharedText) -> f64 {
        let (_, count) = self
            .counted
            .entry(text.place())
            .or_insert_with(|| (text.clone(), self.counter.count(text.as_text()) as f64));
        *count + self.others.get(start).copied().unwrap_or(0.0)
    }
}
