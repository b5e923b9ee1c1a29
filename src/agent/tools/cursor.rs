//! Cursor.

use super::{Lines, Tool};

pub const TOOLS: &[Tool] = &[
    Tool::read("read_file", "target_file", LINES),
    Tool::read("read_file", "target_file", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    Tool::edit("edit_file", "target_file", "code_edit"),
    Tool::edit("search_replace", "file_path", "new_string"),
    Tool::write("write", "file_path"),
    Tool::command("run_terminal_cmd", "command", ""),
    Tool::search("codebase_search"),
    Tool::search("grep"),
    Tool::search("file_search"),
];

const LINES: Lines = Lines::Span { start: "start_line_one_indexed", end: "end_line_one_indexed_inclusive" };
