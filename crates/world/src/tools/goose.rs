//! goose: `/bin/bash -c`, else `$SHELL`, or `cmd` on Windows.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read", "path", Lines::Count { offset: "line", limit: "limit", base: 1 }).reports(Report::GooseFiles),
    Tool::write("write", "path").reports(Report::GooseFiles),
    Tool::edit("edit", "path", "after").reports(Report::GooseFiles),
    Tool::search("tree"),
    Tool::command("shell", "command", "")
        .script(Script::Text)
        .others(&["timeout_secs"])
        .reports(Report::Goose)
        .shell(Shell::FRESH),
];
