//! Copilot on the command line, and deepagents.

use super::reports::Report;
use super::shell::{Dialect, Shell};
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("view", "path", Lines::Pair("view_range")).reports(Report::CopilotFiles),
    Tool::edit("edit", "path", "new_str").reports(Report::CopilotFiles),
    Tool::write("create", "path").reports(Report::CopilotFiles),
    // Its system prompt says that each command is a process of its own.
    COMMAND,
    Tool { name: "powershell", ..COMMAND }.shell(Shell {
        dialect: Dialect::PowerShell,
        dialect_off_windows: Dialect::PowerShell,
        ..Shell::FRESH
    }),
];

const COMMAND: Tool = Tool::command("bash", "command", "")
    .script(Script::Text)
    .others(&["description", "mode", "initial_wait", "shellId", "detach"])
    .reports(Report::Copilot)
    .shell(Shell::FRESH_POSIX);

pub(super) const DEEP_AGENTS: &[Tool] = &[
    Tool::read("read_file", "file_path", Lines::Count { offset: "offset", limit: "limit", base: 0 })
        .reports(Report::DeepAgentsFiles),
    Tool::write("write_file", "file_path").reports(Report::DeepAgentsFiles),
    Tool::edit("edit_file", "file_path", "new_string").reports(Report::DeepAgentsFiles),
    Tool::command("execute", "command", "").others(&["timeout"]).reports(Report::DeepAgents).shell(Shell::FRESH),
];
