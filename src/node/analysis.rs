//! The parts of the engine that users may call by themselves.

use napi::bindgen_prelude::Result;
use napi_derive::napi;

use super::strings::{JsText, StringArray, Units};
use crate::classify::{self, Reason, Verdict};
use crate::dedup::{Duplicate, ExactGroups, FuzzyIndex, MIN_LENGTH};
use crate::pipeline::is_already_compressed;
use crate::quality::{EntityTable, Traits, quality, structural_elements};
use crate::summarize::best_sentence_score as best_score;
use crate::text::masks::Scratch;
use crate::text::{Text, TextBuf};

/// The heuristic classifier's verdict on a text.
#[napi(object, object_from_js = false)]
pub struct Classification {
    pub decision: &'static str,
    pub confidence: f64,
    pub reasons: Vec<&'static str>,
}

/// See `classifyMessage` in `index.d.ts`.
#[napi(catch_unwind)]
pub fn classify_message(#[napi(ts_arg_type = "string")] text: Units) -> Classification {
    let text = TextBuf::from(text);
    let found = classify::classify(text.as_text());
    let decision = match found.verdict {
        Verdict::Keep => "T0",
        Verdict::Short => "T2",
        Verdict::Long => "T3",
    };
    Classification { decision, confidence: found.confidence, reasons: found.reasons.iter().map(Reason::name).collect() }
}

/// The names of the reasons that are enough to keep a text.
#[napi(catch_unwind)]
pub fn hard_reason_names() -> Vec<&'static str> {
    Reason::ALL.iter().filter(|reason| reason.is_hard()).map(|reason| reason.name()).collect()
}

/// Whether a text reads as a chain of reasoning.
#[napi(catch_unwind)]
pub fn is_reasoning_chain(#[napi(ts_arg_type = "string")] text: Units) -> bool {
    classify::is_reasoning_chain(TextBuf::from(text).as_text())
}

/// See `bestSentenceScore` in `index.d.ts`.
#[napi(catch_unwind)]
pub fn best_sentence_score(#[napi(ts_arg_type = "string")] text: Units) -> i32 {
    best_score(TextBuf::from(text).as_text().bytes())
}

/// The number of fences, lone braces and tables in a text.
#[napi(catch_unwind)]
pub fn count_structural_elements(#[napi(ts_arg_type = "string")] text: Units) -> u32 {
    structural_elements(Scratch::default().scan(TextBuf::from(text).as_text().bytes()))
}

/// The distinct entities of the texts, at most `limit` of each, in order.
#[napi(catch_unwind, ts_return_type = "string[]")]
pub fn list_entities(#[napi(ts_arg_type = "string[]")] texts: StringArray, limit: u32) -> Result<Vec<JsText<TextBuf>>> {
    let mut table = EntityTable::default();
    let mut scratch = Scratch::default();
    let mut listings = Vec::with_capacity(texts.len());
    texts.for_each(None, |_, units| {
        let mut text = TextBuf::new();
        text.push_units(units);
        listings.push(table.list(text.as_text(), scratch.scan(text.as_text().bytes()), limit as usize, None));
    })?;
    let mut seen = vec![false; table.len()];
    let listed = listings.iter().flat_map(|listing| table.listed(*listing));
    let distinct = listed.filter(|id| !std::mem::replace(&mut seen[id.index()], true));
    Ok(distinct.map(|id| JsText(TextBuf::from(table.name(*id)))).collect())
}

/// The four quality numbers of `output` against `input`: entity retention, structural integrity, reference coherence
/// and quality score. `has_id` tells for each input message whether its id is among the output's.
#[napi(catch_unwind)]
pub fn compute_quality(
    #[napi(ts_arg_type = "string[]")] input: StringArray,
    has_id: Vec<bool>,
    #[napi(ts_arg_type = "string[]")] output: StringArray,
) -> Result<Vec<f64>> {
    let mut table = EntityTable::default();
    let (input, output) = (traits_of(&input, &mut table)?, traits_of(&output, &mut table)?);
    let found = quality(&table, input.into_iter().zip(has_id), output.into_iter());
    Ok(vec![found.entity_retention, found.structural_integrity, found.reference_coherence, found.quality_score])
}

fn traits_of(texts: &StringArray, table: &mut EntityTable) -> Result<Vec<Traits>> {
    let mut all = Vec::with_capacity(texts.len());
    let mut scratch = Scratch::default();
    texts.for_each(None, |_, units| {
        let mut text = TextBuf::new();
        text.push_units(units);
        all.push(Traits::of(text.as_text(), scratch.scan(text.as_text().bytes()), table, None));
    })?;
    Ok(all)
}

/// A message that duplicates another.
#[napi(object, object_from_js = false)]
pub struct FoundDuplicate {
    pub index: u32,
    pub of: u32,
    pub length: u32,
    pub similarity: Option<f64>,
}

/// The duplicates among the texts: exact ones or, with a threshold, near ones. `eligible` tells which texts may be.
#[napi(catch_unwind)]
pub fn find_duplicates(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    eligible: Vec<bool>,
    recency_start: f64,
    fuzzy_threshold: Option<f64>,
) -> Result<Vec<FoundDuplicate>> {
    let all = texts.read_all()?;
    let is_candidate = |&(index, text): &(usize, Text<'_>)| {
        eligible.get(index) == Some(&true) && text.len() >= MIN_LENGTH && !is_already_compressed(text.bytes())
    };
    let candidates = || (0..all.len()).map(|index| (index, all.get(index))).filter(is_candidate);
    let mut duplicates: Vec<Option<Duplicate>> = vec![None; all.len()];
    match fuzzy_threshold {
        Some(threshold) => FuzzyIndex::new(candidates()).annotate(threshold, recency_start, &mut duplicates),
        None => ExactGroups::new(candidates()).annotate(recency_start, &mut duplicates),
    }
    let found = duplicates.iter().enumerate().filter_map(|(index, duplicate)| {
        let Duplicate { of, similarity } = (*duplicate)?;
        Some(FoundDuplicate { index: index as u32, of: of as u32, length: all.get(index).len() as u32, similarity })
    });
    Ok(found.collect())
}
