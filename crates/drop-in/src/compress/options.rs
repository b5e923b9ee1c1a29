//! The options of a call, with the caller's defaults filled in.

use crate::summarize::Depth;

/// The options of a call; the package's types describe each in full.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of most recent messages that are kept; any double, as in JavaScript.
    pub recency_window: f64,
    /// Replace identical texts by references.
    pub dedup: bool,
    /// Replace nearly identical texts by references.
    pub fuzzy_dedup: bool,
    /// Minimum similarity of nearly identical texts, 0 to 1.
    pub fuzzy_threshold: f64,
    /// Put a summary's id into its text.
    pub embed_summary_id: bool,
    /// Maximum tokens of the result.
    pub token_budget: Option<f64>,
    /// Smallest recency window that the search may try.
    pub min_recency_window: f64,
    /// Cut long messages if nothing else fits.
    pub force_converge: bool,
    /// Messages with more tokens are compressed even if a soft rule would keep them.
    pub observation_threshold: Option<f64>,
    /// Let the classifier alone decide whether a text is kept.
    pub full_classifier_mode: bool,
    /// Report what became of each message and why.
    pub trace: bool,
    /// Replace a question and its answer, a request and its result, and the like, by one text.
    pub conversation_flow: bool,
    /// Replace messages of at least this similarity, 0 to 1, by one text.
    pub cluster_threshold: Option<f64>,
    /// Add definitions of names that kept messages use to summaries.
    pub coreference: bool,
    /// Summarise by clauses and their dependencies, unless the caller brings summaries.
    pub discourse_aware: bool,
    /// The host has patterns.
    pub has_patterns: bool,
    /// The host has adapters.
    pub has_adapters: bool,
    /// The caller brings summaries; [`super::Engine::step`] requests them.
    pub has_summarizer: bool,
    /// The caller brings scores of sentences; [`super::Engine::step`] requests them.
    pub has_scorer: bool,
    /// The caller's scores are combined with the engine's own.
    pub combine_scores: bool,
    /// Minimum importance of a message that is kept for it.
    pub importance_threshold: Option<f64>,
    /// Minimum overlap of a correction and the message that it corrects.
    pub contradiction_threshold: Option<f64>,
    /// Messages without a sentence of at least this score are omitted.
    pub relevance_threshold: Option<f64>,
    /// Length of summaries.
    pub depth: DepthOption,
    /// Keep the recency window, and shorten the messages before it tier by tier until the budget is met.
    pub is_tiered: bool,
}

/// Length of summaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthOption {
    /// One depth.
    Fixed(Depth),
    /// The least depth that meets the budget; gentle without a budget.
    Auto,
}

impl Options {
    /// Returns the smallest recency window that the call may use.
    pub(super) fn smallest_window(&self) -> f64 {
        if self.token_budget.is_some() && !self.is_tiered { self.min_recency_window } else { self.recency_window }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            recency_window: 4.0,
            dedup: true,
            fuzzy_dedup: false,
            fuzzy_threshold: 0.85,
            embed_summary_id: false,
            token_budget: None,
            min_recency_window: 0.0,
            force_converge: false,
            observation_threshold: None,
            full_classifier_mode: false,
            trace: false,
            conversation_flow: false,
            cluster_threshold: None,
            coreference: false,
            discourse_aware: false,
            has_patterns: false,
            has_adapters: false,
            has_summarizer: false,
            has_scorer: false,
            combine_scores: false,
            importance_threshold: None,
            contradiction_threshold: None,
            relevance_threshold: None,
            depth: DepthOption::Fixed(Depth::Gentle),
            is_tiered: false,
        }
    }
}
