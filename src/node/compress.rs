//! `compress` without asynchronous callbacks.

use napi::Env;
use napi::bindgen_prelude::{ExternalRef, Float64ArraySlice, Result, Uint32ArraySlice};
use napi_derive::napi;

use super::conversation::{Given, Trimmed, read_options};
use super::future::thrown;
use super::host::{HostFunctions, JsHost};
use super::outcome::CompressOutcome;
use super::strings::{StringArray, Units};
use super::tokens::{Counts, GatheredTokenizer, read_counts};
use palimpsest_drop_in::compress::Step;

/// Compresses a conversation: its texts, all ids one after the other, the columns of `MESSAGE_COLUMN`, and the options in
/// the slots of `OPTION`.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments)]
pub fn compress(
    env: &Env,
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "string")] ids: Units,
    #[napi(ts_arg_type = "Uint32Array")] columns: Uint32ArraySlice,
    #[napi(ts_arg_type = "Float64Array")] options: Float64ArraySlice,
    #[napi(ts_arg_type = "Float64Array | undefined")] tokens: Option<Float64ArraySlice>,
    functions: Option<HostFunctions>,
    tokenizer: Option<GatheredTokenizer>,
    #[napi(ts_arg_type = "object | undefined")] trimmed: Option<ExternalRef<Option<Trimmed>>>,
) -> Result<CompressOutcome> {
    let counts = read_counts(tokens.as_deref(), tokenizer)?;
    run(env, &texts, &ids, &columns, &options, counts, functions, trimmed).map_err(|error| thrown(env, error))
}

#[allow(clippy::too_many_arguments)]
fn run(
    env: &Env,
    texts: &StringArray,
    ids: &Units,
    columns: &[u32],
    options: &[f64],
    counts: Counts,
    functions: Option<HostFunctions>,
    trimmed: Option<ExternalRef<Option<Trimmed>>>,
) -> Result<CompressOutcome> {
    let mut host = JsHost::new(env, functions)?;
    let trimmed = Trimmed::take(trimmed);
    let given = Given::new(texts, ids, columns)?;
    let options = read_options(options, host.callbacks())?;
    if let Some(outcome) = given.untouched(&options, &counts) {
        return Ok(outcome.into());
    }
    let mut engine = given.engine(trimmed, options, counts)?;
    engine.prepare();
    loop {
        match engine.step(&mut host)? {
            Step::Done(outcome) => return Ok((*outcome).into()),
            Step::Ask(requests) => host.answer(&mut engine, &requests)?,
        }
    }
}
