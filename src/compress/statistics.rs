//! The numbers of a result.

use super::emit::{Emission, Output};
use super::engine::Engine;
use super::tokens::ExactTokens;
use super::{Decision, Host};
use crate::quality::{Quality, Traits, quality};
use crate::text::TextBuf;
use crate::tokens::estimate;

/// What a call reports of its result.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Characters in over characters out; 1 where nothing was summarised or exactly deduplicated.
    pub ratio: f64,
    /// The same for tokens.
    pub token_ratio: f64,
    /// Input messages that a summary, split or cut text stands for.
    pub messages_compressed: usize,
    /// Input messages that are in the result as they were.
    pub messages_preserved: usize,
    /// Input messages that a reference to an identical one stands for.
    pub messages_deduped: usize,
    /// Input messages that a reference to a nearly identical one stands for.
    pub messages_fuzzy_deduped: usize,
    /// Input messages that a pattern of the caller kept.
    pub messages_pattern_preserved: usize,
    /// Input messages that the caller's classifier kept.
    pub messages_llm_preserved: usize,
    /// Input messages that were kept for their importance.
    pub messages_importance_preserved: usize,
    /// Input messages that a reference to the message that supersedes them stands for.
    pub messages_contradicted: usize,
    /// Input messages that were left out because no sentence in them matters.
    pub messages_relevance_dropped: usize,
    /// Answers of the caller's scorer that were no good.
    pub scorer_fallbacks: usize,
    /// What became of each message; empty unless asked for.
    pub decisions: Vec<Decision>,
    /// The labels of clusters, by their numbers; empty without decisions.
    pub cluster_labels: Vec<TextBuf>,
    /// Present where something was summarised, exactly deduplicated, superseded or trimmed.
    pub quality: Option<Quality>,
}

/// How a result with a token budget came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BudgetReport {
    /// Whether the tokens are within the budget.
    pub fits: bool,
    /// The tokens of the result.
    pub token_count: f64,
    /// The recency window that was used.
    pub recency_window: f64,
}

impl Engine {
    pub(super) fn statistics<H: Host>(
        &mut self,
        emission: Emission,
        host: &mut H,
    ) -> Result<(Vec<Output>, Statistics), H::Error> {
        let acted = emission.compressed + emission.deduped > 0;
        let lengths_in: usize = (0..self.conversation.len()).map(|index| self.conversation.text(index).len()).sum();
        let lengths_out: usize = emission.outputs.iter().map(Output::length).sum();
        let share = |whole: f64, part: f64| if acted && part > 0.0 { whole / part } else { 1.0 };
        let tokens_in = self.tokens_of_input();
        let tokens_out = self.tokens_of_all(&emission.outputs, host)?;
        let is_changed = acted || emission.contradicted > 0 || !self.untrimmed.is_empty();
        let quality = is_changed.then(|| self.quality_of(&emission.outputs));
        let statistics = Statistics {
            ratio: share(lengths_in as f64, lengths_out as f64),
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
            scorer_fallbacks: self.answers.bad_scores,
            decisions: emission.decisions,
            cluster_labels: if self.options.trace { self.joins.take_labels() } else { Vec::new() },
            quality,
        };
        Ok((emission.outputs, statistics))
    }

    /// The tokens of the message at `index`.
    pub(super) fn tokens_of(&self, index: usize) -> f64 {
        match &self.tokens {
            Some(tokens) => tokens[index],
            None => estimate(self.conversation.text(index).len()) as f64,
        }
    }

    /// The tokens of all messages. (`sum` would give -0 for none.)
    pub(super) fn tokens_of_input(&self) -> f64 {
        (0..self.conversation.len()).fold(self.tokens_of_request(), |sum, index| sum + self.tokens_of(index))
    }

    /// The tokens that belong to no message.
    fn tokens_of_request(&self) -> f64 {
        self.exact_tokens.as_ref().map_or(0.0, ExactTokens::of_request)
    }

    /// The tokens of an output message, as the caller counts them.
    pub(super) fn tokens_of_output<H: Host>(&mut self, output: &Output, host: &mut H) -> Result<f64, H::Error> {
        match (&output.text, &self.tokens, &mut self.exact_tokens) {
            (None, ..) => Ok(self.tokens_of(output.start)),
            (Some(text), _, Some(exact)) => Ok(exact.of_output(output.start, text)),
            (Some(_), None, None) => Ok(estimate(output.length()) as f64),
            (Some(_), Some(_), None) => host.count_tokens(output),
        }
    }

    pub(super) fn tokens_of_all<H: Host>(&mut self, outputs: &[Output], host: &mut H) -> Result<f64, H::Error> {
        let mut sum = self.tokens_of_request();
        for output in outputs {
            sum += self.tokens_of_output(output, host)?;
        }
        Ok(sum)
    }

    fn quality_of(&mut self, outputs: &[Output]) -> Quality {
        let written: Vec<Traits> = outputs
            .iter()
            .filter_map(|output| Some((output.text.as_ref()?, output.traits)))
            .map(|(text, traits)| {
                traits.unwrap_or_else(|| {
                    let scanned = self.scratch.scan(text.as_text().bytes());
                    Traits::of(text.as_text(), scanned, &mut self.entities, None)
                })
            })
            .collect();
        let has_id = self.conversation.with_ids_of(outputs.iter().map(|output| output.start));
        let kept = outputs.iter().filter(|output| output.text.is_none()).map(|output| self.traits[output.start]);
        let mut given = self.traits.clone();
        for &(index, text) in &self.untrimmed {
            let text = self.conversation.text_of(text);
            let scanned = self.scratch.scan(text.bytes());
            given[index] = Traits::of(text, scanned, &mut self.entities, None);
        }
        quality(&self.entities, given.into_iter().zip(has_id), kept.chain(written))
    }
}
