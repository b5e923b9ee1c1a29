//! From a conversation to its compressed form: route each message, emit what stands for it, judge the result.
//!
//! An [`Engine`] is fed by its caller and never calls out to anything slow. Where summaries are to come from outside,
//! [`Engine::step`] names the texts, the caller brings the answers, and the next step goes on from there; so waiting
//! is the caller's business, and the way with answers is the way without them.

mod adapt;
mod analysis;
mod condense;
mod corrections;
mod decisions;
mod define;
mod emit;
mod engine;
mod join;
mod options;
mod route;
mod statistics;
mod tighten;
mod tokens;
mod truncate;
mod write;

pub use condense::{Question, Request, Sentences};
pub use decisions::{Action, Decision, Reason};
pub use emit::Output;
pub use engine::{Engine, Outcome, Step};
pub use options::{DepthOption, Options};
pub use route::is_already_compressed;
pub use statistics::{BudgetReport, Statistics};
pub use tokens::ExactTokens;

use crate::text::TextBuf;
use crate::tokens::estimate;

/// What only the caller can answer while the engine works.
pub trait Host {
    /// What goes wrong when it can't.
    type Error;

    /// The tokens of an output message; asked only where the caller gave the tokens of the input messages as well, and
    /// no tokenizer.
    fn count_tokens(&mut self, output: &Output) -> Result<f64, Self::Error>;

    /// The number of the first pattern that the text of the message at `index` matches.
    fn first_pattern(&mut self, index: usize) -> Result<Option<usize>, Self::Error>;

    /// The number of the adapter that has taken the text of the message at `index` apart.
    fn find_adapter(&mut self, index: usize) -> Result<Option<usize>, Self::Error>;

    /// What of that text is to be summarised.
    fn adapted_prose(&mut self, index: usize) -> Result<TextBuf, Self::Error>;

    /// The new text with a summary of that, unless the adapter fails to give one.
    fn reconstruct(&mut self, index: usize, summary: TextBuf) -> Result<Option<TextBuf>, Self::Error>;
}

/// A host for calls without a token counter, patterns or adapters.
#[derive(Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    type Error = std::convert::Infallible;

    fn count_tokens(&mut self, output: &Output) -> Result<f64, Self::Error> {
        Ok(estimate(output.length()) as f64)
    }

    fn first_pattern(&mut self, _index: usize) -> Result<Option<usize>, Self::Error> {
        Ok(None)
    }

    fn find_adapter(&mut self, _index: usize) -> Result<Option<usize>, Self::Error> {
        Ok(None)
    }

    fn adapted_prose(&mut self, _index: usize) -> Result<TextBuf, Self::Error> {
        Ok(TextBuf::new())
    }

    fn reconstruct(&mut self, _index: usize, _summary: TextBuf) -> Result<Option<TextBuf>, Self::Error> {
        Ok(None)
    }
}
