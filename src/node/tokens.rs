//! Counting tokens.

use napi::bindgen_prelude::{Error, Float64Array, Result, Uint32Array};
use napi_derive::napi;

use super::strings::StringArray;
use crate::pipeline::{ExactTokens, in_parts};
use crate::text::Texts;
use crate::tokens::{Counter, Tokenizer};

/// The tokens of each text.
#[napi(catch_unwind)]
pub fn count_texts(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "'o200k_base' | 'cl100k_base' | 'estimate'")] tokenizer: String,
) -> Result<Uint32Array> {
    let tokenizer = tokenizer_named(&tokenizer)?;
    let mut read = Texts::with_capacity(texts.len(), 0);
    texts.for_each(None, |_, units| read.push_units(units))?;
    let count = |part: std::ops::Range<usize>| {
        let mut counter = Counter::new(tokenizer);
        part.map(|index| counter.count(read.get(index)) as u32).collect::<Vec<_>>()
    };
    Ok(Uint32Array::new(in_parts(read.len(), |index| read.get(index).len(), count).concat()))
}

/// How a call of `compress` counts the messages that it writes.
#[napi(object, object_to_js = false)]
pub struct GatheredTokenizer {
    #[napi(ts_type = "'o200k_base' | 'cl100k_base' | 'estimate'")]
    pub name: String,
    /// For each message the tokens of all but its text.
    pub others: Float64Array,
    /// The tokens that belong to no message.
    pub of_request: f64,
}

impl GatheredTokenizer {
    /// The engine's counter.
    pub fn read(&self) -> Result<ExactTokens> {
        Ok(ExactTokens::new(tokenizer_named(&self.name)?, self.others.to_vec(), self.of_request))
    }
}

/// The tokens of each message, unless the engine estimates them, and what counts the messages that are written.
pub type Counts = (Option<Vec<f64>>, Option<ExactTokens>);

/// The counts of a call of `compress`.
pub fn read_counts(tokens: Option<&[f64]>, tokenizer: Option<GatheredTokenizer>) -> Result<Counts> {
    Ok((tokens.map(<[f64]>::to_vec), tokenizer.map(|tokenizer| tokenizer.read()).transpose()?))
}

pub fn tokenizer_named(name: &str) -> Result<Tokenizer> {
    Tokenizer::from_name(name).ok_or_else(|| Error::from_reason(format!("no tokenizer is named {name:?}")))
}
