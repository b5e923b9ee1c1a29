//! Crush. Its shell is an interpreter of its own, on every system.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("view", "file_path", Lines::Count { offset: "offset", limit: "limit", base: 0 })
        .reports(Report::CrushFiles),
    Tool::write("write", "file_path").reports(Report::CrushFiles),
    Tool::edit("edit", "file_path", "new_string").reports(Report::CrushFiles),
    Tool::edit("multiedit", "file_path", "edits.new_string").reports(Report::CrushFiles),
    Tool::command("bash", "command", "working_dir")
        .script(Script::Text)
        .others(&["description", "run_in_background", "auto_background_after"])
        .reports(Report::Crush)
        .shell(Shell::FRESH_POSIX),
];
