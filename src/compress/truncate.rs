//! Cutting long messages where nothing else fits the budget.

use std::cmp::Reverse;

use super::decisions::{Action, Decision, Reason};
use super::emit::{Emission, Output};
use super::engine::Engine;
use super::{BudgetReport, Host};
use crate::text::{SharedText, TextBuf};

/// How much of a text stays, in UTF-16 code units.
const KEPT: usize = 512;

impl Engine {
    /// Cuts the longest messages before the recency window until the result fits.
    pub(super) fn truncate<H: Host>(
        &mut self,
        emission: &mut Emission,
        budget: f64,
        report: &mut BudgetReport,
        host: &mut H,
    ) -> Result<(), H::Error> {
        let cutoff = f64::max(0.0, emission.outputs.len() as f64 - report.recency_window);
        let mut candidates: Vec<usize> = (0..emission.outputs.len())
            .take_while(|&position| (position as f64) < cutoff)
            .filter(|&position| self.is_cuttable(&emission.outputs[position]))
            .collect();
        candidates.sort_by_key(|&position| {
            let output = &emission.outputs[position];
            (self.importance_tier(output), Reverse(output.length()))
        });
        for position in candidates {
            if report.token_count <= budget {
                break;
            }
            let before = emission.outputs[position].clone();
            let ids_hash = self.conversation.ids_hash(before.start, before.count);
            let after = before.with_text(SharedText::from(&self.cut(&before)), ids_hash, Reason::ForceConverge);
            if after.length() >= before.length() {
                continue;
            }
            report.token_count -= self.tokens_of_output(&before, host)? - self.tokens_of_output(&after, host)?;
            if before.text.is_none() {
                emission.preserved -= 1;
                emission.compressed += 1;
            }
            self.trace_cut(emission, &before, after.length());
            emission.outputs[position] = after;
        }
        report.fits = report.token_count <= budget;
        Ok(())
    }

    /// How important what `output` stands for is, in twentieths: those of the same importance, more or less, are cut by
    /// length. The same for all where importance is not looked at.
    fn importance_tier(&self, output: &Output) -> u8 {
        let members = self.importance.iter().skip(output.start).take(output.count);
        members.map(|importance| (20.0 * importance) as u8).max().unwrap_or(0)
    }

    fn is_cuttable(&self, output: &Output) -> bool {
        !self.conversation.message(output.start).has_preserved_role && output.length() > KEPT
    }

    fn cut(&self, output: &Output) -> TextBuf {
        let text = match &output.text {
            Some(text) => text.as_text(),
            None => self.conversation.text(output.start),
        };
        let mut cut = TextBuf::new();
        cut.push_str(&format!("[truncated \u{2014} {} chars: ", text.len()));
        cut.push(text.prefix(KEPT));
        cut.push_str("]");
        cut
    }

    fn trace_cut(&self, emission: &mut Emission, output: &Output, output_length: usize) {
        if !self.options.trace {
            return;
        }
        let (action, reason) = (Action::Truncated, Reason::ForceConverge);
        if let Ok(at) = emission.decisions.binary_search_by_key(&output.start, |decision| decision.index) {
            let decision = &mut emission.decisions[at];
            *decision = Decision { action, reason, output_length, ..*decision };
        }
    }
}
