//! The synchronous callbacks of the engine.

use std::ops::Range;
use std::sync::Arc;

use napi::bindgen_prelude::{
    Float64ArraySlice, FnArgs, FromNapiValue, Function, Int32ArraySlice, Result, ToNapiValue, Unknown,
};
use napi::{Env, JsValue, ValueType, sys};
use napi_derive::napi;

use super::conversation::Callbacks;
use super::future::Callback;
use super::strings::{JsText, Units};
use crate::layout::sentence_column;
use palimpsest_drop_in::compress::{Engine, Host, Output, Request, Sentences};
use palimpsest_text::TextBuf;
use palimpsest_text::index::to_u32;

/// The functions that `lib/compress/plain.ts` brings.
#[napi(object, object_to_js = false)]
pub struct HostFunctions<'env> {
    /// `(start, count, text, idsHash)`: the tokens of an output message.
    #[napi(ts_type = "(start: number, count: number, text: string, idsHash: number) => number")]
    pub count_tokens: Option<Function<'env>>,
    /// `(index)`: the number of the first pattern that the message's text matches, or -1.
    #[napi(ts_type = "(index: number) => number")]
    pub first_pattern: Option<Function<'env>>,
    /// `(index)`: the number of the adapter that has split the message's text, or -1.
    #[napi(ts_type = "(index: number) => number")]
    pub find_adapter: Option<Function<'env>>,
    /// `(index)`: the part of that text to summarise.
    #[napi(ts_type = "(index: number) => string")]
    pub adapted_prose: Option<Function<'env>>,
    /// `(index, summary)`: the new text, if there is one.
    #[napi(ts_type = "(index: number, summary: string) => string | undefined")]
    pub reconstruct: Option<Function<'env>>,
    /// `(text)`: the summary, synchronously. The engine writes its own if this returns no usable one.
    #[napi(ts_type = "(text: string) => string | undefined")]
    pub summarize: Option<Function<'env>>,
    /// `(text, sentences)`: the scores of the sentences, each a row of `SENTENCE_COLUMN`; `undefined` for those of our own
    /// rules. Only in synchronous calls.
    #[napi(ts_type = "(text: string, sentences: Int32Array) => Float64Array | undefined")]
    pub score_sentences: Option<Function<'env>>,
}

/// Returns the arguments of a scorer: the text, and its sentences as [`HostFunctions::score_sentences`] takes them.
///
/// One string and one array hold all sentences, because each string and each element would be a call into Node.js.
pub fn scorer_arguments(sentences: &Sentences) -> FnArgs<(JsText<Arc<TextBuf>>, SentenceNumbers<'_>)> {
    FnArgs::from((JsText(sentences.text.clone()), SentenceNumbers(sentences)))
}

/// The rows of sentences, for JavaScript.
pub struct SentenceNumbers<'a>(&'a Sentences);

impl ToNapiValue for SentenceNumbers<'_> {
    unsafe fn to_napi_value(env: sys::napi_env, SentenceNumbers(sentences): Self) -> Result<sys::napi_value> {
        let row_of = |(range, _): &(Range<usize>, i32)| {
            let mut row = [0; sentence_column::COUNT];
            row[sentence_column::START] = range.start as i32;
            row[sentence_column::END] = range.end as i32;
            row
        };
        let numbers: Vec<i32> = sentences.all.iter().flat_map(row_of).collect();
        Ok(Int32ArraySlice::copy_from(&Env::from_raw(env), numbers)?.raw())
    }
}

/// Reads the scores of a scorer's answer.
pub fn read_scores(env: &Env, answer: Unknown) -> Result<Option<Vec<f64>>> {
    if answer.get_type()? == ValueType::Undefined {
        return Ok(None);
    }
    read::<Float64ArraySlice>(env, answer).map(|scores| Some(scores.to_vec()))
}

/// The functions, kept alive during the call.
#[derive(Default)]
pub struct JsHost {
    count_tokens: Option<Callback>,
    first_pattern: Option<Callback>,
    adapters: Option<Adapters>,
    summarize: Option<Callback>,
    score_sentences: Option<Callback>,
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
            score_sentences: keep(functions.score_sentences)?,
        })
    }

    /// Returns which of them there are.
    pub fn callbacks(&self) -> Callbacks {
        Callbacks {
            patterns: self.first_pattern.is_some(),
            adapters: self.adapters.is_some(),
            scorer: self.score_sentences.is_some(),
            summarizer: self.summarize.is_some(),
        }
    }

    /// Answers the requests of the engine.
    pub fn answer(&self, engine: &mut Engine, requests: &[Request]) -> Result<()> {
        for request in requests {
            match (request, &self.summarize, &self.score_sentences) {
                (Request::Summary(text), Some(summarize), _) => {
                    let summary = summarize.call_now(FnArgs::from((JsText(text.clone()),)), read_text)?;
                    engine.answer(text, summary);
                }
                (Request::Scores(sentences), _, Some(score)) => {
                    let scores = score.call_now(scorer_arguments(sentences), read_scores)?;
                    engine.answer_scores(sentences, scores);
                }
                _ => return Err(napi::Error::from_reason("something was asked for that nobody can answer")),
            }
        }
        Ok(())
    }

    /// Returns whether the engine never calls this host and so may work on any thread.
    pub fn is_idle(&self) -> bool {
        self.count_tokens.is_none() && self.first_pattern.is_none() && self.adapters.is_none()
    }
}

impl Host for JsHost {
    type Error = napi::Error;

    fn count_tokens(&mut self, output: &Output) -> Result<f64> {
        match (&self.count_tokens, &output.text) {
            (Some(count), Some(text)) => {
                let (start, count_of) = (to_u32(output.start), to_u32(output.count));
                let arguments = FnArgs::from((start, count_of, JsText(text.clone()), output.ids_hash));
                count.call_now(arguments, read)
            }
            _ => Err(napi::Error::from_reason("an output was to be counted, and no counter was given")),
        }
    }

    fn first_pattern(&mut self, index: usize) -> Result<Option<usize>> {
        let Some(first_pattern) = &self.first_pattern else { return Ok(None) };
        let number: i32 = first_pattern.call_now(FnArgs::from((to_u32(index),)), read)?;
        Ok(usize::try_from(number).ok())
    }

    fn find_adapter(&mut self, index: usize) -> Result<Option<usize>> {
        let Some(Adapters { find, .. }) = &self.adapters else { return Ok(None) };
        let number: i32 = find.call_now(FnArgs::from((to_u32(index),)), read)?;
        Ok(usize::try_from(number).ok())
    }

    fn adapted_prose(&mut self, index: usize) -> Result<TextBuf> {
        let Some(Adapters { prose, .. }) = &self.adapters else { return Ok(TextBuf::new()) };
        Ok(prose.call_now(FnArgs::from((to_u32(index),)), read_text)?.unwrap_or_default())
    }

    fn reconstruct(&mut self, index: usize, summary: TextBuf) -> Result<Option<TextBuf>> {
        let Some(Adapters { reconstruct, .. }) = &self.adapters else { return Ok(None) };
        reconstruct.call_now(FnArgs::from((to_u32(index), JsText(summary))), read_text)
    }
}

/// Reads a string; returns `None` for any other value.
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
