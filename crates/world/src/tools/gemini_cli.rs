//! Gemini CLI, with all names that its arguments have had, and Qwen Code, which was made of it.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Tool};

const LINES: Lines = Lines::Count { offset: "offset", limit: "limit", base: 0 };

pub(super) const TOOLS: &[Tool] = &[
    Tool::read("read_file", "absolute_path", LINES).reports(Report::GeminiFiles),
    Tool::read("read_file", "file_path", Lines::Span { start: "start_line", end: "end_line" })
        .reports(Report::GeminiFiles),
    // Qwen Code.
    Tool::read("read_file", "file_path", LINES).reports(Report::GeminiFiles),
    // Ignored files are left out of the result.
    Tool::read("read_many_files", "include", Lines::Part("include")).reports(Report::GeminiFiles),
    Tool::read("read_many_files", "paths", Lines::Part("paths")).reports(Report::GeminiFiles),
    Tool::write("write_file", "file_path").reports(Report::GeminiFiles),
    Tool::edit("replace", "file_path", "new_string").reports(Report::GeminiFiles),
    Tool::edit("edit", "file_path", "new_string").reports(Report::GeminiFiles),
    COMMAND,
    // Qwen Code, and Gemini CLI before.
    Tool { cwd: "directory", ..COMMAND.reports(Report::Qwen) },
    Tool::search("search_file_content"),
    Tool::search("grep_search"),
    Tool::search("glob"),
    Tool::search("list_directory"),
];

/// `bash -c`, or PowerShell (Qwen Code: or `cmd`) on Windows. Both show what a terminal would show.
const COMMAND: Tool = Tool::command("run_shell_command", "command", "dir_path")
    .others(&["description", "is_background", "delay_ms", "additional_permissions", "timeout"])
    .reports(Report::Gemini)
    .shell(Shell::FRESH.without_escapes());
