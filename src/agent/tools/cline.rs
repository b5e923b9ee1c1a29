//! Cline and Roo.

use super::{Lines, Tool};

pub const TOOLS: &[Tool] = &[
    Tool::read("read_file", "path", Lines::Span { start: "start_line", end: "end_line" }),
    Tool::read("read_file", "files.path", Lines::All),
    Tool::read("read_file", "args.file.path", Lines::All),
    Tool::write("write_to_file", "path"),
    Tool::edit("apply_diff", "path", "diff"),
    Tool::edit("apply_diff", "args.file.path", "args.file.diff"),
    Tool::edit("replace_in_file", "path", "diff"),
    Tool::edit("insert_content", "path", "content"),
    Tool::edit("search_and_replace", "path", "replace"),
    Tool::edit("search_replace", "file_path", "new_string"),
    Tool::command("execute_command", "command", "cwd"),
    Tool::search("list_files"),
    Tool::search("search_files"),
    Tool::search("list_code_definition_names"),
];
