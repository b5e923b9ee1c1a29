//! Agents of editors: Zed, Copilot in VS Code, Continue.

use super::reports::Report;
use super::shell::{Dialect, Keeps, Shell};
use super::tool::{Lines, Script, Tool};

pub(super) const ZED: &[Tool] = &[
    Tool::read("read_file", "path", Lines::Span { start: "start_line", end: "end_line" }).reports(Report::ZedFiles),
    Tool::write("write_file", "path").reports(Report::ZedFiles),
    Tool::edit("edit_file", "path", "content").reports(Report::ZedFiles),
    // The user's shell, whatever it is. `cd` is the directory in which it starts.
    Tool::command("terminal", "command", "cd")
        .script(Script::Text)
        .others(&["timeout_ms"])
        .reports(Report::Zed)
        .shell(Shell { dialect_off_windows: Dialect::Unknown, ..Shell::FRESH.without_escapes() }),
];

pub(super) const VS_CODE: &[Tool] = &[
    Tool::read("read_file", "filePath", Lines::Span { start: "startLine", end: "endLine" })
        .reports(Report::VsCodeFiles),
    Tool::read("read_file", "filePath", Lines::Count { offset: "offset", limit: "limit", base: 1 })
        .reports(Report::VsCodeFiles),
    Tool::write("create_file", "filePath").reports(Report::VsCodeFiles),
    Tool::edit("replace_string_in_file", "filePath", "newString").reports(Report::VsCodeFiles),
    Tool::edit("multi_replace_string_in_file", "replacements.filePath", "replacements.newString")
        .reports(Report::VsCodeFiles),
    Tool::edit("insert_edit_into_file", "filePath", "code").reports(Report::VsCodeFiles),
    // One terminal for each chat, in the user's shell; in the background one of its own.
    Tool::command("run_in_terminal", "command", "")
        .reports(Report::VsCode)
        .shell(Shell { dialect_off_windows: Dialect::Unknown, ..Shell::LASTING.without_escapes() }),
];

/// `$SHELL -l -c`, which may be any, or PowerShell. It asks programs for colours.
const CONTINUE_SHELL: Shell = Shell { dialect_off_windows: Dialect::Unknown, ..Shell::FRESH };

pub(super) const CONTINUE: &[Tool] = &[
    Tool::command("run_terminal_command", "command", "")
        .others(&["waitForCompletion"])
        .reports(Report::ContinueEditor)
        .shell(CONTINUE_SHELL),
    // On the command line. Claude Code has a tool of this name.
    Tool::command("Bash", "command", "")
        .script(Script::Text)
        .others(&["timeout"])
        .reports(Report::Continue)
        .shell(Shell { keeps_directory: Keeps::No, ..CONTINUE_SHELL }),
];
