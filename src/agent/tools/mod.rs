//! Which tool does what, and what its arguments are called: a table, a file for each agent.

mod claude_code;
mod cline;
mod codex;
mod cursor;
mod gemini_cli;
mod mcp;
mod opencode;
mod openhands;
mod original;
mod swe_agent;

use std::sync::LazyLock;

use crate::text::hashing::TextMap;

/// What a tool does.
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
    /// Shows what is there: lists, finds, greps.
    Search,
    /// Applies a patch that names its files.
    Patch,
    /// Says in its argument `command` whether it views, creates or edits.
    Editor,
    /// Whatever else.
    Other,
}

/// How a read says which lines it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines<'a> {
    /// It shows whole files.
    All,
    /// The first line's number less `base`, and how many lines.
    Count {
        /// The argument with the first line.
        offset: &'a str,
        /// The argument with the number of lines.
        limit: &'a str,
        /// What the first line of a file is called: 0 or 1.
        base: u32,
    },
    /// The first and the last line, counted from 1.
    Span {
        /// The argument with the first line.
        start: &'a str,
        /// The argument with the last line.
        end: &'a str,
    },
    /// An array of the first and the last line, counted from 1; -1 is the file's last.
    Pair(&'a str),
    /// Nobody knows which, where this argument is given. Dots lead into objects and arrays.
    Part(&'a str),
    /// So many lines from the one or the other end.
    Ends {
        /// The argument with the number of lines from the start.
        head: &'a str,
        /// The argument with the number of lines from the end.
        tail: &'a str,
    },
}

/// A tool: its kind and the names of its arguments. A name that is empty or that a call lacks says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// The tool's name in calls.
    pub name: &'a str,
    /// What it does.
    pub kind: ToolKind,
    /// The argument with the file's path, or with an array of paths. Dots lead into objects and arrays.
    pub path: &'a str,
    /// Which lines a read shows.
    pub lines: Lines<'a>,
    /// The argument with the text that an edit brings. Dots lead into objects and arrays.
    pub text: &'a str,
    /// The argument with a command, a string or an array of words; or with a patch.
    pub command: &'a str,
    /// The argument with the directory that a command runs in.
    pub cwd: &'a str,
}

impl<'a> Tool<'a> {
    const fn new(name: &'a str, kind: ToolKind) -> Self {
        Tool { name, kind, path: "", lines: Lines::All, text: "", command: "", cwd: "" }
    }

    const fn read(name: &'a str, path: &'a str, lines: Lines<'a>) -> Self {
        Tool { path, lines, ..Tool::new(name, ToolKind::Read) }
    }

    const fn write(name: &'a str, path: &'a str) -> Self {
        Tool { path, ..Tool::new(name, ToolKind::Write) }
    }

    const fn edit(name: &'a str, path: &'a str, text: &'a str) -> Self {
        Tool { path, text, ..Tool::new(name, ToolKind::Edit) }
    }

    const fn command(name: &'a str, command: &'a str, cwd: &'a str) -> Self {
        Tool { command, cwd, ..Tool::new(name, ToolKind::Command) }
    }

    const fn search(name: &'a str) -> Self {
        Tool::new(name, ToolKind::Search)
    }

    const fn patch(name: &'a str, command: &'a str) -> Self {
        Tool { command, ..Tool::new(name, ToolKind::Patch) }
    }
}

/// All that are built in. Agents share names, so one name may stand for several tools: the first one whose path or
/// command a call names is meant.
static BUILT_IN: LazyLock<TextMap<&str, Vec<Tool<'static>>>> = LazyLock::new(|| {
    let all = [
        original::TOOLS,
        claude_code::TOOLS,
        codex::TOOLS,
        gemini_cli::TOOLS,
        opencode::TOOLS,
        // Before Cline: what Roo reads from an offset on has numbers, which say where it starts; what Desktop Commander reads has none.
        mcp::TOOLS,
        cline::TOOLS,
        swe_agent::TOOLS,
        openhands::TOOLS,
        cursor::TOOLS,
    ];
    let mut table: TextMap<&str, Vec<Tool<'static>>> = TextMap::default();
    for tool in all.into_iter().flatten() {
        table.entry(tool.name).or_default().push(*tool);
    }
    table
});

/// What stands behind a prefix by which a server or a namespace is named: `mcp__files__read_file`,
/// `functions.shell`, `files:read_file`.
fn without_prefix(name: &str) -> &str {
    let start = name.rfind(['.', ':', '/']).map_or(0, |at| at + 1);
    let bare = &name[start..];
    bare.rfind("__").map_or(bare, |at| &bare[at + 2..])
}

/// The tools that `name` may stand for; of `own` (given by the user) first.
pub fn named<'a>(name: &str, own: &[Tool<'a>]) -> Vec<Tool<'a>> {
    if let Some(tool) = own.iter().find(|tool| tool.name == name) {
        return vec![*tool];
    }
    let built_in = |name: &str| BUILT_IN.get(name).cloned();
    built_in(name).or_else(|| built_in(without_prefix(name))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(name: &str) -> Vec<ToolKind> {
        named(name, &[]).iter().map(|tool| tool.kind).collect()
    }

    #[test]
    fn every_agent_has_its_tools() {
        for (name, kind) in [
            ("file_read", ToolKind::Read),
            ("file_edit", ToolKind::Edit),
            ("file_new", ToolKind::Write),
            ("bash_tool", ToolKind::Command),
            ("Read", ToolKind::Read),
            ("MultiEdit", ToolKind::Edit),
            ("Write", ToolKind::Write),
            ("Bash", ToolKind::Command),
            ("shell", ToolKind::Command),
            ("apply_patch", ToolKind::Patch),
            ("run_shell_command", ToolKind::Command),
            ("replace", ToolKind::Edit),
            ("edit", ToolKind::Edit),
            ("execute_command", ToolKind::Command),
            ("write_to_file", ToolKind::Write),
            ("open", ToolKind::Read),
            ("create", ToolKind::Write),
            ("str_replace_editor", ToolKind::Editor),
            ("execute_bash", ToolKind::Command),
            ("run_terminal_cmd", ToolKind::Command),
            ("read_multiple_files", ToolKind::Read),
        ] {
            assert!(kinds(name).contains(&kind), "{name}");
        }
        assert!(kinds("book_flight").is_empty());
    }

    #[test]
    fn a_prefix_names_a_server() {
        assert_eq!(kinds("mcp__filesystem__write_file"), kinds("write_file"));
        assert_eq!(kinds("functions.shell"), kinds("shell"));
        assert!(kinds("mcp__files__book_flight").is_empty());
    }

    #[test]
    fn the_users_own_tools_go_first() {
        let own = [Tool::read("Bash", "file", Lines::All)];
        assert_eq!(named("Bash", &own).iter().map(|tool| tool.kind).collect::<Vec<_>>(), [ToolKind::Read]);
    }
}
