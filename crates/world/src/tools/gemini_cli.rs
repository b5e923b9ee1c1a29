//! Gemini CLI, with all names that its arguments have had.

use super::tool::{Lines, Tool};

const LINES: Lines = Lines::Count { offset: "offset", limit: "limit", base: 0 };

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read_file", "absolute_path", LINES),
    Tool::read("read_file", "file_path", Lines::Span { start: "start_line", end: "end_line" }),
    // Ignored files are left out of the result.
    Tool::read("read_many_files", "include", Lines::Part("include")),
    Tool::read("read_many_files", "paths", Lines::Part("paths")),
    Tool::write("write_file", "file_path"),
    Tool::edit("replace", "file_path", "new_string"),
    Tool::command("run_shell_command", "command", "directory"),
    Tool::command("run_shell_command", "command", "dir_path"),
    Tool::search("search_file_content"),
    Tool::search("grep_search"),
    Tool::search("glob"),
    Tool::search("list_directory"),
];
