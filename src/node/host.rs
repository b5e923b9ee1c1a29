//! The questions that only JavaScript can answer while the engine works, as plain synchronous calls.

use std::sync::Arc;

use napi::bindgen_prelude::{FnArgs, Function, Result};
use napi_derive::napi;

use super::strings::JsText;
use crate::pipeline::{Host, Output};
use crate::text::TextBuf;

/// The functions that `lib/compress.js` brings.
#[napi(object, object_to_js = false)]
pub struct Callbacks<'env> {
    /// `(start, count, text, idsHash)`: the tokens of an output message.
    #[napi(ts_type = "(start: number, count: number, text: string, idsHash: number) => number")]
    pub count_tokens: Option<Function<'env, FnArgs<(u32, u32, JsText<Arc<TextBuf>>, u32)>, f64>>,
    /// `(index)`: the number of the first pattern that the message's text matches, or -1.
    #[napi(ts_type = "(index: number) => number")]
    pub first_pattern: Option<Function<'env, u32, i32>>,
}

impl Host for Callbacks<'_> {
    type Error = napi::Error;

    fn count_tokens(&mut self, output: &Output) -> Result<f64> {
        match (&self.count_tokens, &output.text) {
            (Some(count), Some(text)) => {
                let (start, count_of) = (output.start as u32, output.count as u32);
                count.call((start, count_of, JsText(text.clone()), output.ids_hash).into())
            }
            _ => Err(napi::Error::from_reason("an output was to be counted, and no counter was given")),
        }
    }

    fn first_pattern(&mut self, index: usize) -> Result<Option<usize>> {
        let Some(first_pattern) = &self.first_pattern else { return Ok(None) };
        Ok(usize::try_from(first_pattern.call(index as u32)?).ok())
    }
}
