//! Operations: tool calls with their results, the files they used, the commands they ran, and whether they succeeded.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::arguments::{parse, string};
use super::extent::Extent;
use super::known::Known;
use super::lines::{line_number, numbers};
use super::outcome::{Outcome, Said};
use super::shell::program_prints_files;
use super::tools::ToolKind;
use palimpsest_history::restore::marker::{KEY_LENGTH, MARKER_START};
use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::index::IndexVec;
use palimpsest_text::{Text, index_types};

index_types! {
    /// A file, in [`Operations::files`].
    FileIndex;
    /// A command or search: equal for equal arguments in the same directory.
    RunIndex;
}

/// Effect of an operation on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAccess {
    /// Showed it.
    Read(Extent),
    /// Wrote the whole of it, created or deleted it.
    Write,
    /// Changed a part of it.
    Edit,
}

/// A file and the effect on it.
#[derive(Clone, Copy, Debug)]
pub struct FileUse {
    pub file: FileIndex,
    /// The effect.
    pub does: FileAccess,
}

/// A call with its results.
#[derive(Debug)]
pub struct Operation {
    /// The part with the call.
    pub call: PartIndex,
    /// The parts with the texts of its results.
    pub results: Vec<PartIndex>,
    /// Other parts of its results: images, blocks of unknown kinds. They are removed only with the call.
    pub attachments: Vec<PartIndex>,
    /// Kind of the tool.
    pub kind: ToolKind,
    /// The files that it used, in order.
    pub files: Vec<FileUse>,
    /// The command or search that it ran.
    pub run: Option<RunIndex>,
    /// New texts of an edit, if its arguments name them.
    pub new_texts: Vec<String>,
    /// What came of it.
    pub outcome: Known<Outcome>,
    /// For each of `results`, what the harness says in it.
    pub said: Vec<Said>,
    /// Whether its results pass on what the user said to the call; see [`super::outcome::rejection`].
    pub speaks_for_user: bool,
    /// Positions of marks of an earlier pruning, fitting or compression.
    pub marks: MarkPosition,
    /// Whether there are marks in the call.
    pub is_call_cut: bool,
    /// The directory in which its command or search ran, if it is known; empty for the one in which the session started.
    pub directory: Option<String>,
    /// Whether it decides what later calls mean: it moved the shell, or a file, or changed an environment.
    pub is_cause: bool,
    /// What its command printed.
    pub(crate) prints: Prints,
}

/// What a command printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Prints {
    /// Lines of files, maybe beside other output.
    Files,
    /// Something else.
    #[default]
    Other,
    /// What the commands printed that the program in the call runs.
    OfProgram,
}

/// All operations of an agent.
#[derive(Debug, Default)]
pub struct Operations {
    /// The answered operations, in order of time.
    pub list: Vec<Operation>,
    /// The files, with one name each.
    pub files: IndexVec<FileIndex, String>,
    /// The directory in which the session started, if a text names it.
    pub root: Option<String>,
    /// For each part, whether it may contain a marker.
    pub may_hold_marker: IndexVec<PartIndex, bool>,
}

/// Returns the positions in `text` at which a marker may begin.
pub fn openings(text: Text<'_>) -> impl Iterator<Item = usize> {
    static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(MARKER_START));
    FINDER.find_iter(text.bytes())
}

/// Returns whether `text` contains a marker.
pub fn has_marker(text: Text<'_>) -> bool {
    openings(text).any(|at| {
        let rest = &text.bytes()[at + MARKER_START.len()..];
        let is_key = |key: &[u8]| key.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        rest.get(..KEY_LENGTH).is_some_and(is_key) && rest.get(KEY_LENGTH) == Some(&b' ')
    })
}

/// Positions of marks in a text. The contents of a file may look like a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkPosition {
    /// No marks.
    #[default]
    None,
    /// After the first line: a part is gone.
    Body,
    /// In the first line, or a mark of `prune` anywhere. Whether the tool failed or the user refused the call is then unknown,
    /// because the first line tells that.
    Head,
}

impl MarkPosition {
    /// Returns the positions of marks of `fit` and `compress` in `text`, such as `[…]` and `[… 12 lines]`. A summary, a reference
    /// or a number of messages in place of the text counts as [`MarkPosition::Head`].
    pub fn of(text: Text<'_>) -> Self {
        let bytes = text.bytes();
        let stands_for = [b"[summary:".as_slice(), b"[summary#", b"[truncated", b"[cce:"];
        if stands_for.iter().any(|start| bytes.starts_with(start)) || is_omission(bytes) {
            return MarkPosition::Head;
        }
        if text.units().is_none() {
            return MarkPosition::None;
        }
        match memchr::memchr_iter(b'[', bytes).find(|&at| is_mark(text, at)) {
            Some(at) if memchr::memchr(b'\n', &bytes[..at]).is_none() => MarkPosition::Head,
            Some(_) => MarkPosition::Body,
            None => MarkPosition::None,
        }
    }
}

