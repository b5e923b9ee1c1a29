//! Carries out what the rules decided.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::case::{Case, Keep, Verdict, Verdicts};
use super::cut::{cut, segments};
use super::stub::{FURTHER, count_lines, is_worth, lines, marked, string_values, total};
use super::vocabulary::Vocabulary;
use super::{Change, Edit, Outcome, Piece, Rule};
use crate::agent::failure::{decisive_line, is_error_line};
use crate::agent::lines::{line_number, numbered};
use crate::agent::operation::Operation;
use crate::agent::shell;
use crate::text::Text;
use crate::text::lines::lf_lines;
use crate::transcript::Kind;

/// A result that is as long, in UTF-16 code units, keeps lines that name what nothing else in the conversation names: a
/// read that a partial edit made stale, for the rest of the file is as it was; and the output of a failed command that was
/// not run again. A shorter one is sooner read or run again.
pub const LONG: usize = 1000;
/// Such lines take at most one part in so many of the text.
const NOVEL_SHARE: usize = 2;
/// A string in the arguments of a superseded write or edit goes if it is as long, in UTF-16 code units.
const LONG_ARGUMENT: usize = 100;

/// Edits in the making.
pub struct Writer<'c> {
    case: &'c Case<'c>,
    edits: BTreeMap<u32, Edit>,
    counts: [u32; Rule::ALL.len()],
}

impl<'c> Writer<'c> {
    /// No edit yet.
    pub fn new(case: &'c Case<'c>) -> Self {
        Writer { case, edits: BTreeMap::new(), counts: [0; Rule::ALL.len()] }
    }

    /// The edits, how often each rule applied, and where markers may stand.
    pub fn finish(self) -> Outcome {
        let may_hold_marker = &self.case.operations.may_hold_marker;
        let marked = (0..).zip(may_hold_marker).filter(|&(_, &marked)| marked).map(|(part, _)| part);
        Outcome { edits: self.edits.into_values().collect(), counts: self.counts, marked: marked.collect() }
    }

    /// Whether `part` may be edited and is not yet.
    pub fn is_open(&self, part: u32) -> bool {
        self.case.is_free[part as usize] && !self.is_edited(part)
    }

    /// Whether `part` is edited.
    pub fn is_edited(&self, part: u32) -> bool {
        self.edits.contains_key(&part)
    }

    /// Whether `part` goes altogether.
    pub fn is_removed(&self, part: u32) -> bool {
        self.edits.get(&part).is_some_and(|edit| edit.change == Change::Remove)
    }

    /// Takes `part` out.
    pub fn remove(&mut self, part: u32, rule: Rule, superseded_by: Option<u32>) {
        self.edits.insert(part, Edit { part, rule, superseded_by, change: Change::Remove });
    }

