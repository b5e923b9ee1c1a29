//! Claude Code, and Anthropic's own editor and shell tools.

use super::reports::Report;
use super::shell::{Dialect, Keeps, Shell};
use super::tool::{Lines, Script, Tool, ToolKind};

pub(super) const TOOLS: &[Tool] = &[
    READ,
    // `pages` selects pages of a document, `cell_id` one cell of a notebook.
    Tool { lines: Lines::Part("pages"), ..READ },
    Tool::read("NotebookRead", "notebook_path", Lines::Part("cell_id")).reports(Report::ClaudeCodeFiles),
    Tool::write("Write", "file_path").reports(Report::ClaudeCodeFiles),
    Tool::edit("Edit", "file_path", "new_string").reports(Report::ClaudeCodeFiles),
    Tool::edit("MultiEdit", "file_path", "edits.new_string").reports(Report::ClaudeCodeFiles),
    Tool::edit("NotebookEdit", "notebook_path", "new_source").reports(Report::ClaudeCodeFiles),
    // The user's `bash` or `zsh`, Git's on Windows. Mostly a `cd` lasts, but not outside of the directories that are allowed, and not always on
    // Windows; the result says only the first.
    COMMAND.shell(SHELL),
    Tool { name: "PowerShell", ..COMMAND }.shell(Shell {
        dialect: Dialect::PowerShell,
        dialect_off_windows: Dialect::PowerShell,
        ..SHELL
    }),
    Tool::search("Grep").reports(Report::ClaudeCodeFiles),
    Tool::search("Glob").reports(Report::ClaudeCodeFiles),
    Tool::search("LS").reports(Report::ClaudeCodeFiles),
    EDITOR,
    Tool { text: "insert_text", ..EDITOR },
    Tool { name: "str_replace_based_edit_tool", ..EDITOR },
    Tool { name: "str_replace_based_edit_tool", text: "insert_text", ..EDITOR },
    // Anthropic's own shell tool: the caller runs it.
    Tool::command("bash", "command", "").others(&["restart"]),
];

const READ: Tool = Tool::read("Read", "file_path", Lines::Count { offset: "offset", limit: "limit", base: 1 })
    .reports(Report::ClaudeCodeFiles);

const COMMAND: Tool = Tool::command("Bash", "command", "")
    .script(Script::Text)
    .others(&["description", "timeout", "run_in_background", "dangerouslyDisableSandbox"])
    .reports(Report::ClaudeCode);

const SHELL: Shell = Shell {
    keeps_directory: Keeps::Unsure,
    keeps_environment: Keeps::Unsure,
    dialect: Dialect::Posix,
    dialect_off_windows: Dialect::Posix,
    escapes: true,
};

/// Anthropic's editor, which OpenHands and SWE-agent also use.
pub(super) const EDITOR: Tool = Tool {
    path: "path",
    text: "new_str",
    lines: Lines::Pair("view_range"),
    command: "command",
    ..Tool::new("str_replace_editor", ToolKind::Editor).reports(Report::OpenHandsFiles)
};
