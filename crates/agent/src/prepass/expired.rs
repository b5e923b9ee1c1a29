//! Results with a file that the agent rewrote later, as a whole.

use std::sync::LazyLock;

use regex::bytes::Regex;
use rustc_hash::FxHashMap;

use super::turns::{TurnKind, Turns};
use palimpsest_text::class::{WORD, is};
use palimpsest_text::hashing::{TextMap, TextSet};
use palimpsest_text::lines::lf_lines;
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::{Text, TextBuf};
use palimpsest_world::arguments::{parse, script, string, strings};
use palimpsest_world::outcome::rejection::users_answer;
use palimpsest_world::outcome::{Outcome, outcome};
use palimpsest_world::path::join;
use palimpsest_world::shell::{Dialect, Exit, run};
use palimpsest_world::tools::{self, Reports, Tool, ToolKind};

/// Minimum length of a result that is worth a stub, in UTF-16 code units.
const MIN_LENGTH: usize = 2000;
/// Maximum distance of the write from the read, in messages.
const REACH: usize = 15;
/// Maximum length of a result that reports a write, in UTF-16 code units.
const MAX_REPORT: usize = 1000;

/// A call of a tool.
#[derive(Debug)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON.
    pub arguments: TextBuf,
    /// The message that answers it.
    pub answer: usize,
}

/// Effect of a call on files, by their paths.
enum CallEffect {
    Read(Vec<String>),
    Write(Vec<String>),
    /// Anything else that shows no file.
    Else,
}

/// Returns the replacement of each result whose file was written later.
pub(super) fn stubs(turns: &Turns, calls: &[Call]) -> FxHashMap<usize, TextBuf> {
    let candidates: Vec<usize> = turns
        .of_kind(|kind| kind == TurnKind::Trimmable)
        .filter(|&index| turns.text(index).len() >= MIN_LENGTH)
        .collect();
    if candidates.is_empty() {
        return FxHashMap::default();
    }
    let by_answer: FxHashMap<usize, &Call> = calls.iter().map(|call| (call.answer, call)).collect();
    let results: Vec<usize> = turns.of_kind(|kind| matches!(kind, TurnKind::Trimmable | TurnKind::Tool)).collect();
    let call = |index: usize| by_answer.get(&index).copied();
    let units = |index: usize| turns.text(index).len() + call(index).map_or(0, |call| call.arguments.len());
    let written = map_chunks(
        results.len(),
        |number| units(results[number]),
        |part| {
            let all = results[part]
                .iter()
                .flat_map(|&index| written(turns.text(index), call(index)).into_iter().map(move |path| (path, index)));
            all.collect::<Vec<_>>()
        },
    );
    let mut writes: TextMap<String, Vec<usize>> = TextMap::default();
    written.into_iter().flatten().for_each(|(path, index)| writes.entry(path).or_default().push(index));
    let is_rewritten = |path: &String, index: usize| {
        let Some(at) = writes.get(path) else { return false };
        at.get(at.partition_point(|&at| at <= index)).is_some_and(|at| *at <= index + REACH)
    };
    let is_expired = |&index: &usize| {
        let paths = read(turns, index, call(index));
        !paths.is_empty() && paths.iter().all(|path| is_rewritten(path, index))
    };
    let stub = |index: usize| {
        let length = turns.text(index).len();
        TextBuf::from(
            format!("[file content omitted \u{2014} superseded by a later write ({length} chars original)]").as_str(),
        )
    };
    candidates.into_iter().filter(is_expired).map(|index| (index, stub(index))).collect()
}

/// Returns the files that the result at `index` may show.
fn read(turns: &Turns, index: usize, call: Option<&Call>) -> TextSet<String> {
    let text = turns.text(index);
    match call.and_then(does) {
        Some(CallEffect::Read(paths)) => paths.into_iter().collect(),
        Some(_) => TextSet::default(),
        None => {
            let asked = match call {
                Some(call) => paths(call.arguments.as_text().bytes()),
                None if index > 0 => paths(turns.text(index - 1).bytes()),
                None => Vec::new(),
            };
            let (start, end) = lf_lines(text.bytes()).next().unwrap_or_default();
            asked.into_iter().chain(paths(&text.bytes()[start..end])).collect()
        }
    }
}

