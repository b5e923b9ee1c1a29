//! The result of a call, as `lib/assemble.js` makes messages of it.

use std::hash::Hash;

use napi::bindgen_prelude::Uint32Array;
use napi_derive::napi;
use rustc_hash::FxHashMap;

use super::conversation::COLUMNS;
use super::strings::JsText;
use crate::compress::{Decision, Outcome, Reason};
use crate::text::{SharedText, TextBuf};

/// What doesn't go into the numbers of the caller.
#[napi(object, object_from_js = false)]
pub struct CompressOutcome {
    /// The texts that were written.
    #[napi(ts_type = "string[]")]
    pub texts: Vec<JsText<SharedText>>,
    /// What became of each message, where that was asked for.
    pub trace: Option<Trace>,
}

/// What became of each message.
#[napi(object, object_from_js = false)]
pub struct Trace {
    /// For each decision: the message, the number of the action and of the reason, the lengths before and after, and
    /// the number of the pattern, adapter or cluster.
    pub decisions: Uint32Array,
    pub actions: Vec<&'static str>,
    pub reasons: Vec<String>,
    #[napi(ts_type = "string[]")]
    pub cluster_labels: Vec<JsText<TextBuf>>,
}

/// Writes an outcome into what the caller holds ready: into `columns`, for each message of the result, the first input
/// message that it stands for, how many it stands for, the number of its text in `texts` plus one (0: the input message
/// itself), and the hash of the ids that it stands for; into `numbers` the statistics.
pub fn write_outcome(outcome: Outcome, columns: &mut [u32], numbers: &mut [f64]) -> CompressOutcome {
    let statistics = outcome.statistics;
    // No result is longer than its input. -1 says that the input is the result.
    let count = outcome.outputs.as_ref().map_or(-1.0, |outputs| outputs.len() as f64);
    let mut texts = Vec::new();
    for (output, row) in outcome.outputs.into_iter().flatten().zip(columns.chunks_exact_mut(COLUMNS)) {
        let text = output.text.map_or(0, |text| {
            texts.push(JsText(text));
            texts.len() as u32
        });
        row.copy_from_slice(&[output.start as u32, output.count as u32, text, output.ids_hash]);
    }
    let quality = statistics.quality;
    let budget = outcome.budget;
    let all = [
        count,
        statistics.ratio,
        statistics.token_ratio,
        statistics.messages_compressed as f64,
        statistics.messages_preserved as f64,
        statistics.messages_deduped as f64,
        statistics.messages_fuzzy_deduped as f64,
        statistics.messages_pattern_preserved as f64,
        statistics.messages_llm_preserved as f64,
        f64::from(u8::from(quality.is_some())),
        quality.map_or(0.0, |quality| quality.entity_retention),
        quality.map_or(0.0, |quality| quality.structural_integrity),
        quality.map_or(0.0, |quality| quality.reference_coherence),
        quality.map_or(0.0, |quality| quality.quality_score),
        budget.map_or(-1.0, |budget| f64::from(u8::from(budget.fits))),
        budget.map_or(0.0, |budget| budget.token_count),
        budget.map_or(0.0, |budget| budget.recency_window),
        statistics.messages_importance_preserved as f64,
        statistics.messages_contradicted as f64,
        statistics.messages_relevance_dropped as f64,
        statistics.scorer_fallbacks as f64,
    ];
    numbers.iter_mut().zip(all).for_each(|(number, value)| *number = value);
    let trace = (!statistics.decisions.is_empty()).then(|| Trace::of(&statistics.decisions, statistics.cluster_labels));
    CompressOutcome { texts, trace }
}

impl Trace {
    fn of(decisions: &[Decision], cluster_labels: Vec<TextBuf>) -> Self {
        let mut actions = Numbered::default();
        let mut reasons = Numbered::default();
        let mut packed = Vec::with_capacity(6 * decisions.len());
        for decision in decisions {
            // All patterns share a name, and so do all adapters and clusters; the number tells them apart.
            let (reason, number) = match decision.reason {
                Reason::Pattern(number) => (Reason::Pattern(0), number),
                Reason::Adapter(number) => (Reason::Adapter(0), number),
                Reason::AdapterReverted(number) => (Reason::AdapterReverted(0), number),
                Reason::Cluster(number) => (Reason::Cluster(0), number),
                reason => (reason, 0),
            };
            packed.extend([
                decision.index as u32,
                actions.number(decision.action.name()),
                reasons.number(reason),
                decision.input_length as u32,
                decision.output_length as u32,
                number,
            ]);
        }
        let reasons = reasons.values.iter().map(Reason::to_string).collect();
        let cluster_labels = cluster_labels.into_iter().map(JsText).collect();
        Trace { decisions: Uint32Array::new(packed), actions: actions.values, reasons, cluster_labels }
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
