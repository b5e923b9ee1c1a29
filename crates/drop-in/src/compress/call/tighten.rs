//! Meets a budget with a fixed recency window: messages before it are summarised more tightly, and those that say little are
//! omitted, until the result fits.
//!
//! Code, structures, keys, tool calls, and messages kept by the caller's patterns or classifier or by their importance are
//! not touched.

use super::counter::TokenCounter;
use super::planning::ask;
use crate::compress::answers::Request;
use crate::compress::decisions::{Action, Decision, Reason};
use crate::compress::facts::Correction;
use crate::compress::host::Host;
use crate::compress::plan::{Route, Rules};
use crate::compress::render::{Context, Emission, KEPT_SHARE_OF_SUMMARY, MIN_LENGTH, OMITTED, Output, Tightener};
use crate::summarize::best_sentence_score;
use palimpsest_text::{SharedText, TextBuf};

/// Minimum score of the best sentence of a text that is not omitted.
const MIN_SCORE: i32 = 3;

/// A result that gets shorter.
pub(super) struct Tightening<'a, H> {
    /// The context of rendering.
    pub context: Context<'a>,
    /// The rules of the call.
    pub rules: Rules<'a>,
    /// Counts tokens.
    pub counter: &'a mut TokenCounter,
    /// Answers questions.
    pub host: &'a mut H,
    /// The messages of the result.
    pub emission: &'a mut Emission,
    /// Tokens of the result.
    pub tokens: &'a mut f64,
}

/// A message of the result that may get shorter.
struct Candidate {
    position: usize,
    tokens: f64,
}

impl<H: Host> Tightening<'_, H> {
    /// Shortens messages of the result until its tokens are within `budget` or nothing is left to shorten. If requests are
    /// returned, the result is unfinished, and this has to be called again with the result as it was.
    ///
    /// # Errors
    /// If the host can't answer.
    pub(super) fn tighten(&mut self, budget: f64) -> Result<Vec<Request>, H::Error> {
        if *self.tokens <= budget {
            return Ok(Vec::new());
        }
        let candidates = self.candidates()?;
        let mut tightener = Tightener::default();
        let mut requests = Vec::new();
        for Candidate { position, tokens: before } in &candidates {
            if *self.tokens <= budget {
                break;
            }
            match tightener.tightened(self.context, &self.emission.outputs[*position]) {
                Ok(Some(text)) => self.replace(*position, &text, Reason::Tightened)?,
                Ok(None) => {}
                Err(request) => {
                    requests.push(request);
                    // The likely saving, so that few summaries are requested in vain, and a few rounds suffice.
                    *self.tokens -= (1.0 - KEPT_SHARE_OF_SUMMARY) * before;
                }
            }
        }
        if !requests.is_empty() {
            return Ok(requests);
        }
        for Candidate { position, .. } in candidates {
            if *self.tokens <= budget {
                break;
            }
            let output = &self.emission.outputs[position];
            let says_little = || best_sentence_score(self.context.text_of(output).bytes()) < MIN_SCORE;
            if output.length() > MIN_LENGTH && says_little() {
                self.replace(position, &TextBuf::from(OMITTED), Reason::Omitted)?;
            }
        }
        Ok(Vec::new())
    }

    /// Returns the messages that may get shorter: those that are no summaries first, and of those the ones with most tokens.
    fn candidates(&mut self) -> Result<Vec<Candidate>, H::Error> {
        let outputs = &self.emission.outputs;
        let cutoff = f64::max(0.0, outputs.len() as f64 - self.rules.options.recency_window);
        let mut candidates = Vec::new();
        for (position, output) in outputs.iter().enumerate() {
            if position as f64 >= cutoff {
                break;
            }
            if output.length() > MIN_LENGTH && (is_summary(output) || is_loose(self.rules, output, self.host)?) {
                let tokens = self.counter.of_output(self.context.facts, output, self.host)?;
                candidates.push(Candidate { position, tokens });
            }
        }
        candidates.sort_by(|a, b| {
            let key = |candidate: &Candidate| is_summary(&outputs[candidate.position]);
            key(a).cmp(&key(b)).then(b.tokens.total_cmp(&a.tokens))
        });
        Ok(candidates)
    }

    /// Replaces the output at `position` by `text`.
    fn replace(&mut self, position: usize, text: &TextBuf, reason: Reason) -> Result<(), H::Error> {
        let facts = self.context.facts;
        let before = self.emission.outputs[position].clone();
        let ids_hash = facts.transcript.ids_hash(before.start, before.count);
        let after = before.with_text(SharedText::from(text), ids_hash, reason);
        *self.tokens -=
            self.counter.of_output(facts, &before, self.host)? - self.counter.of_output(facts, &after, self.host)?;
        let is_contradicted = matches!(before.reason, Reason::Contradicted(_));
        self.emission.statistics.messages_preserved -= usize::from(before.text.is_none());
        self.emission.statistics.messages_contradicted -= usize::from(is_contradicted);
        self.emission.statistics.messages_compressed += usize::from(before.text.is_none() || is_contradicted);
        let first = self.emission.statistics.decisions.partition_point(|decision| decision.index < before.start);
        for decision in self.emission.statistics.decisions.iter_mut().skip(first).take(before.count) {
            *decision = Decision { action: Action::Compressed, reason, output_length: after.share(), ..*decision };
        }
        self.emission.outputs[position] = after;
        Ok(())
    }
}

/// Returns whether `output` is kept only because it is short or no text that could replace it was shorter.
fn is_loose<H: Host>(rules: Rules<'_>, output: &Output, host: &mut H) -> Result<bool, H::Error> {
    match output.reason {
        Reason::SingleReverted | Reason::MergeReverted => Ok(true),
        // The rules about content were not applied to these.
        Reason::ShortContent | Reason::DuplicateReverted | Reason::ContradictionReverted => {
            let index = output.start;
            let is_latest = matches!(rules.facts.corrections.get(index), Some(Correction::Latest(_)));
            Ok(!is_latest
                && rules.importance_that_keeps(index).is_none()
                && ask(host, index, |answers| rules.route_by_content(index, answers))? == Route::Summarise)
        }
        _ => Ok(false),
    }
}

/// Returns whether `output` is a summary, of this call or of an earlier one.
fn is_summary(output: &Output) -> bool {
    matches!(
        output.reason,
        Reason::CompressibleProse
            | Reason::MergedCompressed
            | Reason::Tightened
            | Reason::Contradicted(_)
            | Reason::AlreadyCompressed
    )
}
