//! Cline and Roo.

use super::reports::Report;
use super::shell::Shell;
use super::tool::{Lines, Script, Tool};

pub(super) const TOOLS: &[Tool] = &[
    read("path", Lines::Span { start: "start_line", end: "end_line" }),
    read("path", Lines::Count { offset: "offset", limit: "limit", base: 1 }),
    read("files.path", Lines::Part("files.line_ranges")),
    read("args.file.path", Lines::Part("args.file.line_range")),
    read("absolutePath", Lines::All),
    // Cline's SDK. Each command is a process of its own.
    Tool::read("read_files", "files.path", Lines::Part("files.start_line")),
    Tool::read("read_files", "files.path", Lines::Part("files.end_line")),
    Tool::edit("editor", "path", "new_text"),
    Tool::command("run_commands", "commands", "")
        .script(Script::Several)
        .others(&[])
        .reports(Report::ClineList)
        .shell(Shell::FRESH),
    Tool::write("write_to_file", "path").reports(Report::ClineFiles),
    Tool::write("write_to_file", "absolutePath").reports(Report::ClineFiles),
    Tool::edit("apply_diff", "path", "diff").reports(Report::ClineFiles),
    Tool::edit("apply_diff", "args.file.path", "args.file.diff.content").reports(Report::ClineFiles),
    Tool::edit("replace_in_file", "path", "diff").reports(Report::ClineFiles),
    Tool::edit("replace_in_file", "absolutePath", "diff").reports(Report::ClineFiles),
    Tool::edit("insert_content", "path", "content").reports(Report::ClineFiles),
    Tool::edit("search_and_replace", "path", "replace").reports(Report::ClineFiles),
    Tool::edit("search_replace", "file_path", "new_string").reports(Report::ClineFiles),
    Tool::edit("edit_file", "file_path", "new_string").reports(Report::ClineFiles),
    // A terminal of the editor, in the user's shell, or a process. A terminal may be used again; Roo's results name its directory.
    Tool::command("execute_command", "command", "cwd")
        .script(Script::Text)
        .others(&["requires_approval", "timeout", "task_progress"])
        .reports(Report::Cline)
        .reports(Report::Roo),
    Tool::search("list_files"),
    Tool::search("search_files"),
    Tool::search("list_code_definition_names"),
];

const fn read(path: &'static str, lines: Lines<'static>) -> Tool<'static> {
    Tool::read("read_file", path, lines).reports(Report::ClineFiles)
}
