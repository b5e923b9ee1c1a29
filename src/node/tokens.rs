//! Counting tokens.

use napi::Env;
use napi::bindgen_prelude::{ClassInstance, Error, Float64Array, PromiseRaw, Result, Uint32Array};
use napi_derive::napi;

use super::future::{offload, spawn_local};
use super::strings::{CopiedTexts, StringArray};
use crate::compress::ExactTokens;
use crate::parallel::map_chunks;
use crate::text::Texts;
use crate::tokens::{Counter, Tokenizer};

/// The tokens of each text.
#[napi(catch_unwind)]
pub fn count_texts(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "'o200k_base' | 'cl100k_base' | 'estimate'")] tokenizer: String,
) -> Result<Uint32Array> {
    Ok(Uint32Array::new(count_each(&texts.read_all()?, tokenizer_named(&tokenizer)?)))
}

/// The tokens of each of some copied texts, which are taken over.
#[napi(catch_unwind)]
pub fn count_copied(
    mut texts: ClassInstance<CopiedTexts>,
    #[napi(ts_arg_type = "'o200k_base' | 'cl100k_base' | 'estimate'")] tokenizer: String,
) -> Result<Uint32Array> {
    Ok(Uint32Array::new(count_each(&texts.take(), tokenizer_named(&tokenizer)?)))
}

/// The same, on another thread.
#[napi(catch_unwind)]
pub fn count_copied_async<'env>(
    env: &'env Env,
    mut texts: ClassInstance<CopiedTexts>,
    #[napi(ts_arg_type = "'o200k_base' | 'cl100k_base' | 'estimate'")] tokenizer: String,
) -> Result<PromiseRaw<'env, Uint32Array>> {
    let (texts, tokenizer) = (texts.take(), tokenizer_named(&tokenizer)?);
    let counted = offload(*env, move || count_each(&texts, tokenizer));
    spawn_local(env, async move { Ok(Uint32Array::new(counted.await?)) })
}

fn count_each(texts: &Texts, tokenizer: Tokenizer) -> Vec<u32> {
    let count = |part: std::ops::Range<usize>| {
        let mut counter = Counter::new(tokenizer);
        part.map(|index| counter.count(texts.get(index)) as u32).collect::<Vec<_>>()
    };
    map_chunks(texts.len(), |index| texts.get(index).len(), count).concat()
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
