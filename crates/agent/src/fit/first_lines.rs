//! Where a result shows lines of a file that it does not number, so that marks can say which ones are gone.

use rustc_hash::FxHashMap;

use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::index::to_usize;
use palimpsest_world::Known;
use palimpsest_world::extent::Extent;
use palimpsest_world::lines::count_lines;
use palimpsest_world::operation::{FileAccess, Operation, Operations};

/// The first line of a file that a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstLine {
    /// Its position in the text.
    pub at: usize,
    /// Its number in the file.
    pub number: usize,
}

/// The first lines of all results that show lines of a file without numbers: below what the harness says of the call, unless it cut what was
/// printed.
pub(super) fn first_lines(operations: &Operations, transcript: &Transcript) -> FxHashMap<PartIndex, FirstLine> {
    let first = |operation: &Operation| {
        let (part, number) = operation.first_line(transcript)?;
        let said = operation.said.first().filter(|said| said.is_cut != Known::Certain(true))?;
        let text = transcript.text(part);
        let printed = said.printed_in(text.len());
        let shown = count_lines(text.slice(printed.clone()));
        let is_more = operation.files.iter().any(|used| match used.does {
            FileAccess::Read(Extent::Lines(lines)) => shown > lines.last() - lines.first() + 1,
            _ => false,
        });
        // Some of more lines than were asked for are no lines of the file.
        (!is_more).then_some((part, FirstLine { at: printed.start, number: to_usize(number) }))
    };
    operations.list.iter().filter_map(first).collect()
}
