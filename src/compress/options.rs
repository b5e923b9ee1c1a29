//! The options of a call, after the caller has put in the defaults.

use crate::summarize::Depth;

/// See the options of `compress` in the package's types for what each means.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many of the last messages are kept; any double, as JavaScript has it.
    pub recency_window: f64,
    /// Refer to identical texts.
    pub dedup: bool,
    /// Refer to nearly identical texts.
    pub fuzzy_dedup: bool,
    /// How alike nearly identical texts are, 0 to 1.
    pub fuzzy_threshold: f64,
    /// Put a summary's id into its text.
    pub embed_summary_id: bool,
    /// The tokens to fit into.
    pub token_budget: Option<f64>,
    /// The smallest recency window that the search for a fit may try.
    pub min_recency_window: f64,
    /// Cut long messages where nothing else fits.
    pub force_converge: bool,
    /// Messages with more tokens are compressed even where a soft rule would keep them.
    pub observation_threshold: Option<f64>,
    /// Leave it to the classifier alone whether a text has to be kept.
    pub full_classifier_mode: bool,
    /// Report what became of each message and why.
    pub trace: bool,
    /// Let one text stand for a question and its answer, a request and what was done, and the like.
    pub conversation_flow: bool,
    /// Let one text stand for messages that are alike by this much, 0 to 1.
    pub cluster_threshold: Option<f64>,
    /// Say in a summary what names mean that kept messages use.
    pub coreference: bool,
    /// Summarise by clauses and what they depend on, unless summaries are asked for.
    pub discourse_aware: bool,
    /// The host has patterns to ask for.
    pub has_patterns: bool,
    /// The host has adapters to ask.
    pub has_adapters: bool,
    /// Summaries are asked for, by [`super::Engine::step`].
    pub has_summarizer: bool,
    /// The scores of sentences are asked for, by [`super::Engine::step`].
    pub has_scorer: bool,
    /// From this importance on a message is kept, if that is to be looked at.
    pub importance_threshold: Option<f64>,
    /// How much a correction has in common with the message that it is meant for, if that is to be looked at.
    pub contradiction_threshold: Option<f64>,
    /// Messages without a sentence of this score are left out, if there are to be any.
    pub relevance_threshold: Option<f64>,
    /// How short summaries are.
    pub depth: DepthOption,
    /// The recency window stays as it is; what is before it is made shorter, tier by tier, until the budget is met.
    pub is_tiered: bool,
}

/// How short summaries are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthOption {
    /// Always the same.
    Fixed(Depth),
    /// As short as the budget demands; gentle without a budget.
    Auto,
}

impl Options {
    /// The shortest recency window that the call may come to use.
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
            importance_threshold: None,
            contradiction_threshold: None,
            relevance_threshold: None,
            depth: DepthOption::Fixed(Depth::Gentle),
            is_tiered: false,
        }
    }
}
