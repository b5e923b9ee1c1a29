//! SWE-agent. Its `edit` and `insert` change the open file, which the results name.

use super::tool::{Lines, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("open", "path", Lines::All),
    Tool::write("create", "filename"),
    Tool::edit("edit", "", "replace"),
    Tool::edit("edit", "", "replacement_text"),
    Tool::edit("edit", "", "text"),
    Tool::edit("insert", "", "text"),
    Tool::search("find_file"),
    Tool::search("search_dir"),
    Tool::search("search_file"),
];
