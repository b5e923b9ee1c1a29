//! Statistics of a result.

use super::decisions::Decision;
use super::facts::Facts;
use super::render::{Emission, Output};
use crate::quality::{EntityOverlay, ListedTraits, Quality, Traits, quality};
use crate::text::TextBuf;
use crate::transcript::TextId;

/// Statistics of a result.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// UTF-16 code units of the input per code unit of the result; 1 if nothing was summarised or exactly deduplicated.
    pub ratio: f64,
    /// The same for tokens.
    pub token_ratio: f64,
    /// Input messages replaced by a summary, split or cut text.
    pub messages_compressed: usize,
    /// Input messages kept unchanged.
    pub messages_preserved: usize,
    /// Input messages replaced by a reference to an identical one.
    pub messages_deduped: usize,
    /// Input messages replaced by a reference to a nearly identical one.
    pub messages_fuzzy_deduped: usize,
    /// Input messages that a pattern of the caller kept.
    pub messages_pattern_preserved: usize,
    /// Input messages that the caller's classifier kept.
    pub messages_llm_preserved: usize,
    /// Input messages that their importance kept.
    pub messages_importance_preserved: usize,
    /// Input messages replaced by a reference to the one that supersedes them.
    pub messages_contradicted: usize,
    /// Input messages omitted because no sentence in them matters.
    pub messages_relevance_dropped: usize,
    /// Unusable answers of the caller's scorer.
    pub scorer_fallbacks: usize,
    /// Decision for each message; empty unless the trace is asked for.
    pub decisions: Vec<Decision>,
    /// Labels of clusters, by number; empty without a trace.
    pub cluster_labels: Vec<TextBuf>,
    /// Present if something was summarised, exactly deduplicated, superseded or trimmed.
    pub quality: Option<Quality>,
}

/// Outcome of a token budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BudgetReport {
    /// Whether the result fits the budget.
    pub fits: bool,
    /// Tokens of the result.
    pub token_count: f64,
    /// Recency window of the result.
    pub recency_window: f64,
}

/// Computes the statistics of a result. `tokens_in` and `tokens_out` are those of the input and of the result, `written` the
/// traits of the outputs with a text of their own, in order, whose entities `entities` has.
pub fn statistics(
    facts: &Facts,
    emission: Emission,
    (tokens_in, tokens_out): (f64, f64),
    written: &[Traits],
    entities: &EntityOverlay,
) -> (Vec<Output>, Statistics) {
    let acted = emission.compressed + emission.deduped > 0;
    let length_in = facts.length(0, facts.transcript.len());
    let length_out: usize = emission.outputs.iter().map(Output::length).sum();
    let share = |whole: f64, part: f64| if acted && part > 0.0 { whole / part } else { 1.0 };
    let is_changed = acted || emission.contradicted > 0 || !facts.untrimmed.is_empty();
    let statistics = Statistics {
        ratio: share(length_in as f64, length_out as f64),
        token_ratio: share(tokens_in, tokens_out),
        messages_compressed: emission.compressed,
        messages_preserved: emission.preserved,
        messages_deduped: emission.deduped,
        messages_fuzzy_deduped: emission.fuzzy_deduped,
        messages_pattern_preserved: emission.pattern_preserved,
        messages_llm_preserved: emission.llm_preserved,
        messages_importance_preserved: emission.importance_preserved,
        messages_contradicted: emission.contradicted,
        messages_relevance_dropped: emission.relevance_dropped,
        scorer_fallbacks: 0,
        decisions: emission.decisions,
        cluster_labels: Vec::new(),
        quality: is_changed.then(|| quality_of(facts, &emission.outputs, written, entities)),
    };
    (emission.outputs, statistics)
}

fn quality_of(facts: &Facts, outputs: &[Output], written: &[Traits], entities: &EntityOverlay) -> Quality {
    let transcript = &facts.transcript;
    let given = |text: TextId| facts.texts.traits(text).listed(facts.texts.entities());
    let mut texts: Vec<TextId> = (0..transcript.len()).map(|index| transcript.text_id(index)).collect();
    let kept = outputs.iter().filter(|output| output.text.is_none()).map(|output| given(texts[output.start]));
    let kept: Vec<ListedTraits<'_>> = kept.collect();
    let written = written
        .iter()
        .map(|traits| ListedTraits { entities: entities.listed(traits.entities), structures: traits.structures });
    for &(index, text) in &facts.untrimmed {
        texts[index] = text;
    }
    let has_id = transcript.with_ids_of(outputs.iter().map(|output| output.start));
    let count = facts.texts.entities().len() + entities.len();
    quality(count, texts.into_iter().map(given).zip(has_id), kept.into_iter().chain(written))
}
