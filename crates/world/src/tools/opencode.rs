//! opencode.

use super::tool::{Lines, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read", "filePath", Lines::Count { offset: "offset", limit: "limit", base: 0 }),
    Tool::write("write", "filePath"),
    Tool::edit("edit", "filePath", "newString"),
    Tool::edit("multiedit", "filePath", "edits.newString"),
    Tool::patch("patch", "patchText"),
    Tool::patch("apply_patch", "patchText"),
    Tool::search("grep"),
    Tool::search("list"),
    Tool::search("ls"),
];