/// Returns whether `text` is the number of messages that `compress` omitted.
fn is_omission(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"[") else { return false };
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let what = rest[count..].strip_prefix(b" message").map(|what| what.strip_prefix(b"s").unwrap_or(what));
    count > 0 && what.is_some_and(|what| what.starts_with(b" of general discussion omitted]"))
}

/// Returns whether a mark begins at `at`: `[…]`, `[…: why]` or `[… 12 lines]` of `fit`, or `[… lines 1–11]` of `prune`.
fn is_mark(text: Text<'_>, at: usize) -> bool {
    const ELLIPSIS: u16 = 0x2026;
    if at + 2 >= text.len() || text.unit(at + 1) != ELLIPSIS {
        return false;
    }
    match text.bytes()[at + 2..] {
        [b']', ..] | [b':', b' ', ..] => true,
        [b' ', ref rest @ ..] => rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"lines "),
        _ => false,
    }
}

impl Operation {
    /// Returns whether its results hold text of files that a command printed, maybe beside other output.
    pub fn prints_files(&self, transcript: &Transcript) -> bool {
        match self.prints {
            Prints::Files => true,
            Prints::Other => false,
            Prints::OfProgram => {
                let text = transcript.text(self.call);
                let value = parse(text);
                let program = value.as_ref().and_then(|value| string(value, "input").or(string(value, "code")));
                program.map_or_else(|| program_prints_files(&text.to_string_lossy()), program_prints_files)
            }
        }
    }

    /// Returns whether it certainly failed, or was refused or stopped.
    pub fn failed(&self) -> bool {
        self.outcome.is_certain_and(Outcome::is_failure)
    }

    /// Returns whether it certainly did what was asked for.
    pub fn succeeded(&self) -> bool {
        self.outcome.is_certain_and(|outcome| matches!(outcome, Outcome::Succeeded | Outcome::SucceededOrBenign))
    }

    /// Returns what its results show, without the lines of the harness where they are certain.
    pub fn shown<'t>(&self, transcript: &'t Transcript) -> Vec<Text<'t>> {
        let of = |(result, said): (&PartIndex, &Said)| {
            transcript.text(*result).slice(said.printed_in(transcript.length(*result)))
        };
        self.results.iter().zip(&self.said).map(of).collect()
    }

    /// Returns all parts of its results.
    pub fn answers(&self) -> impl Iterator<Item = PartIndex> {
        self.results.iter().chain(&self.attachments).copied()
    }

    /// Returns the part that shows lines of a file, and the number of the first one. `None` unless the result is one text of nothing but
    /// lines of one file, all there and without numbers of their own.
    pub fn first_line(&self, transcript: &Transcript) -> Option<(PartIndex, u32)> {
        let (&[result], &[FileUse { does: FileAccess::Read(extent), .. }]) = (&self.results[..], &self.files[..])
        else {
            return None;
        };
        let first = match extent {
            Extent::Whole => 1,
            Extent::Lines(lines) => lines.first(),
            Extent::Part => return None,
        };
        let text = self.shown(transcript).into_iter().next()?;
        // Most lines may be a note below the few that a tool numbered.
        let is_numbered =
            numbers(text).is_some() || line_number(text.bytes()).is_some_and(|(number, _)| number == first);
        let is_bare = !self.failed() && self.marks == MarkPosition::None && !is_numbered;
        is_bare.then_some((result, first))
    }

    /// Returns whether its tool changes files.
    pub fn is_change(&self) -> bool {
        matches!(self.kind, ToolKind::Write | ToolKind::Edit | ToolKind::Patch)
    }
}

impl Operations {
    /// Formats a file for a stub: relative to the session's directory, and only the end of a long path.
    pub fn display(&self, file: FileIndex) -> String {
        const LIMIT: usize = 60;
        let path = self.files[file].as_str();
        let below = self.root.as_deref().and_then(|root| path.strip_prefix(root)?.strip_prefix('/'));
        let path = below.unwrap_or(path);
        if path.len() <= LIMIT {
            return path.to_owned();
        }
        let start = (path.len() - LIMIT..path.len()).find(|&at| path.is_char_boundary(at)).unwrap_or_default();
        let start = path[start..].find('/').map_or(start, |at| start + at);
        format!("…{}", &path[start..])
    }
}
