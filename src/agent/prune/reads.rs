//! Stale reads: the file was written, edited, created or deleted later, or read again. A later read of some lines
//! replaces those lines only. An edit makes no short excerpt stale: which of its lines changed stands in the edit.

use super::Rule;
use super::case::{Case, Keep, Verdict, Verdicts};
use crate::agent::lines::{Extent, LineSet, are_plain, numbers};
use crate::agent::operation::{Does, Marks, Operation};
use crate::agent::tools::ToolKind;
use crate::text::Text;

/// A read of some lines, not of the file, is an excerpt if its result is no longer than this, in UTF-16 code units: an agent
/// reads such for the edits that it is about to make, and most often makes several.
pub const EXCERPT: usize = 2000;

/// What happened to a file later than the operation that is looked at.
#[derive(Default)]
struct Later {
    /// The next operation that changed it.
    change: Option<usize>,
    /// The next one that holds all of it: a whole write, or a read of all lines.
    whole: Option<usize>,
    /// The next one that shows some lines, and all lines that such show.
    lines: LineSet,
    partial: Option<usize>,
}

/// What the later operations say of one read file.
enum Staleness {
    Fresh,
    /// All that was read stands in a later operation.
    Replaced(usize),
    /// The file was changed in part.
    Changed(usize),
    /// The same, but an edit that is cut may stand here alone.
    Holding(usize),
    /// Some of the lines stand in a later read.
    Overlapped(usize, Keep),
}

/// Judges reads.
pub fn judge(case: &Case<'_>, verdicts: &mut Verdicts) {
    let holders = holders(case);
    let mut later: Vec<Later> = case.operations.files.iter().map(|_| Later::default()).collect();
    for (index, operation) in case.operations.list.iter().enumerate().rev() {
        let reads = operation.files.iter().filter(|used| matches!(used.does, Does::Read(_)));
        let is_read =
            operation.files.iter().all(|used| matches!(used.does, Does::Read(_))) && !operation.files.is_empty();
        if is_read && !operation.failed && case.is_open(operation) {
            verdicts[index] = verdict(reads.clone().map(|used| {
                let Does::Read(extent) = used.does else { return Staleness::Fresh };
                let shown: Vec<Text<'_>> =
                    operation.results.iter().map(|&result| case.transcript.text(result as usize)).collect();
                match staleness(&later[used.file as usize], extent, &shown, operation.marks) {
                    Staleness::Changed(by) if holders[index] => Staleness::Holding(by),
                    staleness => staleness,
                }
            }));
        }
        if !case.supersedes(operation) {
            continue;
        }
        for used in &operation.files {
            let later = &mut later[used.file as usize];
            match used.does {
                Does::Write => *later = Later { change: Some(index), whole: Some(index), ..Later::default() },
                Does::Edit => later.change = Some(index),
                Does::Read(Extent::Whole) => later.whole = Some(index),
                Does::Read(Extent::Lines(first, last)) => {
                    later.lines.add(first, last);
                    later.partial = Some(index);
                }
                Does::Read(Extent::Part) => {}
            }
        }
    }
}

/// For each operation whether it reads a file behind an edit that is cut: the edit's lines may stand in that read alone.
fn holders(case: &Case<'_>) -> Vec<bool> {
    let mut is_cut = vec![false; case.operations.files.len()];
    let holds = |operation: &Operation| {
        // What a program did to a file stands in its command.
        let is_less = operation.kind != ToolKind::Command && operation.is_call_cut;
        operation.files.iter().fold(false, |holds, used| {
            let is_cut = &mut is_cut[used.file as usize];
            match used.does {
                Does::Write if !operation.failed => *is_cut = is_less,
                Does::Edit if !operation.failed => *is_cut |= is_less,
                _ => {}
            }
            holds || *is_cut
        })
    };
    // Who keeps the last edit alone doesn't ask for the text of those before it.
    if case.options.last_edit_only {
        return vec![false; case.operations.list.len()];
    }
    case.operations.list.iter().map(holds).collect()
}

fn staleness(later: &Later, extent: Extent, shown: &[Text<'_>], marks: Marks) -> Staleness {
    if let Some(whole) = later.whole {
        return Staleness::Replaced(whole);
    }
    let is_excerpt =
        matches!(extent, Extent::Lines(..)) && shown.iter().map(|text| text.len()).sum::<usize>() <= EXCERPT;
    if let Some(change) = later.change.filter(|_| !is_excerpt) {
        return Staleness::Changed(change);
    }
    let Some(partial) = later.partial.filter(|_| marks == Marks::None) else { return Staleness::Fresh };
    let (first, last) = match extent {
        Extent::Lines(first, last) => (first, last),
        Extent::Whole => match shown.first().and_then(|&text| numbers(text)) {
            Some((first, last)) if first < last && shown.len() == 1 => (first, last),
            _ => return Staleness::Fresh,
        },
        Extent::Part => return Staleness::Fresh,
    };
    if later.lines.covers(first, last) {
        return Staleness::Replaced(partial);
    }
    let ranges = later.lines.within(first, last);
    // Which line is which can be told of one text, unless its lines stand in the strings of JSON.
    let are_told = matches!(shown, &[text] if are_plain(text));
    if ranges.is_empty() || !are_told {
        Staleness::Fresh
    } else {
        Staleness::Overlapped(partial, Keep::LinesOutside { first, ranges })
    }
}

/// A read of several files is stale when each of them is. (Which lines belong to which of them can't be seen.)
fn verdict(files: impl Iterator<Item = Staleness>) -> Option<Verdict> {
    let mut found: Option<Verdict> = None;
    for staleness in files {
        let (rule, by, keep) = match staleness {
            Staleness::Fresh => return None,
            Staleness::Replaced(by) => (Rule::StaleRead, by, Keep::Nothing),
            Staleness::Changed(by) => (Rule::StaleRead, by, Keep::NovelLines),
            // It is judged all the same: what is stale holds no more edits than the pruning before found.
            Staleness::Holding(by) => (Rule::StaleRead, by, Keep::All),
            Staleness::Overlapped(by, keep) => (Rule::OverlappingRead, by, keep),
        };
        match &found {
            Some(_) if rule == Rule::OverlappingRead => return None,
            Some(before) if before.rule == Rule::OverlappingRead => return None,
            Some(Verdict { keep: Keep::All, .. }) => {}
            Some(Verdict { keep: Keep::NovelLines, .. }) if !matches!(keep, Keep::All) => {}
            _ => found = Some(Verdict { rule, by: Some(by), keep }),
        }
    }
    found
}
