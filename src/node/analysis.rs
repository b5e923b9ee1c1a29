//! The analyses that users may call directly.

use napi::bindgen_prelude::Result;
use napi_derive::napi;

use super::strings::{JsTexts, StringArray, Units};
use palimpsest_drop_in::classify::{self, Reason, Verdict};
use palimpsest_drop_in::compress::is_already_compressed;
use palimpsest_drop_in::contradiction::{self, Topics};
use palimpsest_drop_in::dedup::{Duplicate, ExactGroups, FuzzyIndex, MIN_LENGTH};
use palimpsest_drop_in::importance::{Names, content_signals, importance};
use palimpsest_drop_in::quality::{EntityTable, Facts, Traits, quality, structural_elements};
use palimpsest_drop_in::summarize::{best_sentence_score as best_score, sentences};
use palimpsest_history::transcript::{DistinctTexts, TextId};
use palimpsest_text::class::trim;
use palimpsest_text::index::{to_u32, to_usize};
use palimpsest_text::masks::Scratch;
use palimpsest_text::{Text, TextBuf};

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

/// Returns the names of the reasons that alone suffice to keep a text.
#[napi(catch_unwind)]
pub fn hard_reason_names() -> Vec<&'static str> {
    Reason::ALL.iter().filter(|reason| reason.is_hard()).map(|reason| reason.name()).collect()
}

/// Returns whether a text reads as a chain of reasoning.
#[napi(catch_unwind)]
pub fn is_reasoning_chain(#[napi(ts_arg_type = "string")] text: Units) -> bool {
    classify::is_reasoning_chain(TextBuf::from(text).as_text())
}

/// See `bestSentenceScore` in `index.d.ts`.
#[napi(catch_unwind)]
pub fn best_sentence_score(#[napi(ts_arg_type = "string")] text: Units) -> i32 {
    best_score(TextBuf::from(text).as_text().bytes())
}

/// Returns the sentences of a text, or the trimmed text if it has none.
#[napi(catch_unwind, ts_return_type = "string[]")]
pub fn split_sentences(#[napi(ts_arg_type = "string")] text: Units) -> JsTexts<TextBuf> {
    let text = TextBuf::from(text);
    let text = text.as_text();
    let mut scratch = Scratch::default();
    let mut found: Vec<_> = sentences(scratch.scan(text.bytes()), 0, text.len()).collect();
    if found.is_empty() {
        found.extend(Some(trim(text.bytes(), 0, text.len())).filter(|(start, end)| start < end));
    }
    JsTexts(found.into_iter().map(|(start, end)| TextBuf::from(text.slice(start..end))).collect())
}

/// See `scoreContentSignals` in `index.d.ts`.
#[napi(catch_unwind)]
pub fn score_content_signals(#[napi(ts_arg_type = "string")] text: Units) -> f64 {
    content_signals(Scratch::default().scan(TextBuf::from(text).as_text().bytes()))
}

/// Returns the importance of each text.
#[napi(catch_unwind)]
pub fn compute_importance(#[napi(ts_arg_type = "string[]")] texts: StringArray) -> Result<Vec<f64>> {
    let mut names = Names::default();
    for_each_text(&texts, |_, text| names.read(text))?;
    Ok(importance(&names))
}

/// A message and the one that supersedes it.
#[napi(object, object_from_js = false)]
pub struct FoundContradiction {
    pub of: u32,
    pub by: u32,
    pub overlap: f64,
    pub signal: &'static str,
}

/// Finds the corrections among the texts. `roles` has for each text the number of its role, 0 for none, and -1 for a text that
/// can neither correct nor be corrected.
#[napi(catch_unwind)]
pub fn find_contradictions(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    roles: Vec<i32>,
    threshold: f64,
) -> Result<Vec<FoundContradiction>> {
    let mut topics = Topics::default();
    for_each_text(&texts, |index, text| {
        let is_eligible = text.len() >= contradiction::MIN_LENGTH && !is_already_compressed(text.bytes());
        if let Some(role) = roles.get(index).and_then(|&role| u32::try_from(role).ok()).filter(|_| is_eligible) {
            topics.read(index, Some(role).filter(|&role| role != 0), text);
        }
    })?;
    let found = topics.contradictions(threshold);
    Ok(found
        .iter()
        .map(|found| FoundContradiction {
            of: to_u32(found.of),
            by: to_u32(found.by),
            overlap: found.overlap,
            signal: found.signal.name(),
        })
        .collect())
}

/// Counts the fences, lone braces and tables of a text.
#[napi(catch_unwind)]
pub fn count_structural_elements(#[napi(ts_arg_type = "string")] text: Units) -> u32 {
    structural_elements(Scratch::default().scan(TextBuf::from(text).as_text().bytes()))
}

