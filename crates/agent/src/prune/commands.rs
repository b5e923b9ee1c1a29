//! Commands and searches that were run again later, and failed commands.

use rustc_hash::FxHashMap;

use super::context::{PruneContext, Remainder, Verdict, Verdicts};
use super::outcome::Rule;
use palimpsest_world::operation::RunIndex;
use palimpsest_world::tools::ToolKind;

/// Judges commands and searches. Of runs with the same arguments in the same directory, the last one stays. A failed run never
/// supersedes a successful one; only the line that tells what failed stays of it.
pub(super) fn judge(context: &PruneContext<'_>, verdicts: &mut Verdicts) {
    // For each run, the next successful one.
    let mut later: FxHashMap<RunIndex, usize> = FxHashMap::default();
    for (index, operation) in context.operations.list.iter().enumerate().rev() {
        let Some(run) = operation.run else { continue };
        let again = later.get(&run).copied();
        let (rule, keep) = match (operation.kind, operation.failed()) {
            (ToolKind::Command, true) => (Rule::FailedCommand, Remainder::DecisiveLine),
            (ToolKind::Command, false) => (Rule::StaleCommand, Remainder::Nothing),
            _ => (Rule::StaleSearch, Remainder::Nothing),
        };
        if verdicts[index].is_none() && context.is_open(operation) && (again.is_some() || rule == Rule::FailedCommand) {
            verdicts[index] = Some(Verdict { rule, by: again, keep });
        }
        if context.supersedes(operation) {
            later.insert(run, index);
        }
    }
}
