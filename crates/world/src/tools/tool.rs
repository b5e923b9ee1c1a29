//! A tool: what it does, which of its arguments says to what, and what is certain of the harness that runs it.

use super::reports::{Report, Reports};
use super::shell::Shell;

/// Kind of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// Shows files.
    Read,
    /// Writes whole files.
    Write,
    /// Changes files in part.
    Edit,
    /// Runs a command.
    Command,
    /// Lists, finds or greps.
    Search,
    /// Applies a patch that names its files.
    Patch,
    /// Views, creates or edits a file, depending on its argument `command`.
    Editor,
    /// Anything else.
    Other,
}

/// Arguments by which a read selects lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines<'a> {
    /// None: the tool shows whole files.
    All,
    /// The first line, counted from `base`, and the number of lines.
    Count {
        /// Argument with the first line.
        offset: &'a str,
        /// Argument with the number of lines.
        limit: &'a str,
        /// Number of a file's first line: 0 or 1.
        base: u32,
    },
    /// The first and the last line, counted from 1.
    Span {
        /// Argument with the first line.
        start: &'a str,
        /// Argument with the last line.
        end: &'a str,
    },
    /// Array of the first and the last line, counted from 1; -1 is the file's last line.
    Pair(&'a str),
    /// The lines are unknown if a call has this argument. Dots lead into objects and arrays.
    Part(&'a str),
    /// A number of lines from the start or from the end of the file.
    Ends {
        /// Argument with the number of lines from the start.
        head: &'a str,
        /// Argument with the number of lines from the end.
        tail: &'a str,
    },
}

/// Form of the argument with a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// A string, or an array of words.
    #[default]
    Any,
    /// A string.
    Text,
    /// An array of words.
    Words,
    /// An array of commands, which run at once.
    Several,
}

/// A tool: its kind and the names of its arguments. Empty names, and names that a call lacks, are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// Name of the tool in calls.
    pub name: &'a str,
    /// Kind of the tool.
    pub kind: ToolKind,
    /// Argument with the file's path, or with an array of paths. Dots lead into objects and arrays.
    pub path: &'a str,
    /// Lines that a read shows.
    pub lines: Lines<'a>,
    /// Argument with the new text of an edit. Dots lead into objects and arrays.
    pub text: &'a str,
    /// Argument with a command (a string or an array of words), or with a patch.
    pub command: &'a str,
    /// Argument with a command's working directory.
    pub cwd: &'a str,
    /// Form of the command.
    pub script: Script,
    /// All other arguments of the tool, by which agents' tools of one name are told apart. `None`: any.
    pub others: Option<&'a [&'a str]>,
    /// The shell in which the harness runs commands.
    pub shell: Shell,
    /// The forms in which the harness writes what came of a call.
    pub reports: Reports,
}

impl<'a> Tool<'a> {
    /// A tool without arguments, of whose harness nothing is certain.
    pub const fn new(name: &'a str, kind: ToolKind) -> Self {
        Tool {
            name,
            kind,
            path: "",
            lines: Lines::All,
            text: "",
            command: "",
            cwd: "",
            script: Script::Any,
            others: None,
            shell: Shell::UNKNOWN,
            reports: Reports::NONE,
        }
    }

    /// A tool that the caller describes: what is certain of it is what the caller says.
    pub const fn described(name: &'a str, kind: ToolKind) -> Self {
        Tool { reports: Reports::of(&[Report::Described]), ..Tool::new(name, kind) }
    }

    pub(super) const fn read(name: &'a str, path: &'a str, lines: Lines<'a>) -> Self {
        Tool { path, lines, ..Tool::new(name, ToolKind::Read) }
    }

    pub(super) const fn write(name: &'a str, path: &'a str) -> Self {
        Tool { path, ..Tool::new(name, ToolKind::Write) }
    }

    pub(super) const fn edit(name: &'a str, path: &'a str, text: &'a str) -> Self {
        Tool { path, text, ..Tool::new(name, ToolKind::Edit) }
    }

    pub(super) const fn command(name: &'a str, command: &'a str, cwd: &'a str) -> Self {
        Tool { command, cwd, ..Tool::new(name, ToolKind::Command) }
    }

    pub(super) const fn search(name: &'a str) -> Self {
        Tool::new(name, ToolKind::Search)
    }

    pub(super) const fn patch(name: &'a str, command: &'a str) -> Self {
        Tool { command, ..Tool::new(name, ToolKind::Patch) }
    }

    /// The same tool, run in `shell`.
    pub(super) const fn shell(self, shell: Shell) -> Self {
        Tool { shell, ..self }
    }

    /// The same tool, with the form of its results.
    pub(super) const fn reports(self, report: Report) -> Self {
        Tool { reports: self.reports.or(Reports::of(&[report])), ..self }
    }

    /// The same tool, which has no arguments but those named before and `others`.
    pub(super) const fn others(self, others: &'a [&'a str]) -> Self {
        Tool { others: Some(others), ..self }
    }

    /// The same tool, which takes a command in one form alone.
    pub(super) const fn script(self, script: Script) -> Self {
        Tool { script, ..self }
    }
}
