//! OpenHands; its `str_replace_editor` is Anthropic's.

use super::{Lines, Tool};

pub const TOOLS: &[Tool] = &[
    Tool::command("execute_bash", "command", ""),
    Tool::command("run", "command", ""),
    Tool::edit("edit_file", "path", "content"),
    Tool::read("view", "path", Lines::Pair("view_range")),
];
