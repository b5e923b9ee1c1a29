//! The result of a call, as `lib/compress/assemble.js` makes messages of it.

use std::hash::Hash;

use napi::bindgen_prelude::{Float64Array, Uint32Array};
use napi_derive::napi;
use rustc_hash::FxHashMap;

use super::strings::JsText;
use crate::compress::{Decision, Outcome, Reason};
use crate::layout::{decision_column, output_column, sentinel, statistic};
use crate::text::{SharedText, TextBuf};

/// The result of a call.
#[napi(object, object_from_js = false)]
pub struct CompressOutcome {
    /// A row of `OUTPUT_COLUMN` for each message of the result.
    pub outputs: Uint32Array,
    /// The texts that were written.
    #[napi(ts_type = "string[]")]
    pub texts: Vec<JsText<SharedText>>,
    /// The slots of `STATISTIC`.
    pub statistics: Float64Array,
    /// What became of each message, where that was asked for.
    pub trace: Option<Trace>,
}

/// What became of each message.
#[napi(object, object_from_js = false)]
pub struct Trace {
    /// A row of `DECISION_COLUMN` for each decision.
    pub decisions: Uint32Array,
    pub actions: Vec<&'static str>,
    pub reasons: Vec<String>,
    #[napi(ts_type = "string[]")]
    pub cluster_labels: Vec<JsText<TextBuf>>,
}

impl From<Outcome> for CompressOutcome {
    fn from(outcome: Outcome) -> Self {
        let statistics = Float64Array::new(statistics_of(&outcome).to_vec());
        let found = outcome.statistics;
        let trace = (!found.decisions.is_empty()).then(|| Trace::of(&found.decisions, found.cluster_labels));
        let outputs = outcome.outputs.unwrap_or_default();
        let mut rows = Vec::with_capacity(output_column::COUNT * outputs.len());
        let mut texts = Vec::new();
        for output in outputs {
            let mut row = [0; output_column::COUNT];
            row[output_column::START] = output.start as u32;
            row[output_column::MESSAGES] = output.count as u32;
            row[output_column::IDS_HASH] = output.ids_hash;
            if let Some(text) = output.text {
                texts.push(JsText(text));
                row[output_column::TEXT] = texts.len() as u32;
            }
            rows.extend(row);
        }
        CompressOutcome { outputs: Uint32Array::new(rows), texts, statistics, trace }
    }
}

fn statistics_of(outcome: &Outcome) -> [f64; statistic::COUNT] {
    let none = f64::from(sentinel::NONE);
    let found = &outcome.statistics;
    let mut slots = [0.0; statistic::COUNT];
    slots[statistic::OUTPUTS] = outcome.outputs.as_ref().map_or(none, |outputs| outputs.len() as f64);
    slots[statistic::RATIO] = found.ratio;
    slots[statistic::TOKEN_RATIO] = found.token_ratio;
    slots[statistic::COMPRESSED] = found.messages_compressed as f64;
    slots[statistic::PRESERVED] = found.messages_preserved as f64;
    slots[statistic::DEDUPED] = found.messages_deduped as f64;
    slots[statistic::FUZZY_DEDUPED] = found.messages_fuzzy_deduped as f64;
    slots[statistic::PATTERN_PRESERVED] = found.messages_pattern_preserved as f64;
    slots[statistic::LLM_PRESERVED] = found.messages_llm_preserved as f64;
    slots[statistic::IMPORTANCE_PRESERVED] = found.messages_importance_preserved as f64;
    slots[statistic::CONTRADICTED] = found.messages_contradicted as f64;
    slots[statistic::RELEVANCE_DROPPED] = found.messages_relevance_dropped as f64;
    slots[statistic::SCORER_FALLBACKS] = found.scorer_fallbacks as f64;
    if let Some(quality) = &found.quality {
        slots[statistic::HAS_QUALITY] = 1.0;
        slots[statistic::ENTITY_RETENTION] = quality.entity_retention;
        slots[statistic::STRUCTURAL_INTEGRITY] = quality.structural_integrity;
        slots[statistic::REFERENCE_COHERENCE] = quality.reference_coherence;
        slots[statistic::QUALITY_SCORE] = quality.quality_score;
    }
    slots[statistic::FITS] = none;
    if let Some(budget) = &outcome.budget {
        slots[statistic::FITS] = f64::from(u8::from(budget.fits));
        slots[statistic::TOKEN_COUNT] = budget.token_count;
        slots[statistic::RECENCY_WINDOW] = budget.recency_window;
    }
    slots
}

impl Trace {
    fn of(decisions: &[Decision], cluster_labels: Vec<TextBuf>) -> Self {
        let mut actions = Numbered::default();
        let mut reasons = Numbered::default();
        let mut rows = Vec::with_capacity(decision_column::COUNT * decisions.len());
        for decision in decisions {
            // All patterns share a name, and so do all adapters and clusters; the number tells them apart.
            let (reason, number) = match decision.reason {
                Reason::Pattern(number) => (Reason::Pattern(0), number),
                Reason::Adapter(number) => (Reason::Adapter(0), number),
                Reason::AdapterReverted(number) => (Reason::AdapterReverted(0), number),
                Reason::Cluster(number) => (Reason::Cluster(0), number),
                reason => (reason, 0),
            };
            let mut row = [0; decision_column::COUNT];
            row[decision_column::MESSAGE] = decision.index as u32;
            row[decision_column::ACTION] = actions.number(decision.action.name());
            row[decision_column::REASON] = reasons.number(reason);
            row[decision_column::OUTPUT_LENGTH] = decision.output_length as u32;
            row[decision_column::DETAIL] = number;
            rows.extend(row);
        }
        let reasons = reasons.values.iter().map(Reason::to_string).collect();
        let cluster_labels = cluster_labels.into_iter().map(JsText).collect();
        Trace { decisions: Uint32Array::new(rows), actions: actions.values, reasons, cluster_labels }
    }
}

/// Distinct values under numbers, in order of first use.
struct Numbered<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { values: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    fn number(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }
}
