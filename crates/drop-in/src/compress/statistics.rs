//! Statistics of a result.

use super::decisions::Decision;
use super::facts::Facts;
use super::render::{Emission, Output};
use palimpsest_text::TextBuf;

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
    /// Whether something was summarised, exactly deduplicated, superseded or trimmed. Only then a result has a quality, which
    /// [`crate::quality`] computes for callers that read it.
    pub is_changed: bool,
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

/// Completes the statistics of a result. `tokens_in` and `tokens_out` are those of the input and of the result.
pub(super) fn complete(emission: &mut Emission, facts: &Facts, tokens_in: f64, tokens_out: f64) {
    let Emission { outputs, statistics } = emission;
    let acted = statistics.messages_compressed + statistics.messages_deduped > 0;
    let length_in = facts.length(0, facts.transcript.len());
    let length_out: usize = outputs.iter().map(Output::length).sum();
    let share = |whole: f64, part: f64| if acted && part > 0.0 { whole / part } else { 1.0 };
    statistics.ratio = share(length_in as f64, length_out as f64);
    statistics.token_ratio = share(tokens_in, tokens_out);
    statistics.is_changed = acted || statistics.messages_contradicted > 0 || !facts.untrimmed.is_empty();
}
