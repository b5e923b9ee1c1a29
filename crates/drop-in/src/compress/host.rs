//! Questions that only the caller can answer while the engine works.

use super::render::Output;
use palimpsest_text::TextBuf;
use palimpsest_tokens::estimate;

/// Questions that the caller answers while the engine works. Without an answer there is no token counter, pattern or adapter.
pub trait Host {
    /// Error of a question that can't be answered.
    type Error;

    /// Returns the tokens of an output message. Asked only if the caller gave the tokens of the input messages, and no
    /// tokenizer.
    ///
    /// # Errors
    /// If the caller's counter fails.
    fn count_tokens(&mut self, output: &Output) -> Result<f64, Self::Error> {
        Ok(estimate(output.length()) as f64)
    }

    /// Returns the number of the first pattern that the text of the message at `index` matches. A pattern may keep state
    /// between two tests, so it is asked each time that a route depends on it.
    ///
    /// # Errors
    /// If a pattern fails.
    fn first_pattern(&mut self, _index: usize) -> Result<Option<usize>, Self::Error> {
        Ok(None)
    }

    /// Returns the number of the adapter that has split the text of the message at `index`.
    ///
    /// # Errors
    /// If an adapter fails.
    fn find_adapter(&mut self, _index: usize) -> Result<Option<usize>, Self::Error> {
        Ok(None)
    }

    /// Returns the part of that text to be summarised.
    ///
    /// # Errors
    /// If the adapter fails.
    fn adapted_prose(&mut self, _index: usize) -> Result<TextBuf, Self::Error> {
        Ok(TextBuf::new())
    }

    /// Returns the new text with a summary of that part, unless the adapter has none.
    ///
    /// # Errors
    /// If the adapter fails.
    fn reconstruct(&mut self, _index: usize, _summary: TextBuf) -> Result<Option<TextBuf>, Self::Error> {
        Ok(None)
    }
}

/// A host for calls without a token counter, patterns or adapters.
#[derive(Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    type Error = std::convert::Infallible;
}
