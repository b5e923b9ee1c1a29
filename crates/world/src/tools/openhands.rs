//! OpenHands; its `str_replace_editor` is Anthropic's.

use super::claude_code::EDITOR;
use super::tool::{Lines, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::command("execute_bash", "command", ""),
    Tool::command("terminal", "command", ""),
    Tool { name: "file_editor", ..EDITOR },
    Tool::command("run", "command", ""),
    Tool::edit("edit_file", "path", "content"),
    Tool::read("view", "path", Lines::Pair("view_range")),
];
