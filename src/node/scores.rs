//! Scores of sentences.

use napi::bindgen_prelude::Float64Array;
use napi_derive::napi;

use palimpsest_drop_in::summarize::combination::{combine, normalize};

/// Scales scores to between 0 and 1.
#[napi(catch_unwind)]
pub fn normalize_scores(scores: Float64Array) -> Float64Array {
    Float64Array::new(normalize(&scores))
}

/// Combines our scores of sentences with as many others; `weight` is the share of these.
#[napi(catch_unwind)]
pub fn combine_scores(heuristic: Float64Array, scores: Float64Array, weight: f64) -> Float64Array {
    Float64Array::new(combine(&heuristic, &scores, weight))
}
