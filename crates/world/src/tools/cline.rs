//! Cline and Roo.

use super::tool::{Lines, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read_file", "path", Lines::Span { start: "start_line", end: "end_line" }),
    Tool::read("read_file", "path", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    Tool::read("read_file", "files.path", Lines::Part("files.line_ranges")),
    Tool::read("read_file", "args.file.path", Lines::Part("args.file.line_range")),
    Tool::read("read_file", "absolutePath", Lines::All),
    Tool::write("write_to_file", "path"),
    Tool::write("write_to_file", "absolutePath"),
    Tool::edit("apply_diff", "path", "diff"),
    Tool::edit("apply_diff", "args.file.path", "args.file.diff.content"),
    Tool::edit("replace_in_file", "path", "diff"),
    Tool::edit("replace_in_file", "absolutePath", "diff"),
    Tool::edit("insert_content", "path", "content"),
    Tool::edit("search_and_replace", "path", "replace"),
    Tool::edit("search_replace", "file_path", "new_string"),
    Tool::edit("edit_file", "file_path", "new_string"),
    Tool::command("execute_command", "command", "cwd"),
    Tool::search("list_files"),
    Tool::search("search_files"),
    Tool::search("list_code_definition_names"),
];
