//! OpenHands; its `str_replace_editor` is Anthropic's. Its shell is a session in `tmux`, in `bash`, or in PowerShell on Windows.

use super::claude_code::EDITOR;
use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Tool};

pub(super) const TOOLS: &[Tool] = &[
    COMMAND,
    // Zed has a tool of this name.
    Tool { name: "terminal", ..COMMAND }.others(&["is_input", "timeout", "reset", "security_risk", "summary"]),
    Tool { name: "file_editor", ..EDITOR },
    Tool { name: "run", ..COMMAND },
    Tool::edit("edit_file", "path", "content").reports(Report::OpenHandsFiles),
    Tool::read("view", "path", Lines::Pair("view_range")).reports(Report::OpenHandsFiles),
];

const COMMAND: Tool =
    Tool::command("execute_bash", "command", "").reports(Report::OpenHands).shell(Shell::LASTING.without_escapes());