    /// Puts the pieces that `make` makes in the place of `part`'s text.
    pub fn replace(
        &mut self,
        part: u32,
        rule: Rule,
        superseded_by: Option<u32>,
        make: impl FnOnce(Text<'_>) -> Option<Vec<Piece>>,
    ) -> bool {
        let text = self.case.transcript.text(part as usize);
        let Some(pieces) = make(text) else { return false };
        self.edits.insert(part, Edit { part, rule, superseded_by, change: Change::Replace(pieces) });
        true
    }

    /// Counts an application of `rule`.
    pub fn count(&mut self, rule: Rule) {
        self.counts[rule as usize] += 1;
    }

    /// Writes the edits for judged operations. With `keeps_words`, lines stay that say what nothing else says.
    pub fn carry_out(&mut self, verdicts: &Verdicts, keeps_words: bool) {
        let case = self.case;
        let judged = case
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
        let mut said = self.words_that_stay(&waiting);
        // The newest first: it is nearest to what the file holds now.
        for (operation, verdict) in waiting.into_iter().rev() {
            if self.apply(operation, verdict, Some(&mut said)) {
                self.count(verdict.rule);
            }
        }
    }

    /// Whether some lines of an operation's results may stay for the words that nothing else says.
    fn waits_for_words(&self, operation: &Operation, verdict: &Verdict) -> bool {
        let length = |&result: &u32| self.case.transcript.text(result as usize).len();
        let may_keep = match verdict.keep {
            Keep::NovelLines => !self.goes_whole(operation, verdict),
            // What failed and was not run again may be what the agent is working on.
            Keep::DecisiveLine => verdict.by.is_none(),
            _ => false,
        };
        may_keep && operation.results.iter().map(length).max().unwrap_or_default() >= LONG
    }

    /// Whether call and results go; where something of them has to stay, a stub is left in their place.
    fn goes_whole(&self, operation: &Operation, verdict: &Verdict) -> bool {
        let case = self.case;
        let may_go = |part: u32| case.is_free[part as usize] && !case.is_last(part);
        case.options.remove
            && matches!(verdict.keep, Keep::Nothing | Keep::NovelLines)
            && std::iter::once(operation.call).chain(operation.answers()).all(may_go)
    }

    /// The words of everything that stays as it is.
    fn words_that_stay(&self, waiting: &[(&Operation, &Verdict)]) -> Vocabulary {
        let mut goes: Vec<bool> = vec![false; self.case.transcript.parts().len()];
        waiting
            .iter()
            .flat_map(|(operation, _)| &operation.results)
            .for_each(|&result| goes[result as usize] = self.is_open(result));
        let transcript = self.case.transcript;
        let parts = 0..transcript.parts().len();
        let mut said = Vocabulary::with_capacity(parts.map(|part| transcript.text(part).len()).sum());
        for (index, part) in transcript.parts().iter().enumerate() {
            let is_said = matches!(part.kind, Kind::Text | Kind::Call | Kind::Result);
            if is_said && !goes[index] && !self.is_edited(index as u32) {
                said.add(transcript.text(index));
            }
        }
        said
    }

    /// Writes the edits for one operation; where the words are given that are said elsewhere, lines with others may stay.
    fn apply(&mut self, operation: &Operation, verdict: &Verdict, mut said: Option<&mut Vocabulary>) -> bool {
        let case = self.case;
        let by = verdict.by.map(|by| case.operations.list[by].call);
        if self.goes_whole(operation, verdict) {
            std::iter::once(operation.call)
                .chain(operation.answers())
                .for_each(|part| self.remove(part, verdict.rule, by));
            return true;
        }
        if matches!(verdict.keep, Keep::All) {
            return false;
        }
        let what = self.what(operation, verdict);
        let mut applied = false;
        for &result in &operation.results {
            if !self.is_open(result) {
                continue;
            }
            applied |= self.replace(result, verdict.rule, by, |text| match &verdict.keep {
                Keep::LinesOutside { first, ranges } => without_lines(text, &what, *first, ranges),
                Keep::NovelLines | Keep::DecisiveLine if text.len() >= LONG && said.is_some() => {
                    let segments = segments(text);
                    let has_failed = verdict.rule == Rule::FailedCommand;
                    let line = if has_failed { decisive_line(text.bytes()) } else { None };
                    let novel = novel_lines(text, &segments, line, said.as_deref_mut()?);
                    cut(text, &what, &segments, |line| novel.contains(&line.start))
                }
                Keep::DecisiveLine => failed(text),
                Keep::Nothing | Keep::Call | Keep::All | Keep::NovelLines => {
                    let pieces = vec![Piece::Marker(marked(&format!("{what}, {}", lines(count_lines(text)))))];
                    is_worth(total(&pieces), text.len()).then_some(pieces)
                }
            });
        }
        if verdict.rule == Rule::StaleEdit && self.is_open(operation.call) {
            let path = operation.files.first().map_or("", |used| &case.operations.files[used.file as usize]);
            applied |= self.replace(operation.call, verdict.rule, by, |text| shorter_arguments(text, &what, path));
        }
        applied
    }

    /// What a stub says.
    fn what(&self, operation: &Operation, verdict: &Verdict) -> String {
        let operations = &self.case.operations;
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
                let by = verdict
                    .by
                    .map(|by| self.case.transcript.name(operations.list[by].call as usize))
                    .unwrap_or_default();
                format!("same as a later result of {}", by.chars().take(40).collect::<String>())
            }
        }
    }
}