/// Returns the distinct entities of the texts, at most `limit` of each, in order.
#[napi(catch_unwind, ts_return_type = "string[]")]
pub fn list_entities(#[napi(ts_arg_type = "string[]")] texts: StringArray, limit: u32) -> Result<JsTexts<TextBuf>> {
    let mut table = EntityTable::default();
    let mut scratch = Scratch::default();
    let mut listings = Vec::with_capacity(texts.capacity());
    for_each_text(&texts, |_, text| {
        listings.push(table.list(text, scratch.scan(text.bytes()), to_usize(limit), None));
    })?;
    let mut seen = vec![false; table.len()];
    let listed = listings.iter().flat_map(|listing| table.listed(*listing));
    let distinct = listed.filter(|id| !std::mem::replace(&mut seen[id.index()], true));
    Ok(JsTexts(distinct.map(|id| TextBuf::from(table.name(*id))).collect()))
}

/// Returns the quality of `output` against `input`: entity retention, structural integrity, reference coherence and quality
/// score. `has_id` tells for each input message whether its id is among the output's.
#[napi(catch_unwind)]
pub fn compute_quality(
    #[napi(ts_arg_type = "string[]")] input: StringArray,
    has_id: Vec<bool>,
    #[napi(ts_arg_type = "string[]")] output: StringArray,
) -> Result<Vec<f64>> {
    // Most messages of a result are those of the input, and are read once.
    let mut texts = DistinctTexts::default();
    let mut ids_of = |list: &StringArray| -> Result<Vec<TextId>> {
        let mut ids = Vec::with_capacity(list.capacity());
        list.for_each(None, |_, units| ids.push(texts.push_units(units)))?;
        Ok(ids)
    };
    let (input, output) = (ids_of(&input)?, ids_of(&output)?);
    let (mut table, mut scratch) = (EntityTable::default(), Scratch::default());
    let mut traits_of = |text: Text<'_>| Traits::of(text, scratch.scan(text.bytes()), &mut table);
    let traits: Vec<Traits> = (0..texts.count()).map(|index| traits_of(texts.get(index.into()))).collect();
    let traits = |id: TextId| traits[id.index()];
    let found = quality(&table, input.into_iter().map(traits).zip(has_id), output.into_iter().map(traits));
    Ok(vec![found.entity_retention, found.structural_integrity, found.reference_coherence, found.quality_score])
}

/// Calls `visit` with each text.
fn for_each_text(texts: &StringArray, mut visit: impl FnMut(usize, Text<'_>)) -> Result<()> {
    let mut text = TextBuf::new();
    texts.for_each(None, |index, units| {
        text.clear();
        text.push_units(units);
        visit(index, text.as_text());
    })
}

/// A message that duplicates another.
#[napi(object, object_from_js = false)]
pub struct FoundDuplicate {
    pub index: u32,
    pub of: u32,
    pub length: u32,
    pub similarity: Option<f64>,
}

/// Finds the duplicates among the eligible texts: exact ones or, with a threshold, near ones.
#[napi(catch_unwind)]
pub fn find_duplicates(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    eligible: Vec<bool>,
    recency_start: f64,
    fuzzy_threshold: Option<f64>,
) -> Result<Vec<FoundDuplicate>> {
    let (texts, ids) = DistinctTexts::take_over(texts.read_all()?);
    let text = |index: usize| texts.get(ids[index]);
    let is_candidate = |&index: &usize| {
        let text = text(index);
        eligible.get(index) == Some(&true) && text.len() >= MIN_LENGTH && !is_already_compressed(text.bytes())
    };
    let candidates = || (0..ids.len()).filter(is_candidate);
    let mut duplicates: Vec<Option<Duplicate>> = vec![None; ids.len()];
    match fuzzy_threshold {
        Some(threshold) => {
            let texts = candidates().map(|index| (index, text(index)));
            FuzzyIndex::new(texts).annotate(threshold, recency_start, &mut duplicates);
        }
        None => {
            let ids = candidates().map(|index| (index, ids[index]));
            ExactGroups::new(ids).annotate(recency_start, &mut duplicates);
        }
    }
    let found = duplicates.iter().enumerate().filter_map(|(index, duplicate)| {
        let Duplicate { of, similarity } = (*duplicate)?;
        Some(FoundDuplicate { index: to_u32(index), of: to_u32(of), length: to_u32(text(index).len()), similarity })
    });
    Ok(found.collect())
}

/// Returns the share of the specific facts of `input` that `output` contains, 0 to 1.
#[napi(catch_unwind)]
pub fn fact_retention(
    #[napi(ts_arg_type = "string[]")] input: StringArray,
    #[napi(ts_arg_type = "string[]")] output: StringArray,
) -> Result<f64> {
    let mut facts = Facts::default();
    let mut text = TextBuf::new();
    let mut each = |texts: &StringArray, visit: fn(&mut Facts, Text<'_>)| {
        texts.for_each(None, |_, units| {
            text.clear();
            text.push_units(units);
            visit(&mut facts, text.as_text());
        })
    };
    each(&input, Facts::add_original)?;
    each(&output, Facts::find_in)?;
    Ok(facts.retention())
}
