//! The result of a call, as `lib/compress/assemble.ts` makes messages of it.

use std::hash::Hash;

use napi::bindgen_prelude::{Float64ArraySlice, Result, ToNapiValue, Uint32Array};
use napi::{Env, JsValue, sys};
use napi_derive::napi;
use rustc_hash::FxHashMap;

use super::strings::JsTexts;
use crate::layout::{decision_column, output_column, sentinel, statistic};
use palimpsest_drop_in::compress::{Decision, Outcome, Reason};
use palimpsest_text::index::to_u32;
use palimpsest_text::{SharedText, TextBuf};

/// The result of a call.
#[napi(object, object_from_js = false)]
pub struct CompressOutcome {
    /// The slots of `STATISTIC`, and after them a row of `OUTPUT_COLUMN` for each message of the result. One array, because
    /// each costs as much as reading a short message.
    #[napi(ts_type = "Float64Array")]
    pub numbers: Numbers,
    /// The texts that were written.
    #[napi(ts_type = "string[]")]
    pub texts: JsTexts<SharedText>,
    /// The decision on each message, if the caller asked for a trace.
    pub trace: Option<Trace>,
}

/// The decisions on messages.
#[napi(object, object_from_js = false)]
pub struct Trace {
    /// A row of `DECISION_COLUMN` for each decision.
    pub decisions: Uint32Array,
    pub actions: Vec<&'static str>,
    pub reasons: Vec<String>,
    #[napi(ts_type = "string[]")]
    pub cluster_labels: JsTexts<TextBuf>,
}

impl From<Outcome> for CompressOutcome {
    fn from(outcome: Outcome) -> Self {
        let statistics = statistics_of(&outcome);
        let found = outcome.statistics;
        let trace = (!found.decisions.is_empty()).then(|| Trace::of(&found.decisions, found.cluster_labels));
        let outputs = outcome.outputs.unwrap_or_default();
        let mut numbers = Vec::with_capacity(statistic::COUNT + output_column::COUNT * outputs.len());
        numbers.extend(statistics);
        let mut texts = Vec::new();
        for output in outputs {
            let mut row = [0.0; output_column::COUNT];
            row[output_column::START] = output.start as f64;
            row[output_column::MESSAGES] = output.count as f64;
            row[output_column::IDS_HASH] = f64::from(output.ids_hash);
            if let Some(text) = output.text {
                texts.push(text);
                row[output_column::TEXT] = texts.len() as f64;
            }
            numbers.extend(row);
        }
        CompressOutcome { numbers: Numbers(numbers), texts: JsTexts(texts), trace }
    }
}

/// Numbers to be made a JavaScript array. It is a copy: memory of ours that JavaScript frees costs several times as much.
pub struct Numbers(Vec<f64>);

impl ToNapiValue for Numbers {
    unsafe fn to_napi_value(env: sys::napi_env, Numbers(numbers): Self) -> Result<sys::napi_value> {
        Ok(Float64ArraySlice::copy_from(&Env::from_raw(env), numbers)?.raw())
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
    slots[statistic::HAS_QUALITY] = f64::from(u8::from(found.is_changed));
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
        let mut actions = Numbering::default();
        let mut reasons = Numbering::default();
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
            row[decision_column::MESSAGE] = to_u32(decision.index);
            row[decision_column::ACTION] = actions.number(decision.action.name());
            row[decision_column::REASON] = reasons.number(reason);
            row[decision_column::OUTPUT_LENGTH] = to_u32(decision.output_length);
            row[decision_column::DETAIL] = number;
            rows.extend(row);
        }
        let reasons = reasons.values.iter().map(Reason::to_string).collect();
        Trace {
            decisions: Uint32Array::new(rows),
            actions: actions.values,
            reasons,
            cluster_labels: JsTexts(cluster_labels),
        }
    }
}

/// Numbers distinct values in order of first use.
struct Numbering<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Numbering { values: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + Hash> Numbering<T> {
    fn number(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            to_u32(self.values.len()) - 1
        })
    }
}
