//! Codex. It reads files with commands, which `agent::shell` parses.

use super::tool::Tool;

pub(super) const TOOLS: &[Tool] = &[
    Tool::command("shell", "command", "workdir"),
    Tool::command("shell_command", "command", "workdir"),
    Tool::command("container.exec", "cmd", "workdir"),
    Tool::command("exec", "cmd", "workdir"),
    Tool::command("exec_command", "cmd", "workdir"),
    Tool::command("local_shell", "command", "working_directory"),
    Tool::patch("apply_patch", "input"),
    Tool::patch("apply_patch", "patch"),
    Tool::search("grep_files"),
    Tool::search("list_dir"),
];
