//! Known tools, their kinds and the names of their arguments: a table with one file per agent.

mod claude_code;
mod cline;
mod codex;
mod copilot;
mod crush;
mod cursor;
mod editors;
mod gemini_cli;
mod goose;
mod harness;
mod mcp;
mod opencode;
mod openhands;
mod original;
mod pi;
mod reports;
mod shell;
mod swe_agent;
mod tool;

use std::sync::LazyLock;

use super::names::{is_server, words};
pub use harness::Harness;
use palimpsest_text::hashing::TextMap;
pub use reports::{Report, Reports};
use serde_json::Value;
pub use shell::{Dialect, Keeps, Shell};
pub use tool::{Lines, Script, Tool, ToolKind};

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
        pi::TOOLS,
        crush::TOOLS,
        goose::TOOLS,
        editors::ZED,
        editors::VS_CODE,
        editors::CONTINUE,
        copilot::TOOLS,
        copilot::DEEP_AGENTS,
    ];
    let mut table: TextMap<&str, Vec<Tool<'static>>> = TextMap::default();
    for tool in all.into_iter().flatten() {
        table.entry(tool.name).or_default().push(*tool);
    }
    table
});

/// Removes the prefix that names a server or a namespace: `mcp__files__read_file`, `functions.shell`,
/// `files:read_file`.
pub fn without_prefix(name: &str) -> &str {
    let start = name.rfind(['.', ':', '/']).map_or(0, |at| at + 1);
    let bare = &name[start..];
    bare.rfind("__").map_or(bare, |at| &bare[at + 2..])
}

/// Meaning of a tool's name.
#[derive(Clone, Debug, Default)]
pub struct Named<'a> {
    /// The tools that it may stand for; none if it is unknown.
    pub tools: Vec<Tool<'a>>,
    /// Number of the user's tool that it names.
    pub own: Option<usize>,
    /// The server before a tool's name, as in `files_read_file`; empty if there is none. Such a start may as well belong to the name of
    /// another tool (`batch_read_file`), so the files and commands of each server are apart from all others.
    pub server: &'a str,
    /// Whether what is before the tool's name may be the name of a server, whose shell and reports are its own.
    pub is_foreign: bool,
}

impl Named<'_> {
    /// Returns what is certain of the harness of a call with `arguments`.
    pub fn harness(&self, arguments: Option<&Value>) -> Harness {
        let is_own = self.own.is_some();
        if self.tools.is_empty() || (self.is_foreign && !is_own) {
            return Harness::UNKNOWN;
        }
        harness::harness(&self.tools, arguments)
    }
}

/// What agents and providers write before the names of an agent's own tools.
const OF_AGENTS: [&str; 4] = ["functions.", "default_api.", "default_api:", "developer__"];

/// The tools of a conversation: the built-in ones, and those that the user describes.
pub struct Tools<'a> {
    own: &'a [Tool<'a>],
    numbers: TextMap<&'a str, usize>,
}

impl<'a> Tools<'a> {
    /// The built-in tools and `own`, which take precedence.
    pub fn new(own: &'a [Tool<'a>]) -> Self {
        Tools { own, numbers: own.iter().enumerate().map(|(number, tool)| (tool.name, number)).collect() }
    }

    /// Returns what `name` means: it, what follows an explicit prefix, or what follows the name of a server.
    pub fn named(&self, name: &'a str) -> Named<'a> {
        let bare = without_prefix(name);
        let own = |name| self.numbers.get(name).map(|&number| self.own_named(number));
        let found = own(name).or_else(|| own(bare)).or_else(|| {
            let tools = named(name);
            let is_foreign =
                !BUILT_IN.contains_key(name) && !OF_AGENTS.iter().any(|prefix| name.strip_prefix(prefix) == Some(bare));
            (!tools.is_empty()).then(|| Named { tools, is_foreign, ..Named::default() })
        });
        if let Some(found) = found {
            return found;
        }
        // A single word such as `list` or `edit` would belong to too many other names.
        let ends = bare.match_indices(['_', '-']).map(|(at, _)| &bare[at + 1..]);
        ends.filter(|end| end.contains(['_', '-']) && is_server(&words(&bare[..bare.len() - end.len()])))
            .find_map(|end| {
                let server = &name[..name.len() - end.len()];
                let built_in = || {
                    BUILT_IN.get(end).map(|tools| Named { tools: tools.clone(), own: None, server, is_foreign: true })
                };
                own(end).map(|named| Named { server, ..named }).or_else(built_in)
            })
            .unwrap_or_default()
    }

    fn own_named(&self, number: usize) -> Named<'a> {
        Named { tools: vec![self.own[number]], own: Some(number), server: "", is_foreign: false }
    }
}

/// Returns the built-in tools that `name` may stand for.
pub fn named(name: &str) -> Vec<Tool<'static>> {
    let built_in = |name: &str| BUILT_IN.get(name).cloned();
    built_in(name).or_else(|| built_in(without_prefix(name))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(name: &str) -> Vec<ToolKind> {
        Tools::new(&[]).named(name).tools.iter().map(|tool| tool.kind).collect()
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
        for name in ["files_read_file", "mcp_files_read_file", "my-files-read_file", "mcp__all__files_read_file"] {
            assert_eq!(kinds(name), kinds("read_file"), "{name}");
            assert_eq!(Tools::new(&[]).named(name).server, name.strip_suffix("read_file").unwrap());
        }
        for name in [
            "files_edit",
            "create_list",
            "reread_file",
            "read_file_",
            "preview_edit_file",
            "read_and_write_file",
            &format!("{}_read_file", "x".repeat(200)),
        ] {
            assert!(kinds(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn the_users_own_tools_go_first() {
        let own = [Tool::read("Bash", "file", Lines::All)];
        for (name, server) in [("Bash", ""), ("mcp__x__Bash", "")] {
            let found = Tools::new(&own).named(name);
            assert_eq!((found.tools[0].kind, found.own, found.server), (ToolKind::Read, Some(0), server), "{name}");
        }
        let own = [Tool::search("load_page")];
        let found = Tools::new(&own).named("docs_load_page");
        assert_eq!((found.own, found.server), (Some(0), "docs_"));
    }
}
