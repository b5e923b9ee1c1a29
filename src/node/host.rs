//! The questions that only JavaScript can answer while the engine works, as plain synchronous calls.

use std::sync::Arc;

use napi::bindgen_prelude::{FnArgs, FromNapiValue, Function, Result, Unknown};
use napi::{Env, JsValue, ValueType};
use napi_derive::napi;

use super::future::Callback;
use super::strings::{JsText, Units};
use crate::pipeline::{Host, Output};
use crate::text::TextBuf;

/// The functions that `lib/compress.js` brings.
#[napi(object, object_to_js = false)]
pub struct HostFunctions<'env> {
    /// `(start, count, text, idsHash)`: the tokens of an output message.
    #[napi(ts_type = "(start: number, count: number, text: string, idsHash: number) => number")]
    pub count_tokens: Option<Function<'env>>,
    /// `(index)`: the number of the first pattern that the message's text matches, or -1.
    #[napi(ts_type = "(index: number) => number")]
    pub first_pattern: Option<Function<'env>>,
    /// `(index)`: the number of the adapter that has taken the message's text apart, or -1.
    #[napi(ts_type = "(index: number) => number")]
    pub find_adapter: Option<Function<'env>>,
    /// `(index)`: what of that text is to be summarised.
    #[napi(ts_type = "(index: number) => string")]
    pub adapted_prose: Option<Function<'env>>,
    /// `(index, summary)`: the new text, if there is one.
    #[napi(ts_type = "(index: number, summary: string) => string | undefined")]
    pub reconstruct: Option<Function<'env>>,
    /// `(text)`: the summary, at once; anything but a good one leaves it to the engine.
    #[napi(ts_type = "(text: string) => string | undefined")]
    pub summarize: Option<Function<'env>>,
}

/// The same functions, kept for as long as the call takes.
#[derive(Default)]
pub struct JsHost {
    count_tokens: Option<Callback>,
    first_pattern: Option<Callback>,
    adapters: Option<Adapters>,
    summarize: Option<Callback>,
}

/// The questions to adapters.
struct Adapters {
    find: Callback,
    prose: Callback,
    reconstruct: Callback,
}

impl JsHost {
    /// Keeps `functions`.
    pub fn new(env: &Env, functions: Option<HostFunctions>) -> Result<Self> {
        let Some(functions) = functions else { return Ok(JsHost::default()) };
        let keep = |function: Option<Function>| function.map(|function| Callback::new(env, function)).transpose();
        Ok(JsHost {
            count_tokens: keep(functions.count_tokens)?,
            first_pattern: keep(functions.first_pattern)?,
            adapters: keep(functions.find_adapter)?
                .zip(keep(functions.adapted_prose)?)
                .zip(keep(functions.reconstruct)?)
                .map(|((find, prose), reconstruct)| Adapters { find, prose, reconstruct }),
            summarize: keep(functions.summarize)?,
        })
    }

    /// Whether there are patterns to match.
    pub fn has_patterns(&self) -> bool {
        self.first_pattern.is_some()
    }

    /// Whether there are adapters to ask.
    pub fn has_adapters(&self) -> bool {
        self.adapters.is_some()
    }

    /// Whether summaries come at once.
    pub fn summarizes(&self) -> bool {
        self.summarize.is_some()
    }

    /// The summary of a text, where there is one.
    pub fn summary(&self, text: &Arc<TextBuf>) -> Result<Option<TextBuf>> {
        let Some(summarize) = &self.summarize else { return Ok(None) };
        summarize.call_now(FnArgs::from((JsText(text.clone()),)), read_text)
    }

    /// Whether there is nothing to ask, so that the engine may work on any thread.
    pub fn is_idle(&self) -> bool {
        self.count_tokens.is_none() && self.first_pattern.is_none() && self.adapters.is_none()
    }
}

impl Host for JsHost {
    type Error = napi::Error;

    fn count_tokens(&mut self, output: &Output) -> Result<f64> {
        match (&self.count_tokens, &output.text) {
            (Some(count), Some(text)) => {
                let (start, count_of) = (output.start as u32, output.count as u32);
                let arguments = FnArgs::from((start, count_of, JsText(text.clone()), output.ids_hash));
                count.call_now(arguments, read)
            }
            _ => Err(napi::Error::from_reason("an output was to be counted, and no counter was given")),
        }
    }

    fn first_pattern(&mut self, index: usize) -> Result<Option<usize>> {
        let Some(first_pattern) = &self.first_pattern else { return Ok(None) };
        let number: i32 = first_pattern.call_now(FnArgs::from((index as u32,)), read)?;
        Ok(usize::try_from(number).ok())
    }

    fn find_adapter(&mut self, index: usize) -> Result<Option<usize>> {
        let Some(Adapters { find, .. }) = &self.adapters else { return Ok(None) };
        let number: i32 = find.call_now(FnArgs::from((index as u32,)), read)?;
        Ok(usize::try_from(number).ok())
    }

    fn adapted_prose(&mut self, index: usize) -> Result<TextBuf> {
        let Some(Adapters { prose, .. }) = &self.adapters else { return Ok(TextBuf::new()) };
        Ok(prose.call_now(FnArgs::from((index as u32,)), read_text)?.unwrap_or_default())
    }

    fn reconstruct(&mut self, index: usize, summary: TextBuf) -> Result<Option<TextBuf>> {
        let Some(Adapters { reconstruct, .. }) = &self.adapters else { return Ok(None) };
        reconstruct.call_now(FnArgs::from((index as u32, JsText(summary))), read_text)
    }
}

/// The text of a string; anything else is none.
pub fn read_text(env: &Env, answer: Unknown) -> Result<Option<TextBuf>> {
    if answer.get_type()? != ValueType::String {
        return Ok(None);
    }
    read(env, answer).map(|units: Units| Some(units.into()))
}

fn read<T: FromNapiValue>(env: &Env, answer: Unknown) -> Result<T> {
    // SAFETY: the answer is a handle of the open scope of this environment.
    unsafe { T::from_napi_value(env.raw(), answer.raw()) }
}
