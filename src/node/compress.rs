//! `compress` without callbacks that may take time.

use napi::Env;
use napi::bindgen_prelude::{ExternalRef, Float64ArraySlice, Result, Uint32ArraySlice};
use napi_derive::napi;

use super::conversation::{Trimmed, read_options};
use super::future::thrown;
use super::host::{HostFunctions, JsHost};
use super::outcome::{CompressOutcome, write_outcome};
use super::strings::{StringArray, Units};
use super::tokens::{Counts, GatheredTokenizer, read_counts};
use crate::compress::{Engine, Step};

/// Compresses a conversation. The options come in `numbers`; the result goes into `columns` and `numbers`.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments)]
pub fn compress(
    env: &Env,
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "string")] ids: Units,
    #[napi(ts_arg_type = "Uint32Array")] mut columns: Uint32ArraySlice,
    #[napi(ts_arg_type = "Float64Array")] mut numbers: Float64ArraySlice,
    #[napi(ts_arg_type = "Float64Array | undefined")] tokens: Option<Float64ArraySlice>,
    functions: Option<HostFunctions>,
    tokenizer: Option<GatheredTokenizer>,
    #[napi(ts_arg_type = "object | undefined")] trimmed: Option<ExternalRef<Option<Trimmed>>>,
) -> Result<CompressOutcome> {
    let counts = read_counts(tokens.as_deref(), tokenizer)?;
    run(env, &texts, &ids, &mut columns, &mut numbers, counts, functions, trimmed).map_err(|error| thrown(env, error))
}

#[allow(clippy::too_many_arguments)]
fn run(
    env: &Env,
    texts: &StringArray,
    ids: &Units,
    columns: &mut Uint32ArraySlice,
    numbers: &mut Float64ArraySlice,
    (tokens, exact_tokens): Counts,
    functions: Option<HostFunctions>,
    trimmed: Option<ExternalRef<Option<Trimmed>>>,
) -> Result<CompressOutcome> {
    let mut host = JsHost::new(env, functions)?;
    let Trimmed { conversation, untrimmed } = Trimmed::take_or_read(trimmed, texts, ids, columns)?;
    let options = read_options(numbers, host.callbacks())?;
    let mut engine =
        Engine::new(conversation, options, tokens).with_exact_tokens(exact_tokens).with_untrimmed(untrimmed);
    let outcome = match engine.untouched() {
        Some(outcome) => outcome,
        None => {
            engine.prepare();
            loop {
                match engine.step(&mut host)? {
                    Step::Done(outcome) => break *outcome,
                    Step::Ask(requests) => host.answer(&mut engine, &requests)?,
                }
            }
        }
    };
    // SAFETY: nothing else holds these arrays: `lib/compress.js` makes them for this call and doesn't look at them
    // before it returns.
    let (columns, numbers) = unsafe { (columns.as_mut(), numbers.as_mut()) };
    Ok(write_outcome(outcome, columns, numbers))
}
