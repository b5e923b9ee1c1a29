//! `compress` without callbacks that may take time.

use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use super::conversation::{GatheredMessages, GatheredOptions};
use super::host::Callbacks;
use super::outcome::CompressOutcome;
use crate::pipeline::{Engine, Step};

/// Compresses a conversation.
#[napi(catch_unwind)]
pub fn compress(
    messages: GatheredMessages,
    options: GatheredOptions,
    mut callbacks: Callbacks,
) -> Result<CompressOutcome> {
    let (conversation, tokens) = messages.read()?;
    let options = options.to_options(callbacks.first_pattern.is_some(), false);
    let mut engine = Engine::new(conversation, options, tokens);
    if let Some(outcome) = engine.untouched() {
        return Ok(outcome.into());
    }
    engine.prepare();
    match engine.step(&mut callbacks)? {
        Step::Done(outcome) => Ok((*outcome).into()),
        Step::Ask(_) => Err(Error::from_reason("a summary was asked for, and no summarizer was given")),
    }
}
