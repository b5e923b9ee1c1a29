//! Codex. It reads files with commands, which `agent::shell` parses. A call starts in the directory of the turn, or in its own `workdir`.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Script, Tool, ToolKind};

pub(super) const TOOLS: &[Tool] = &[
    // goose has a tool of this name, with a string.
    Tool::command("shell", "command", "workdir")
        .script(Script::Words)
        .others(OTHERS)
        .reports(Report::CodexShell)
        .shell(Shell::FRESH),
    Tool::command("shell_command", "command", "workdir").reports(Report::CodexShell).shell(Shell::FRESH),
    Tool::command("container.exec", "cmd", "workdir").reports(Report::CodexShell).shell(Shell::FRESH),
    // Its input is a script that calls the other tools, or their arguments.
    Tool::command("exec", "cmd", "workdir")
        .reports(Report::CodexScript)
        .reports(Report::CodexExec)
        .reports(Report::CodexShell)
        .shell(Shell::FRESH),
    EXEC,
    Tool { name: "write_stdin", command: "", cwd: "", ..EXEC },
    Tool::command("local_shell", "command", "working_directory").reports(Report::CodexShell).shell(Shell::FRESH),
    Tool::patch("apply_patch", "input").reports(Report::CodexShell).reports(Report::CodexFiles),
    Tool::patch("apply_patch", "patch").reports(Report::CodexShell).reports(Report::CodexFiles),
    Tool::search("grep_files"),
    Tool::search("list_dir"),
    Tool { path: "path", ..Tool::new("view_image", ToolKind::Other) },
];

const EXEC: Tool = Tool::command("exec_command", "cmd", "workdir")
    .reports(Report::CodexExec)
    .reports(Report::CodexShell)
    .shell(Shell::FRESH);
const OTHERS: &[&str] = &[
    "timeout",
    "timeout_ms",
    "login",
    "sandbox_permissions",
    "with_escalated_permissions",
    "justification",
    "prefix_rule",
    "additional_permissions",
];
