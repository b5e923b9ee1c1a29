//! The result of a call, as `lib/compress.js` assembles messages from it.

use std::sync::Arc;

use napi::bindgen_prelude::Uint32Array;
use napi_derive::napi;

use super::strings::JsText;
use crate::pipeline::{Outcome, Reason};
use crate::text::TextBuf;

/// Results are written, never read back.
#[napi(object, object_from_js = false)]
pub struct CompressOutcome {
    /// For each message of the result: the first input message that it stands for, how many it stands for, the
    /// number of its text in `texts` plus one (0: the input message itself), and the hash of the ids that it stands
    /// for. Absent where the input is the result.
    pub outputs: Option<Uint32Array>,
    #[napi(ts_type = "string[]")]
    pub texts: Vec<JsText<Arc<TextBuf>>>,
    pub ratio: f64,
    pub token_ratio: f64,
    pub messages_compressed: u32,
    pub messages_preserved: u32,
    pub messages_deduped: u32,
    pub messages_fuzzy_deduped: u32,
    pub messages_pattern_preserved: u32,
    pub messages_llm_preserved: u32,
    /// Entity retention, structural integrity, reference coherence and quality score, where they were computed.
    pub quality: Option<Vec<f64>>,
    /// For each decision: the message, the number of the action and of the reason, the lengths before and after, and
    /// the number of the pattern.
    pub decisions: Uint32Array,
    pub actions: Vec<&'static str>,
    pub reasons: Vec<String>,
    pub fits: Option<bool>,
    pub token_count: Option<f64>,
    pub recency_window: Option<f64>,
}

impl From<Outcome> for CompressOutcome {
    fn from(outcome: Outcome) -> Self {
        let statistics = outcome.statistics;
        let mut texts = Vec::new();
        let outputs = outcome.outputs.map(|outputs| {
            let mut packed = Vec::with_capacity(4 * outputs.len());
            for output in outputs {
                let text = output.text.map_or(0, |text| {
                    texts.push(JsText(text));
                    texts.len() as u32
                });
                packed.extend([output.start as u32, output.count as u32, text, output.ids_hash]);
            }
            Uint32Array::new(packed)
        });
        let mut actions = Numbered::default();
        let mut reasons = Numbered::default();
        let mut decisions = Vec::with_capacity(6 * statistics.decisions.len());
        for decision in &statistics.decisions {
            // All patterns share a name; the number tells them apart.
            let (reason, pattern) = match decision.reason {
                Reason::Pattern(number) => (Reason::Pattern(0), number),
                reason => (reason, 0),
            };
            decisions.extend([
                decision.index as u32,
                actions.number(decision.action.name()),
                reasons.number(reason),
                decision.input_length as u32,
                decision.output_length as u32,
                pattern,
            ]);
        }
        CompressOutcome {
            outputs,
            texts,
            ratio: statistics.ratio,
            token_ratio: statistics.token_ratio,
            messages_compressed: statistics.messages_compressed as u32,
            messages_preserved: statistics.messages_preserved as u32,
            messages_deduped: statistics.messages_deduped as u32,
            messages_fuzzy_deduped: statistics.messages_fuzzy_deduped as u32,
            messages_pattern_preserved: statistics.messages_pattern_preserved as u32,
            messages_llm_preserved: statistics.messages_llm_preserved as u32,
            quality: statistics.quality.map(|quality| {
                vec![
                    quality.entity_retention,
                    quality.structural_integrity,
                    quality.reference_coherence,
                    quality.quality_score,
                ]
            }),
            decisions: Uint32Array::new(decisions),
            actions: actions.values,
            reasons: reasons.values.iter().map(Reason::to_string).collect(),
            fits: outcome.budget.map(|budget| budget.fits),
            token_count: outcome.budget.map(|budget| budget.token_count),
            recency_window: outcome.budget.map(|budget| budget.recency_window),
        }
    }
}

/// Distinct values under numbers, in order of first use.
struct Numbered<T> {
    values: Vec<T>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { values: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Numbered<T> {
    fn number(&mut self, value: T) -> u32 {
        let known = self.values.iter().position(|&known| known == value);
        known.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        }) as u32
    }
}
