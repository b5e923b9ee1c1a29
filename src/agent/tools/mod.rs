//! Known tools, their kinds and the names of their arguments: a table with one file per agent.

mod claude_code;
mod cline;
mod codex;
mod cursor;
mod gemini_cli;
mod mcp;
mod opencode;
mod openhands;
mod original;
mod swe_agent;
mod tool;

use std::sync::LazyLock;

use crate::text::hashing::TextMap;
pub use tool::{Lines, Tool, ToolKind};

/// Built-in tools by name. Agents share names, so a name may stand for several tools: the first one whose path or
/// command argument occurs in a call applies.
static BUILT_IN: LazyLock<TextMap<&str, Vec<Tool<'static>>>> = LazyLock::new(|| {
    let all = [
        original::TOOLS,
        claude_code::TOOLS,
        codex::TOOLS,
        gemini_cli::TOOLS,
        opencode::TOOLS,
        // Before Cline, because both read from an offset: Roo's results number their lines and so tell where they
        // start, those of Desktop Commander do not.
        mcp::TOOLS,
        cline::TOOLS,
        swe_agent::TOOLS,
        openhands::TOOLS,
        cursor::TOOLS,
    ];
    let mut table: TextMap<&str, Vec<Tool<'static>>> = TextMap::default();
    for tool in all.into_iter().flatten() {
        table.entry(tool.name).or_default().push(*tool);
    }
    table
});

/// Removes the prefix that names a server or a namespace: `mcp__files__read_file`, `functions.shell`,
/// `files:read_file`.
fn without_prefix(name: &str) -> &str {
    let start = name.rfind(['.', ':', '/']).map_or(0, |at| at + 1);
    let bare = &name[start..];
    bare.rfind("__").map_or(bare, |at| &bare[at + 2..])
}

/// Returns the tools that `name` may stand for. A tool in `own`, which the user gives, takes precedence.
pub fn named<'a>(name: &str, own: &[Tool<'a>]) -> Vec<Tool<'a>> {
    if let Some(tool) = own.iter().find(|tool| tool.name == name) {
        return vec![*tool];
    }
    let built_in = |name: &str| BUILT_IN.get(name).cloned();
    built_in(name).or_else(|| built_in(without_prefix(name))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(name: &str) -> Vec<ToolKind> {
        named(name, &[]).iter().map(|tool| tool.kind).collect()
    }

    #[test]
    fn every_agent_has_its_tools() {
        for (name, kind) in [
            ("file_read", ToolKind::Read),
            ("file_edit", ToolKind::Edit),
            ("file_new", ToolKind::Write),
            ("bash_tool", ToolKind::Command),
            ("Read", ToolKind::Read),
            ("MultiEdit", ToolKind::Edit),
            ("Write", ToolKind::Write),
            ("Bash", ToolKind::Command),
            ("shell", ToolKind::Command),
            ("apply_patch", ToolKind::Patch),
            ("run_shell_command", ToolKind::Command),
            ("replace", ToolKind::Edit),
            ("edit", ToolKind::Edit),
            ("execute_command", ToolKind::Command),
            ("write_to_file", ToolKind::Write),
            ("open", ToolKind::Read),
            ("create", ToolKind::Write),
            ("str_replace_editor", ToolKind::Editor),
            ("execute_bash", ToolKind::Command),
            ("run_terminal_cmd", ToolKind::Command),
            ("read_multiple_files", ToolKind::Read),
        ] {
            assert!(kinds(name).contains(&kind), "{name}");
        }
        assert!(kinds("book_flight").is_empty());
    }

    #[test]
    fn a_prefix_names_a_server() {
        assert_eq!(kinds("mcp__filesystem__write_file"), kinds("write_file"));
        assert_eq!(kinds("functions.shell"), kinds("shell"));
        assert!(kinds("mcp__files__book_flight").is_empty());
    }

    #[test]
    fn the_users_own_tools_go_first() {
        let own = [Tool::read("Bash", "file", Lines::All)];
        assert_eq!(named("Bash", &own).iter().map(|tool| tool.kind).collect::<Vec<_>>(), [ToolKind::Read]);
    }
}
