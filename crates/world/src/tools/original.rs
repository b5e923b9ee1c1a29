//! The four tools of the agent that pruning was first built for.

use super::tool::{Lines, Tool};

const LINES: Lines = Lines::Span { start: "start_line", end: "end_line" };

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("file_read", "path", LINES),
    Tool::read("file_read", "file_path", LINES),
    Tool::edit("file_edit", "path", "new_string"),
    Tool::edit("file_edit", "file_path", "new_string"),
    Tool::write("file_new", "path"),
    Tool::write("file_new", "file_path"),
    Tool::command("bash_tool", "cmd", "cwd"),
    Tool::command("bash_tool", "command", "cwd"),
];