/// The lines, by their starts, that say a word which is said nowhere else: in failures those first that look like an error,
/// and the one that tells best what failed in any case.
fn novel_lines(
    text: Text<'_>,
    segments: &[Range<usize>],
    decisive: Option<Range<usize>>,
    said: &mut Vocabulary,
) -> FxHashSet<usize> {
    let mut budget = text.len() / NOVEL_SHARE;
    let mut chosen = FxHashSet::default();
    if let Some(decisive) = &decisive {
        let line = segments.iter().find(|line| line.contains(&decisive.start));
        chosen.extend(line.map(|line| line.start));
    }
    for errors_only in [true, false].into_iter().skip(usize::from(decisive.is_none())) {
        for line in segments {
            let content = text.slice(line.clone());
            let number = line_number(content.bytes()).map_or(0, |(_, behind)| behind);
            let stays = line.len() <= budget
                && (!errors_only || is_error_line(content.bytes()))
                && said.misses_one_of(content.slice(number..content.len()));
            if stays {
                budget -= line.len();
                said.add(content.slice(number..content.len()));
                chosen.insert(line.start);
            }
        }
    }
    chosen
}

/// A failed command's result: the line that says what failed.
fn failed(text: Text<'_>) -> Option<Vec<Piece>> {
    let stub = marked(&format!("failed, {}", lines(count_lines(text)))) + " ";
    let mut pieces = vec![Piece::Marker(stub)];
    pieces.extend(decisive_line(text.bytes()).map(Piece::Keep));
    is_worth(total(&pieces), text.len()).then_some(pieces)
}

/// A read without the lines in `ranges`; its first line is called `first` where it numbers none.
fn without_lines(text: Text<'_>, what: &str, first: u32, ranges: &[(u32, u32)]) -> Option<Vec<Piece>> {
    let mut lines = numbered(text);
    if lines.first().is_none_or(|&(number, _)| number != first) {
        lines = (first..).zip(lf_lines(text.bytes()).map(|(start, end)| start..end)).collect();
    }
    let is_gone = |number: u32| {
        let before = ranges.partition_point(|&(start, _)| start <= number);
        before > 0 && ranges[before - 1].1 >= number
    };
    let starts: Vec<usize> = lines.iter().map(|(_, range)| range.start).collect();
    // A long line has several segments.
    cut(text, what, &segments(text), |segment| {
        let line = starts.partition_point(|&start| start <= segment.start).checked_sub(1).map(|index| &lines[index]);
        !line.is_some_and(|(number, range)| range.contains(&segment.start) && is_gone(*number))
    })
}

/// The arguments of a superseded write or edit without their long strings: what was valid JSON stays so, and the files that were
/// changed are still named.
fn shorter_arguments(text: Text<'_>, what: &str, path: &str) -> Option<Vec<Piece>> {
    let is_json = crate::agent::arguments::parse(text).is_some();
    let strings = if is_json { string_values(text.bytes()) } else { std::iter::once(0..text.len()).collect() };
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut marker = Some(marked(&what.replace(['"', '\\'], "_")));
    for string in strings.into_iter().filter(|string| string.len() >= LONG_ARGUMENT) {
        // A path may be relative.
        if path.as_bytes().ends_with(&text.bytes()[string.clone()]) {
            continue;
        }
        pieces.push(Piece::Keep(from..string.start));
        from = string.end;
        pieces.extend(file_lines(text.bytes(), string, is_json).into_iter().map(Piece::Keep));
        pieces.push(marker.take().map_or_else(|| Piece::Stub(FURTHER.to_owned()), Piece::Marker));
    }
    if pieces.is_empty() {
        return None;
    }
    pieces.push(Piece::Keep(from..text.len()));
    pieces.retain(|piece| !matches!(piece, Piece::Keep(range) if range.is_empty()));
    let kept: usize = pieces.iter().map(|piece| if let Piece::Keep(range) = piece { range.len() } else { 0 }).sum();
    is_worth(total(&pieces) - kept, text.len() - kept).then_some(pieces)
}

/// The lines of a patch that name files, with their ends.
fn file_lines(text: &[u8], patch: Range<usize>, is_json: bool) -> Vec<Range<usize>> {
    // JSON escapes the ends of lines, and what else begins with a backslash.
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
