//! Results that are identical to a later result of another call.

use rustc_hash::FxHashMap;

use super::context::{PruneContext, Remainder, Verdict, Verdicts};
use super::outcome::Rule;
use super::write::Writer;
use crate::operation::MarkPosition;
use palimpsest_history::transcript::TextId;

/// Minimum length of a result that is worth a stub, in UTF-16 code units.
const MIN_LENGTH: usize = 160;

/// Judges operations with one result. The other rules have judged (`before`) and cut by then: a result that was not worth a cut stays, and
/// may be the later one of two. Of identical results, the last one stays.
pub(super) fn judge(context: &PruneContext<'_>, before: &Verdicts, writer: &Writer<'_>) -> Vec<Option<Verdict>> {
    let mut verdicts = vec![None; before.len()];
    let mut later: FxHashMap<TextId, usize> = FxHashMap::default();
    for (index, operation) in context.operations.list.iter().enumerate().rev() {
        let &[result] = &operation.results[..] else { continue };
        let text = context.transcript.text_id(result);
        if context.transcript.text_of(text).len() < MIN_LENGTH
            || !operation.attachments.is_empty()
            || writer.is_edited(result)
            || operation.marks == MarkPosition::Head
        {
            continue;
        }
        if let Some(&by) = later.get(&text) {
            if before[index].is_none() && context.is_open(operation) && context.is_free[result] {
                // Different changes may be confirmed in the same words. A command or a read tells what was done with a file: without
                // its call, the next pruning would judge earlier operations on that file by later ones.
                let tells_of_file = operation.is_change() || !operation.files.is_empty();
                let keep = if tells_of_file { Remainder::Call } else { Remainder::Nothing };
                verdicts[index] = Some(Verdict { rule: Rule::IdenticalResult, by: Some(by), keep });
            }
        } else {
            later.insert(text, index);
        }
    }
    verdicts
}
