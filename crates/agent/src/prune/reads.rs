//! Stale reads: the file was written, edited, created or deleted later, or read again. A later read of some lines replaces only
//! those lines. An edit does not make a short excerpt stale, because the edit itself shows which lines changed.

use super::context::{PruneContext, Remainder, Verdict, Verdicts};
use super::outcome::Rule;
use super::shown_lines::{ShownLines, lines_of};
use palimpsest_text::Text;
use palimpsest_text::index::IndexVec;
use palimpsest_world::extent::Extent;
use palimpsest_world::operation::{FileAccess, FileIndex, MarkPosition, Operation};
use palimpsest_world::tools::ToolKind;

/// Maximum length of the result of an excerpt, in UTF-16 code units. An excerpt is a read of some lines; an agent reads it for
/// the edits that it is about to make, usually several.
pub(super) const MAX_EXCERPT: usize = 2000;

/// Later operations on a file.
#[derive(Default)]
struct AfterRead {
    /// The next operation that changed it.
    change: Option<usize>,
    /// The next one that holds all of it: a whole write, or a read of all lines.
    whole: Option<usize>,
    /// The lines that later partial reads show.
    lines: ShownLines,
    /// The next partial read.
    partial: Option<usize>,
}

/// Staleness of the read of one file.
enum Staleness {
    Fresh,
    /// A later operation contains everything that was read.
    Replaced(usize),
    /// The file was changed in part.
    Changed(usize),
    /// The file was changed in part, but only this read may hold the result of an edit that was cut.
    Holding(usize),
    /// A later read contains some of the lines.
    Overlapped(usize, Remainder),
}

/// Judges reads.
pub(super) fn judge(context: &PruneContext<'_>, verdicts: &mut Verdicts) {
    let holders = holders(context);
    let mut later: IndexVec<FileIndex, AfterRead> =
        context.operations.files.iter().map(|_| AfterRead::default()).collect();
    for (index, operation) in context.operations.list.iter().enumerate().rev() {
        let reads = operation.files.iter().filter(|used| matches!(used.does, FileAccess::Read(_)));
        let is_read =
            operation.files.iter().all(|used| matches!(used.does, FileAccess::Read(_))) && !operation.files.is_empty();
        if is_read && !operation.failed() && context.is_open(operation) {
            verdicts[index] = verdict(reads.clone().map(|used| {
                let FileAccess::Read(extent) = used.does else { return Staleness::Fresh };
                match staleness(&later[used.file], extent, &operation.shown(context.transcript), operation.marks) {
                    Staleness::Changed(by) if holders[index] => Staleness::Holding(by),
                    staleness => staleness,
                }
            }));
        }
        let supersedes = context.supersedes(operation);
        // An edit that an earlier pruning cut changed the file all the same: an older read may number its lines differently.
        let has_changed = supersedes || operation.is_call_cut && !operation.failed();
        for used in &operation.files {
            let later = &mut later[used.file];
            match used.does {
                FileAccess::Edit => {
                    if has_changed {
                        later.change = Some(index);
                    }
                }
                _ if !supersedes => {}
                FileAccess::Write => {
                    *later = AfterRead { change: Some(index), whole: Some(index), ..AfterRead::default() }
                }
                FileAccess::Read(Extent::Whole) => later.whole = Some(index),
                // What a read shows that goes itself is not shown again.
                FileAccess::Read(_)
                    if verdicts[index].as_ref().is_some_and(|verdict| verdict.rule == Rule::StaleRead) => {}
                FileAccess::Read(extent @ Extent::Lines(_)) => {
                    later.lines.add(&lines_of(extent, &operation.shown(context.transcript)));
                    later.partial = Some(index);
                }
                FileAccess::Read(Extent::Part) => {}
            }
        }
    }
}

/// Returns, for each operation, whether it reads a file after an edit that was cut, so that only the read may hold the edit's
/// lines.
fn holders(context: &PruneContext<'_>) -> Vec<bool> {
    let mut is_cut: IndexVec<FileIndex, bool> = vec![false; context.operations.files.len()].into();
    let holds = |operation: &Operation| {
        // The command itself shows what a program did to a file.
        let is_less = operation.kind != ToolKind::Command && operation.is_call_cut;
        operation.files.iter().fold(false, |holds, used| {
            let is_cut = &mut is_cut[used.file];
            match used.does {
                FileAccess::Write if !operation.failed() => *is_cut = is_less,
                FileAccess::Edit if !operation.failed() => *is_cut |= is_less,
                _ => {}
            }
            holds || *is_cut
        })
    };
    // If only the last edit is kept, the texts of those before it do not matter.
    if context.options.last_edit_only {
        return vec![false; context.operations.list.len()];
    }
    context.operations.list.iter().map(holds).collect()
}

fn staleness(later: &AfterRead, extent: Extent, shown: &[Text<'_>], marks: MarkPosition) -> Staleness {
    if let Some(whole) = later.whole {
        return Staleness::Replaced(whole);
    }
    let is_excerpt =
        matches!(extent, Extent::Lines(..)) && shown.iter().map(|text| text.len()).sum::<usize>() <= MAX_EXCERPT;
    if let Some(change) = later.change.filter(|_| !is_excerpt) {
        return Staleness::Changed(change);
    }
    let Some(partial) = later.partial.filter(|_| marks == MarkPosition::None) else { return Staleness::Fresh };
    let is_again: Vec<bool> = lines_of(extent, shown).iter().map(|line| later.lines.has(line)).collect();
    if !is_again.contains(&true) {
        Staleness::Fresh
    } else if is_again.iter().all(|&is_again| is_again) {
        Staleness::Replaced(partial)
    } else {
        Staleness::Overlapped(partial, Remainder::LinesBut(is_again))
    }
}

/// Returns the verdict on a read of several files, which is stale if each of them is. (Their lines cannot be told apart.)
fn verdict(files: impl Iterator<Item = Staleness>) -> Option<Verdict> {
    let mut found: Option<Verdict> = None;
    for staleness in files {
        let (rule, by, keep) = match staleness {
            Staleness::Fresh => return None,
            Staleness::Replaced(by) => (Rule::StaleRead, by, Remainder::Nothing),
            Staleness::Changed(by) => (Rule::StaleRead, by, Remainder::NovelLines),
            // It is judged all the same: a stale read holds no more edits than the previous pruning found.
            Staleness::Holding(by) => (Rule::StaleRead, by, Remainder::All),
            Staleness::Overlapped(by, keep) => (Rule::OverlappingRead, by, keep),
        };
        match &found {
            Some(_) if rule == Rule::OverlappingRead => return None,
            Some(before) if before.rule == Rule::OverlappingRead => return None,
            Some(Verdict { keep: Remainder::All, .. }) => {}
            Some(Verdict { keep: Remainder::NovelLines, .. }) if !matches!(keep, Remainder::All) => {}
            _ => found = Some(Verdict { rule, by: Some(by), keep }),
        }
    }
    found
}
