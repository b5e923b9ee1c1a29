//! Counting what is sent by a tokenizer.

use rustc_hash::FxHashMap;

use crate::text::SharedText;
use crate::tokens::{Counter, Tokenizer};

/// Counts the tokens of messages that the engine writes.
#[derive(Debug)]
pub struct ExactTokens {
    counter: Counter,
    others: Vec<f64>,
    of_request: f64,
    /// What was counted before, by address: a search for a budget asks for most texts several times. Each text is kept,
    /// so that no other can come to stand where it did.
    counted: FxHashMap<(usize, u32), (SharedText, f64)>,
}

impl ExactTokens {
    /// `others` are, for each message of the input, the tokens of all but its text, which a message that is written in
    /// its place has as well; `of_request` those that belong to no message.
    pub fn new(tokenizer: Tokenizer, others: Vec<f64>, of_request: f64) -> Self {
        ExactTokens { counter: Counter::new(tokenizer), others, of_request, counted: FxHashMap::default() }
    }

    /// The tokens that belong to no message.
    pub(super) fn of_request(&self) -> f64 {
        self.of_request
    }

    /// The tokens of the message `start` with `text` in the place of its own.
    pub(super) fn of_output(&mut self, start: usize, text: &SharedText) -> f64 {
        let (_, count) = self
            .counted
            .entry(text.place())
            .or_insert_with(|| (text.clone(), self.counter.count(text.as_text()) as f64));
        *count + self.others.get(start).copied().unwrap_or(0.0)
    }
}
