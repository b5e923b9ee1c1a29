//! Cuts long messages if nothing else fits the budget.

use std::cmp::Reverse;

use super::counter::TokenCounter;
use crate::compress::decisions::{Action, Decision, Reason};
use crate::compress::host::Host;
use crate::compress::render::{Context, Emission, Output, cut};
use crate::compress::statistics::BudgetReport;
use palimpsest_text::SharedText;

/// Cuts the longest messages before the recency window until the result fits.
///
/// # Errors
/// If the host can't count tokens.
pub(super) fn truncate<H: Host>(
    context: Context<'_>,
    emission: &mut Emission,
    budget: f64,
    report: &mut BudgetReport,
    counter: &mut TokenCounter,
    host: &mut H,
) -> Result<(), H::Error> {
    let facts = context.facts;
    let cutoff = f64::max(0.0, emission.outputs.len() as f64 - report.recency_window);
    let mut candidates: Vec<usize> =
        (0..emission.outputs.len()).take_while(|&position| (position as f64) < cutoff).collect();
    candidates.sort_by_key(|&position| {
        let output = &emission.outputs[position];
        (importance_tier(context, output), Reverse(output.length()))
    });
    for position in candidates {
        if report.token_count <= budget {
            break;
        }
        let before = emission.outputs[position].clone();
        let Some(text) = cut(context, &before) else { continue };
        let ids_hash = facts.transcript.ids_hash(before.start, before.count);
        let after = before.with_text(SharedText::from(&text), ids_hash, Reason::ForceConverge);
        if after.length() >= before.length() {
            continue;
        }
        report.token_count -= counter.of_output(facts, &before, host)? - counter.of_output(facts, &after, host)?;
        if before.text.is_none() {
            emission.statistics.messages_preserved -= 1;
            emission.statistics.messages_compressed += 1;
        }
        if context.options.trace {
            trace(emission, &before, after.length());
        }
        emission.outputs[position] = after;
    }
    report.fits = report.token_count <= budget;
    Ok(())
}

/// Returns the importance of the messages that `output` replaces, in twentieths: messages of about the same importance are
/// ordered by length. The same for all unless importance is asked for.
fn importance_tier(context: Context<'_>, output: &Output) -> u8 {
    let members = context.facts.importance.iter().skip(output.start).take(output.count);
    members.map(|importance| (20.0 * importance) as u8).max().unwrap_or(0)
}

fn trace(emission: &mut Emission, output: &Output, output_length: usize) {
    let (action, reason) = (Action::Truncated, Reason::ForceConverge);
    if let Ok(at) = emission.statistics.decisions.binary_search_by_key(&output.start, |decision| decision.index) {
        let decision = &mut emission.statistics.decisions[at];
        *decision = Decision { action, reason, output_length, ..*decision };
    }
}
