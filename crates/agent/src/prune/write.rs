//! Writes the edits that the rules decided on.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Piece;
use super::context::{PruneContext, Remainder, Verdict, Verdicts};
use super::cut::{cut, segments};
use super::evidence::evidence;
use super::novel::NovelLines;
use super::outcome::{Edit, Marker, Outcome, Rule, Stub};
use super::stub::{FURTHER, count_lines, is_worth, lines, marked, string_values, total};
use crate::edit::Change;
use palimpsest_history::transcript::{Kind, PartIndex};
use palimpsest_text::Text;
use palimpsest_text::index::IndexVec;
use palimpsest_text::lines::lf_lines;
use palimpsest_text::parallel::map_chunks;
use palimpsest_world::operation::Operation;
use palimpsest_world::outcome::Said;
use palimpsest_world::outcome::words::decisive_lines;
use palimpsest_world::shell;

/// Minimum length of a result that keeps lines with names that occur nowhere else, in UTF-16 code units. These are reads that a
/// partial edit made stale, because the rest of the file is unchanged, and outputs of failed commands that were not run again.
/// Shorter ones are cheap to repeat.
pub(super) const MIN_NOVEL: usize = 1000;
/// Minimum length of a string that is removed from the arguments of a superseded write or edit, in UTF-16 code units.
const MIN_ARGUMENT: usize = 100;

/// Collects edits.
pub(super) struct Writer<'c> {
    context: &'c PruneContext<'c>,
    edits: BTreeMap<PartIndex, Edit>,
    counts: [u32; Rule::ALL.len()],
}

impl<'c> Writer<'c> {
    /// Creates a writer without edits.
    pub(super) fn new(context: &'c PruneContext<'c>) -> Self {
        Writer { context, edits: BTreeMap::new(), counts: [0; Rule::ALL.len()] }
    }

    /// Returns the edits, the count of each rule, and the parts that may contain markers.
    pub(super) fn finish(self) -> Outcome {
        let may_hold_marker = &self.context.operations.may_hold_marker;
        let marked = may_hold_marker.iter_enumerated().filter(|&(_, &marked)| marked).map(|(part, _)| part);
        let edits: Vec<Edit> = self.edits.into_values().collect();
        let evidence = if self.context.options.trace { evidence(self.context, &edits) } else { Vec::new() };
        Outcome { edits, counts: self.counts, marked: marked.collect(), evidence }
    }

    /// Returns whether `part` may be edited and is not edited yet.
    pub(super) fn is_open(&self, part: PartIndex) -> bool {
        self.context.is_free[part] && !self.is_edited(part)
    }

    /// Returns whether `part` is edited.
    pub(super) fn is_edited(&self, part: PartIndex) -> bool {
        self.edits.contains_key(&part)
    }

    /// Returns whether `part` is removed.
    pub(super) fn is_removed(&self, part: PartIndex) -> bool {
        self.edits.get(&part).is_some_and(|edit| edit.change == Change::Remove)
    }

    /// Removes `part`.
    pub(super) fn remove(&mut self, part: PartIndex, rule: Rule, superseded_by: Option<PartIndex>) {
        self.edits.insert(part, Edit { part, rule, superseded_by, change: Change::Remove });
    }

