//! SWE-agent, whose `edit` and `insert` change the open file, which the results name, and mini-swe-agent.

use super::reports::Report;
use super::shell::{Dialect, Shell};
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("open", "path", Lines::All).reports(Report::SweAgentFiles),
    Tool::write("create", "filename").reports(Report::SweAgentFiles),
    Tool::edit("edit", "", "replace").reports(Report::SweAgentFiles),
    Tool::edit("edit", "", "replacement_text").reports(Report::SweAgentFiles),
    Tool::edit("edit", "", "text").reports(Report::SweAgentFiles),
    Tool::edit("insert", "", "text").reports(Report::SweAgentFiles),
    Tool::search("find_file"),
    Tool::search("search_dir"),
    Tool::search("search_file"),
    // One session of `bash`.
    Tool::command("bash", "command", "")
        .script(Script::Text)
        .others(&[])
        .reports(Report::SweAgent)
        .shell(Shell { dialect: Dialect::Posix, ..Shell::LASTING }),
    // mini-swe-agent: `sh -c` for each call.
    Tool::command("bash", "command", "").script(Script::Text).others(&[]).reports(Report::Mini).shell(Shell::FRESH),
];
