//! opencode, and Kilo, which was made of it.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read", "filePath", Lines::Count { offset: "offset", limit: "limit", base: 0 })
        .reports(Report::OpencodeFiles),
    Tool::write("write", "filePath").reports(Report::OpencodeFiles),
    Tool::edit("edit", "filePath", "newString").reports(Report::OpencodeFiles),
    Tool::edit("multiedit", "filePath", "edits.newString").reports(Report::OpencodeFiles),
    Tool::patch("patch", "patchText").reports(Report::OpencodeFiles),
    Tool::patch("apply_patch", "patchText").reports(Report::OpencodeFiles),
    // Its description speaks of one session, but each call is a process: `$SHELL`, or PowerShell or `cmd` on Windows.
    Tool::command("bash", "command", "workdir")
        .script(Script::Text)
        .others(&["description", "timeout"])
        .reports(Report::Opencode)
        .shell(Shell::FRESH),
    Tool::search("grep"),
    Tool::search("list"),
    Tool::search("ls"),
];