/// Returns the files that, according to a result or its call, were written as a whole.
fn written(text: Text<'_>, call: Option<&Call>) -> Vec<String> {
    match call.and_then(does) {
        Some(CallEffect::Write(_)) if users_answer(text).is_some_and(|answer| answer.is_refusal) => Vec::new(),
        Some(CallEffect::Write(paths)) if !has_failed(text) => paths,
        Some(_) => Vec::new(),
        None if text.len() <= MAX_REPORT => {
            let lines = lf_lines(text.bytes()).map(|(start, end)| &text.bytes()[start..end]);
            lines.filter(|line| reports_write(line)).flat_map(paths).collect()
        }
        None => Vec::new(),
    }
}

/// Returns whether a tool says that it could not write.
fn has_failed(text: Text<'_>) -> bool {
    outcome(text, None, Reports::NONE, ToolKind::Write).is_certain_and(Outcome::is_failure)
}

/// Returns whether a line reports that something was written. Negations, and words for partial changes, do not count.
fn reports_write(line: &[u8]) -> bool {
    static WRITES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i-u)\b(?:wrote|written|created|saved|overwritten)\b").expect("valid constant pattern")
    });
    static FAILS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i-u)\b(?:not|no|never|cannot|unable|fail(?:ed|s|ure)?|errors?|denied|refused)\b|n't\b|\?")
            .expect("valid constant pattern")
    });
    WRITES.is_match(line) && !FAILS.is_match(line)
}

/// Returns the effect of a call; `None` if the tool is unknown.
fn does(call: &Call) -> Option<CallEffect> {
    let arguments = parse(call.arguments.as_text())?;
    let named = tools::named(&call.name);
    let names = |tool: &&Tool<'_>| string(&arguments, tool.path).is_some() || script(&arguments, tool).is_some();
    let tool = named.iter().find(names).or(named.first())?;
    let files = || strings(&arguments, tool.path).into_iter().map(|path| join("", path)).collect();
    Some(match tool.kind {
        ToolKind::Read => CallEffect::Read(files()),
        ToolKind::Write if string(&arguments, "mode") == Some("append") => CallEffect::Else,
        ToolKind::Write => CallEffect::Write(files()),
        ToolKind::Editor => match string(&arguments, "command") {
            Some("view") => CallEffect::Read(files()),
            Some("create") => CallEffect::Write(files()),
            _ => CallEffect::Else,
        },
        ToolKind::Command => {
            let ran = run(&script(&arguments, tool)?, Dialect::Posix, Exit::Zero);
            let shown = ran.printed.map(|(place, _)| join("", place.as_str()));
            CallEffect::Read(shown.into_iter().collect())
        }
        _ => CallEffect::Else,
    })
}

/// Returns the paths in a text: with three slashes or more, and an extension of two to five word characters.
fn paths(text: &[u8]) -> Vec<String> {
    let in_path = |byte: u8| is(byte, WORD) || matches!(byte, b'.' | b'-' | b'/');
    let pieces = text.split(|&byte| !in_path(byte)).filter_map(|piece| {
        let end = piece.iter().rposition(|&byte| is(byte, WORD))? + 1;
        std::str::from_utf8(&piece[..end]).ok()
    });
    pieces.filter(|piece| is_path(piece)).map(|path| join("", path)).collect()
}

fn is_path(piece: &str) -> bool {
    let Some((_, name)) = piece.rsplit_once('/') else { return false };
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(0, |(_, ending)| ending.len());
    piece.matches('/').count() >= 3 && (2..=5).contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_deep_and_have_an_ending() {
        for (text, expected) in [
            ("cat /srv/app/src/router.ts.", &["/srv/app/src/router.ts"][..]),
            ("web/app/src/router.ts saved", &["web/app/src/router.ts"]),
            ("/app/router.ts", &[]),
            ("a/b/c/d.ts, (/e/f/g/h.json)", &["a/b/c/d.ts", "/e/f/g/h.json"]),
            ("/a/b/c/d", &[]),
            ("/a/b/c/d.x", &[]),
        ] {
            assert_eq!(paths(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn only_a_write_of_the_whole_is_one() {
        for (line, expected) in [
            ("/srv/app/src/router.ts saved", true),
            ("Wrote 12 lines to /a", true),
            ("/a has been updated. 1 replacement made.", false),
            ("/a could not be saved", false),
            ("Error: /a not written", false),
            ("last modified in June", false),
        ] {
            assert_eq!(reports_write(line.as_bytes()), expected, "{line}");
        }
    }
}
