//! Superseded writes and edits. Of several whole writes of a file only the last stays. An edit goes only if a later whole write,
//! or a later read that stays, holds its result: otherwise the state of the file could no longer be derived. `edits: 'last'`
//! keeps only the last edit of a file, even if that state is lost.

use memchr::memmem;

use super::context::{PruneContext, Remainder, Verdict, Verdicts};
use super::outcome::Rule;
use palimpsest_text::index::IndexVec;
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};
use palimpsest_world::extent::Extent;
use palimpsest_world::lines::line_number;
use palimpsest_world::operation::{FileAccess, FileIndex, MarkPosition, Operation};

/// Maximum number of edits whose texts are looked for in a read. Those before them stay.
const MAX_EDITS: usize = 32;
/// Maximum number of texts of an edit that are looked for. An edit with more stays.
const MAX_TEXTS: usize = 8;

/// Later operations on a file.
#[derive(Default)]
struct AfterEdit {
    /// The next whole write.
    write: Option<usize>,
    /// The next change of any kind.
    change: Option<usize>,
    /// The next read of all lines that stays.
    read: Option<usize>,
    /// The next read of some lines that stays.
    partial: Option<PartialRead>,
    /// Whether an earlier pruning shortened a read. That read replaced those before it, which therefore hold no edit now.
    is_pruned: bool,
}

/// A read of some lines, to search in.
struct PartialRead {
    index: usize,
    /// Its lines, collected for the first search.
    lines: Option<TextBuf>,
    /// Number of edits whose texts may still be looked for.
    left: usize,
}

impl PartialRead {
    fn new(index: usize) -> Self {
        PartialRead { index, lines: None, left: MAX_EDITS }
    }

    /// Counts an edit, and returns whether its texts may be looked for. An edit that an earlier pruning cut counts too: otherwise those before
    /// it would have their turn the second time.
    fn count(&mut self) -> bool {
        let may_search = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may_search
    }

    /// Returns the lines that the read shows, without their numbers.
    fn lines(context: &PruneContext<'_>, operation: &Operation) -> TextBuf {
        let mut lines = TextBuf::new();
        let texts = operation.results.iter().map(|&result| context.transcript.text(result));
        lines.reserve(texts.clone().map(Text::len).sum());
        for text in texts {
            for (start, end) in lf_lines(text.bytes()) {
                let number = line_number(&text.bytes()[start..end]).map_or(0, |(_, after)| after);
                lines.push(text.slice(start + number..end));
                lines.push_str("\n");
            }
        }
        lines
    }

    /// Returns whether the read shows all of the texts.
    fn shows(&mut self, context: &PruneContext<'_>, texts: &[String]) -> bool {
        self.count()
            && (1..=MAX_TEXTS).contains(&texts.len())
            && texts
                .iter()
                .all(|text| !text.trim().is_empty() && self.has(context, TextBuf::from(text.as_str()).as_text()))
    }

    fn has(&mut self, context: &PruneContext<'_>, wanted: Text<'_>) -> bool {
        let lines =
            self.lines.get_or_insert_with(|| Self::lines(context, &context.operations.list[self.index])).as_text();
        let found = memmem::find(lines.bytes(), wanted.bytes());
        // Different characters may have the same folded byte.
        found.is_some_and(|at| lines.slice(at..at + wanted.len()) == wanted)
    }
}

/// Judges writes and edits, after reads have been judged.
pub(super) fn judge(context: &PruneContext<'_>, verdicts: &mut Verdicts) {
    let mut later: IndexVec<FileIndex, AfterEdit> =
        context.operations.files.iter().map(|_| AfterEdit::default()).collect();
    for (index, operation) in context.operations.list.iter().enumerate().rev() {
        if !context.supersedes(operation) {
            if operation.marks == MarkPosition::Head && !operation.failed() {
                for used in &operation.files {
                    let later = &mut later[used.file];
                    later.is_pruned = true;
                    if let Some(partial) = later.partial.as_mut().filter(|_| operation.is_change()) {
                        partial.count();
                    }
                }
            }
            continue;
        }
        if operation.is_change() && context.is_open(operation) {
            verdicts[index] = superseded(context, operation, &mut later).map(|(by, keep)| Verdict {
                rule: Rule::StaleEdit,
                by: Some(by),
                keep,
            });
        }
        let stays = verdicts[index].is_none() || !context.is_open(operation);
        for used in &operation.files {
            let later = &mut later[used.file];
            match used.does {
                FileAccess::Write => {
                    *later = AfterEdit { write: Some(index), change: Some(index), ..AfterEdit::default() }
                }
                FileAccess::Edit => later.change = Some(index),
                FileAccess::Read(Extent::Whole) if stays && !later.is_pruned => later.read = Some(index),
                FileAccess::Read(_) if stays && !later.is_pruned => later.partial = Some(PartialRead::new(index)),
                // Whether the earlier pruning looked into this read or into the later one is unknown.
                FileAccess::Read(_) if stays => later.partial = None,
                FileAccess::Read(_) => {}
            }
        }
    }
}

/// Returns the operation that holds the results of all changes of an operation; the last one if there are several. If it is a
/// read, the call of the edit stays: it tells that the read must not go when the next edit makes it stale.
fn superseded(
    context: &PruneContext<'_>,
    operation: &Operation,
    later: &mut IndexVec<FileIndex, AfterEdit>,
) -> Option<(usize, Remainder)> {
    let mut by = None;
    let mut keep = Remainder::Nothing;
    for used in &operation.files {
        let later = &mut later[used.file];
        let holder = match used.does {
            FileAccess::Write => later.write,
            FileAccess::Edit if context.options.last_edit_only => later.change,
            FileAccess::Edit => later.write.or_else(|| {
                keep = Remainder::Call;
                later.read.or_else(|| {
                    let partial = later.partial.as_mut()?;
                    partial.shows(context, &operation.new_texts).then_some(partial.index)
                })
            }),
            FileAccess::Read(_) => None,
        };
        by = by.max(Some(holder?));
    }
    by.map(|by| (by, keep))
}
