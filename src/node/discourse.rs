//! Discourse units, for direct calls.

use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use super::strings::{JsText, StringArray, Units};
use palimpsest_drop_in::discourse::{Dependencies, Discourse, Edu, select};
use palimpsest_text::TextBuf;
use palimpsest_text::index::to_usize;
use palimpsest_text::masks::Scratch;

/// A clause of a text.
#[napi(object, object_from_js = false)]
pub struct FoundEdu {
    #[napi(ts_type = "string")]
    pub text: JsText<TextBuf>,
    pub depends_on_last: bool,
}

/// See `segmentEDUs` in `index.d.ts`.
#[napi(catch_unwind, js_name = "segmentEDUs")]
pub fn segment_edus(#[napi(ts_arg_type = "string")] text: Units) -> Vec<FoundEdu> {
    let text = TextBuf::from(text);
    let mut scratch = Scratch::default();
    let mut discourse = Discourse::default();
    let found = |&Edu { start, end, depends_on_last, .. }: &Edu| FoundEdu {
        text: JsText(TextBuf::from(text.as_text().slice(start..end))),
        depends_on_last,
    };
    discourse.read(scratch.scan(text.as_text().bytes())).iter().map(found).collect()
}

/// Returns the scores of clauses.
#[napi(catch_unwind, js_name = "scoreEDUs")]
pub fn score_edus(#[napi(ts_arg_type = "string[]")] texts: StringArray) -> Result<Vec<f64>> {
    let texts = texts.read_all()?;
    let mut scratch = Scratch::default();
    let mut discourse = Discourse::default();
    Ok((0..texts.len()).map(|index| discourse.score(scratch.scan(texts.get(index).bytes()))).collect())
}

/// Returns which of the discourse units a summary has; see `selectEDUs` in `index.d.ts`.
#[napi(catch_unwind, js_name = "selectEDUs")]
pub fn select_edus(
    lengths: Vec<u32>,
    scores: Vec<f64>,
    depends_on: Vec<Vec<u32>>,
    budget: f64,
    max_depth: u32,
) -> Result<Vec<bool>> {
    if scores.len() != lengths.len() || depends_on.len() != lengths.len() {
        return Err(Error::from_reason("each unit needs a length, a score and what it depends on"));
    }
    let units: Vec<_> = lengths.into_iter().map(to_usize).zip(scores).collect();
    let mut dependencies = Dependencies::default();
    for targets in depends_on {
        dependencies.push(targets.into_iter().map(to_usize));
    }
    Ok(select(&units, &dependencies, budget, to_usize(max_depth)))
}

/// See `summarizeWithEDUs` in `index.d.ts`.
#[napi(catch_unwind, js_name = "summarizeWithEDUs", ts_return_type = "string")]
pub fn summarize_with_edus(#[napi(ts_arg_type = "string")] text: Units, budget: f64) -> JsText<TextBuf> {
    let text = TextBuf::from(text);
    let mut scratch = Scratch::default();
    let mut summary = TextBuf::new();
    let scanned = scratch.scan(text.as_text().bytes());
    Discourse::default().write(text.as_text(), scanned, budget, &mut summary);
    JsText(summary)
}
