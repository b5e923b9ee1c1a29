//! The filesystem server of the Model Context Protocol.

use super::{Lines, Tool};

const ENDS: Lines = Lines::Ends { head: "head", tail: "tail" };

pub const TOOLS: &[Tool] = &[
    Tool::read("read_file", "path", ENDS),
    Tool::read("read_text_file", "path", ENDS),
    Tool::read("read_multiple_files", "paths", Lines::All),
    Tool::write("write_file", "path"),
    Tool::edit("edit_file", "path", "edits.newText"),
    Tool::search("list_directory"),
    Tool::search("list_directory_with_sizes"),
    Tool::search("directory_tree"),
    Tool::search("search_files"),
    Tool::search("get_file_info"),
];
