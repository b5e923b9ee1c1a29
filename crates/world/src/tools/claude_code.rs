//! Claude Code, and Anthropic's own editor and shell tools.

use super::tool::{Lines, Tool, ToolKind};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("Read", "file_path", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    // `pages` selects pages of a document, `cell_id` one cell of a notebook.
    Tool::read("Read", "file_path", Lines::Part("pages")),
    Tool::read("NotebookRead", "notebook_path", Lines::Part("cell_id")),
    Tool::write("Write", "file_path"),
    Tool::edit("Edit", "file_path", "new_string"),
    Tool::edit("MultiEdit", "file_path", "edits.new_string"),
    Tool::edit("NotebookEdit", "notebook_path", "new_source"),
    Tool::command("Bash", "command", ""),
    Tool::search("Grep"),
    Tool::search("Glob"),
    Tool::search("LS"),
    EDITOR,
    Tool { text: "insert_text", ..EDITOR },
    Tool { name: "str_replace_based_edit_tool", ..EDITOR },
    Tool { name: "str_replace_based_edit_tool", text: "insert_text", ..EDITOR },
    Tool::command("bash", "command", "workdir"),
];

/// Anthropic's editor, which OpenHands and SWE-agent also use.
pub(super) const EDITOR: Tool = Tool {
    path: "path",
    text: "new_str",
    lines: Lines::Pair("view_range"),
    command: "command",
    ..Tool::new("str_replace_editor", ToolKind::Editor)
};
