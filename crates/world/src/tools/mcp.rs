//! The filesystem server of the Model Context Protocol, and Desktop Commander.

use super::tool::{Lines, Tool};

const ENDS: Lines = Lines::Ends { head: "head", tail: "tail" };

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read_file", "path", ENDS),
    Tool::read("read_file", "path", Lines::Count { offset: "offset", limit: "length", base: 0 }),
    Tool::read("read_text_file", "path", ENDS),
    Tool::read("read_multiple_files", "paths", Lines::All),
    Tool::write("write_file", "path"),
    Tool::edit("edit_file", "path", "edits.newText"),
    Tool::edit("edit_block", "file_path", "new_string"),
    Tool::command("start_process", "command", ""),
    Tool::search("list_directory"),
    Tool::search("list_directory_with_sizes"),
    Tool::search("directory_tree"),
    Tool::search("search_files"),
    Tool::search("get_file_info"),
];
