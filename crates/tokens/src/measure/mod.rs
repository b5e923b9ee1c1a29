//! The tokens of a request: those of its texts, and what the provider adds to them.
//!
//! [`Request::measure`] adds up numbers: the texts are counted before. Each provider has a file with its rules, which
//! names the documentation that its numbers come from.

mod anthropic;
mod gemini;
mod openai;
mod provider;
mod request;
mod rules;

pub use provider::{Media, Provider};
pub use request::{Content, Measured, Message, Part, Request};
pub use rules::Extra;