    /// Replaces the text of `part` by the pieces that `make` returns. Returns false if it returns none.
    pub(super) fn replace(
        &mut self,
        part: PartIndex,
        rule: Rule,
        superseded_by: Option<PartIndex>,
        make: impl FnOnce(Text<'_>) -> Option<Vec<Piece>>,
    ) -> bool {
        let text = self.context.transcript.text(part);
        let Some(pieces) = make(text) else { return false };
        self.edits.insert(part, Edit { part, rule, superseded_by, change: Change::Replace(pieces) });
        true
    }

    /// Counts an application of `rule`.
    pub(super) fn count(&mut self, rule: Rule) {
        self.counts[rule as usize] += 1;
    }

    /// Writes the edits for judged operations. With `keeps_words`, lines with words that occur nowhere else stay.
    pub(super) fn carry_out(&mut self, verdicts: &Verdicts, keeps_words: bool) {
        let context = self.context;
        let judged = context
            .operations
            .list
            .iter()
            .zip(verdicts)
            .filter_map(|(operation, verdict)| Some((operation, verdict.as_ref()?)));
        let mut waiting = Vec::new();
        for (operation, verdict) in judged {
            if keeps_words && self.waits_for_words(operation, verdict) {
                waiting.push((operation, verdict));
            } else if self.apply(operation, verdict, None) {
                self.count(verdict.rule);
            }
        }
        if waiting.is_empty() {
            return;
        }
        let mut novel = self.novel_lines(&waiting);
        // The newest first, because it is closest to the current contents of the file.
        for (operation, verdict) in waiting.into_iter().rev() {
            if self.apply(operation, verdict, Some(&mut novel)) {
                self.count(verdict.rule);
            }
        }
    }

    /// Returns whether lines of an operation's results may stay for words that occur nowhere else.
    fn waits_for_words(&self, operation: &Operation, verdict: &Verdict) -> bool {
        let length = |&result: &PartIndex| self.context.transcript.text(result).len();
        let may_keep = match verdict.keep {
            Remainder::NovelLines => !self.goes_whole(operation, verdict),
            // The agent may be working on a failure that was not repeated.
            Remainder::DecisiveLine => verdict.by.is_none(),
            _ => false,
        };
        may_keep && operation.results.iter().map(length).max().unwrap_or_default() >= MIN_NOVEL
    }

    /// Returns whether the call and its results are removed. If a part of them has to stay, they get a stub instead.
    fn goes_whole(&self, operation: &Operation, verdict: &Verdict) -> bool {
        let context = self.context;
        let may_go = |part: PartIndex| context.is_free[part] && !context.is_last(part);
        context.options.remove
            && matches!(verdict.keep, Remainder::Nothing | Remainder::NovelLines)
            && std::iter::once(operation.call).chain(operation.answers()).all(may_go)
    }

    /// Reads the lines of those that wait, and covers the words of all texts that stay unchanged.
    fn novel_lines(&self, waiting: &[(&Operation, &Verdict)]) -> NovelLines {
        let transcript = self.context.transcript;
        let units = |part: usize| transcript.text(part).len();
        let results = waiting.iter().flat_map(|(operation, _)| &operation.results).copied();
        let open: Vec<PartIndex> = results.filter(|&result| self.is_open(result)).collect();
        let mut goes: IndexVec<PartIndex, bool> = vec![false; transcript.parts().len()].into();
        open.iter().for_each(|&result| goes[result] = true);
        let novel =
            NovelLines::read(transcript, open.into_iter().filter(|&result| transcript.text(result).len() >= MIN_NOVEL));
        map_chunks(transcript.parts().len(), units, |range| {
            for index in range.map(PartIndex::from) {
                let has_words = matches!(transcript.parts()[index].kind, Kind::Text | Kind::Call | Kind::Result);
                if has_words && !goes[index] && !self.is_edited(index) {
                    novel.words.cover_text(transcript.text(index));
                }
            }
        });
        novel
    }

    /// Writes the edits for one operation. Lines that are `novel` may stay.
    fn apply(&mut self, operation: &Operation, verdict: &Verdict, mut novel: Option<&mut NovelLines>) -> bool {
        let context = self.context;
        let by = verdict.by.map(|by| context.operations.list[by].call);
        if self.goes_whole(operation, verdict) {
            std::iter::once(operation.call)
                .chain(operation.answers())
                .for_each(|part| self.remove(part, verdict.rule, by));
            return true;
        }
        if matches!(verdict.keep, Remainder::All) {
            return false;
        }
        let what = self.what(operation, verdict);
        let mut applied = false;
        for (&result, said) in operation.results.iter().zip(&operation.said) {
            if !self.is_open(result) {
                continue;
            }
            applied |= self.replace(result, verdict.rule, by, |text| match &verdict.keep {
                Remainder::LinesBut(is_gone) => without_lines(text, &what, said.printed_in(text.len()), is_gone),
                Remainder::NovelLines | Remainder::DecisiveLine if text.len() >= MIN_NOVEL && novel.is_some() => {
                    let has_failed = verdict.rule == Rule::FailedCommand;
                    let decisive = if has_failed { decisive_lines(text.bytes(), said) } else { Vec::new() };
                    let (lines, staying) = novel.as_deref_mut()?.take(result, text, &decisive)?;
                    cut(text, &what, &lines, |line| staying.contains(&line.start))
                }
                Remainder::DecisiveLine => failed(text, said),
                Remainder::Nothing | Remainder::Call | Remainder::All | Remainder::NovelLines => {
                    let pieces = vec![Piece::Mark(Stub::Marker(Marker {
                        size: Some(lines(count_lines(text))),
                        ..marked(&what)
                    }))];
                    is_worth(total(&pieces), text.len()).then_some(pieces)
                }
            });
        }
        if verdict.rule == Rule::StaleEdit && self.is_open(operation.call) {
            let path = operation.files.first().map_or("", |used| &context.operations.files[used.file]);
            applied |= self.replace(operation.call, verdict.rule, by, |text| shorter_arguments(text, &what, path));
        }
        applied
    }

    /// Returns the text of a stub.
    fn what(&self, operation: &Operation, verdict: &Verdict) -> String {
        let operations = &self.context.operations;
        let file = operation.files.first().map(|used| operations.display(used.file)).unwrap_or_default();
        let others = if operation.files.len() > 1 { " and others" } else { "" };
        match verdict.rule {
            Rule::StaleRead => format!("stale read of {file}{others}"),
            Rule::OverlappingRead => format!("read of {file}, in part read again later"),
            Rule::StaleEdit => format!("superseded change of {file}{others}"),
            Rule::StaleCommand => "run again later".to_owned(),
            Rule::FailedCommand => "failed".to_owned(),
            Rule::StaleSearch => "searched again later".to_owned(),
            _ => {
                let by =
                    verdict.by.map(|by| self.context.transcript.name(operations.list[by].call)).unwrap_or_default();
                format!("same as a later result of {}", by.chars().take(40).collect::<String>())
            }
        }
    }
}

/// Cuts the result of a failed command to the line in which its harness tells the failure, and the program's line that tells what failed.
fn failed(text: Text<'_>, said: &Said) -> Option<Vec<Piece>> {
    let marker = Marker { size: Some(lines(count_lines(text))), after: " ", ..marked("failed") };
    let mut pieces = vec![Piece::Mark(Stub::Marker(marker))];
    let staying = decisive_lines(text.bytes(), said);
    for (number, line) in staying.iter().enumerate() {
        let has_end = text.bytes().get(line.end) == Some(&b'\n');
        let is_last = number + 1 == staying.len();
        pieces.push(Piece::Keep(line.start..line.end + usize::from(has_end && !is_last)));
        if !has_end && !is_last {
            pieces.push(Piece::Mark(Stub::Text("\n".to_owned())));
        }
    }
    is_worth(total(&pieces), text.len()).then_some(pieces)
}

/// Cuts the lines of what was `printed` for which `is_gone` says so.
fn without_lines(text: Text<'_>, what: &str, printed: Range<usize>, is_gone: &[bool]) -> Option<Vec<Piece>> {
    let mut lines = lf_lines(&text.bytes()[printed.clone()]).zip(is_gone).peekable();
    // A long line has several segments.
    cut(text, what, &segments(text), |segment| {
        let Some(start) = segment.start.checked_sub(printed.start) else { return true };
        while lines.next_if(|((_, end), _)| *end < start).is_some() {}
        !lines.peek().is_some_and(|&(_, &is_gone)| is_gone)
    })
}

/// Cuts the long strings from the arguments of a superseded write or edit. Valid JSON stays valid, and the changed files are
/// still named.
fn shorter_arguments(text: Text<'_>, what: &str, path: &str) -> Option<Vec<Piece>> {
    let is_json = palimpsest_world::arguments::parse(text).is_some();
    let strings = if is_json { string_values(text.bytes()) } else { std::iter::once(0..text.len()).collect() };
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut marker = Some(marked(&what.replace(['"', '\\'], "_")));
    for string in strings.into_iter().filter(|string| string.len() >= MIN_ARGUMENT) {
        // A path may be relative.
        if path.as_bytes().ends_with(&text.bytes()[string.clone()]) {
            continue;
        }
        pieces.push(Piece::Keep(from..string.start));
        from = string.end;
        pieces.extend(file_lines(text.bytes(), string, is_json).into_iter().map(Piece::Keep));
        pieces.push(Piece::Mark(marker.take().map_or_else(|| Stub::Text(FURTHER.to_owned()), Stub::Marker)));
    }
    if pieces.is_empty() {
        return None;
    }
    pieces.push(Piece::Keep(from..text.len()));
    pieces.retain(|piece| !matches!(piece, Piece::Keep(range) if range.is_empty()));
    let kept: usize = pieces.iter().map(Piece::kept).sum();
    is_worth(total(&pieces) - kept, text.len() - kept).then_some(pieces)
}

/// Returns the lines of a patch that name files, including their line ends.
fn file_lines(text: &[u8], patch: Range<usize>, is_json: bool) -> Vec<Range<usize>> {
    // In JSON, line ends are escaped, like other sequences that begin with a backslash.
    let (end, length) = if is_json { (b'\\', 2) } else { (b'\n', 1) };
    let mut found = Vec::new();
    let mut start = patch.start;
    let mut from = start;
    while let Some(at) = memchr::memchr(end, &text[from..patch.end]) {
        from = (from + at + length).min(patch.end);
        if is_json && text[from - 1] != b'n' {
            continue;
        }
        if shell::names_file(&text[start..from]) {
            found.push(start..from);
        }
        start = from;
    }
    found
}
