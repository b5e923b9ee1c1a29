//! Claude Code, and Anthropic's own editor and shell tools.

use super::{Lines, Tool, ToolKind};

pub const TOOLS: &[Tool] = &[
    Tool::read("Read", "file_path", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    Tool::read("NotebookRead", "notebook_path", Lines::All),
    Tool::write("Write", "file_path"),
    Tool::edit("Edit", "file_path", "new_string"),
    Tool::edit("MultiEdit", "file_path", "edits.new_string"),
    Tool::edit("NotebookEdit", "notebook_path", "new_source"),
    Tool::command("Bash", "command", ""),
    Tool::search("Grep"),
    Tool::search("Glob"),
    Tool::search("LS"),
    EDITOR,
    Tool { name: "str_replace_based_edit_tool", ..EDITOR },
    Tool::command("bash", "command", "workdir"),
];

/// Also the one of OpenHands and of SWE-agent.
const EDITOR: Tool = Tool {
    path: "path",
    text: "new_str",
    lines: Lines::Pair("view_range"),
    command: "command",
    ..Tool::new("str_replace_editor", ToolKind::Editor)
};
