//! Cursor.

use super::reports::Report;
use super::tool::{Lines, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read_file", "target_file", LINES),
    Tool::read("read_file", "target_file", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    Tool::read("Read", "path", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    Tool::edit("edit_file", "target_file", "code_edit"),
    Tool::edit("search_replace", "file_path", "new_string"),
    Tool::edit("StrReplace", "path", "new_string"),
    Tool::write("write", "file_path"),
    Tool::write("Write", "path"),
    Tool::write("delete_file", "target_file"),
    Tool::write("Delete", "path"),
    // No source says whether its terminal lasts.
    Tool::command("run_terminal_cmd", "command", "").reports(Report::Cursor),
    Tool::command("Shell", "command", "working_directory"),
    Tool::search("codebase_search"),
    Tool::search("grep"),
    Tool::search("file_search"),
    Tool::search("glob_file_search"),
];

const LINES: Lines = Lines::Span { start: "start_line_one_indexed", end: "end_line_one_indexed_inclusive" };
