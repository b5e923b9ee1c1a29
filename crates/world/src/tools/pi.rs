//! pi, and OpenClaw, which was made of it.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read", "path", Lines::Count { offset: "offset", limit: "limit", base: 1 }).reports(Report::PiFiles),
    Tool::write("write", "path").reports(Report::PiFiles),
    Tool::edit("edit", "path", "newText").reports(Report::PiFiles),
    Tool::edit("edit", "path", "edits.newText").reports(Report::PiFiles),
    // `/bin/bash -c`, Git's on Windows.
    Tool::command("bash", "command", "")
        .script(Script::Text)
        .others(&["timeout"])
        .reports(Report::Pi)
        .shell(Shell::FRESH_POSIX),
];
