//! `compress` without callbacks that may take time.

use napi::Env;
use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use super::conversation::{GatheredMessages, GatheredOptions};
use super::future::thrown;
use super::host::{HostFunctions, JsHost};
use super::outcome::CompressOutcome;
use crate::pipeline::Step;

/// Compresses a conversation.
#[napi(catch_unwind)]
pub fn compress(
    env: &Env,
    messages: GatheredMessages,
    options: GatheredOptions,
    functions: HostFunctions,
) -> Result<CompressOutcome> {
    run(env, messages, options, functions).map_err(|error| thrown(env, error))
}

fn run(
    env: &Env,
    messages: GatheredMessages,
    options: GatheredOptions,
    functions: HostFunctions,
) -> Result<CompressOutcome> {
    let mut host = JsHost::new(env, functions)?;
    let mut engine = messages.to_engine(options.to_options(host.has_patterns(), false))?;
    if let Some(outcome) = engine.untouched() {
        return Ok(outcome.into());
    }
    engine.prepare();
    match engine.step(&mut host)? {
        Step::Done(outcome) => Ok((*outcome).into()),
        Step::Ask(_) => Err(Error::from_reason("a summary was asked for, and no summarizer was given")),
    }
}
