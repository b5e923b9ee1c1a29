//! What is certain of a call's harness. Agents share the names of tools: what holds for all whose tool the call may be is certain.

use serde_json::Value;

use super::reports::{Report, Reports};
use super::shell::{Dialect, Shell};
use super::tool::{Lines, Script, Tool};

/// What is certain of the harness that ran a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harness {
    /// Its shell.
    pub shell: Shell,
    /// The forms that the result may have.
    pub reports: Reports,
}

impl Harness {
    /// Nothing is certain.
    pub const UNKNOWN: Harness = Harness { shell: Shell::UNKNOWN, reports: Reports::NONE };

    /// Returns the language of a call's command: that of the program which the call names, or that of the harness's shell. Some harnesses run
    /// another one on Windows; where the session's `directory` begins with a slash, the system isn't Windows.
    pub fn dialect(&self, arguments: Option<&Value>, directory: &str) -> Dialect {
        let argument = |name: &str| arguments.and_then(|arguments| arguments.get(name));
        let words = ["command", "cmd"].iter().find_map(|name| argument(name)?.as_array()?.first());
        let named = words.or_else(|| argument("shell")).and_then(Value::as_str).map(of_program);
        match named {
            Some(dialect) if dialect != Dialect::Unknown => dialect,
            // A program that isn't a shell.
            Some(_) if words.is_some() => self.shell.dialect_off_windows,
            Some(_) => Dialect::Unknown,
            None if self.shell.dialect == Dialect::Unknown && directory.starts_with('/') => {
                self.shell.dialect_off_windows
            }
            None => self.shell.dialect,
        }
    }
}

/// Returns the language of the shell at `path`.
fn of_program(path: &str) -> Dialect {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    match name.strip_suffix(".exe").unwrap_or(&name) {
        "sh" | "bash" | "zsh" | "dash" | "ksh" => Dialect::Posix,
        "pwsh" | "powershell" => Dialect::PowerShell,
        "cmd" => Dialect::Cmd,
        _ => Dialect::Unknown,
    }
}

impl Tool<'_> {
    /// Returns whether `name` is the argument that says which file, which lines or which command.
    pub(crate) fn has_argument(&self, name: &str) -> bool {
        let lines = match self.lines {
            Lines::All => [""; 2],
            Lines::Count { offset, limit, .. } => [offset, limit],
            Lines::Span { start, end } => [start, end],
            Lines::Pair(pair) => [pair, ""],
            Lines::Part(part) => [part, ""],
            Lines::Ends { head, tail } => [head, tail],
        };
        let own = [self.path, self.command, self.cwd, self.text];
        own.into_iter().chain(lines).any(|path| path.split('.').next() == Some(name))
            || self.others.is_some_and(|others| others.contains(&name))
    }

    /// Returns whether a call with `arguments` may be one of this tool: it has the command in the tool's form, and no argument that the
    /// tool hasn't. Arguments that aren't an object tell nothing.
    fn fits(&self, arguments: &Value) -> bool {
        let Some(arguments) = arguments.as_object() else { return true };
        let has = |path: &str| path.split('.').next().is_some_and(|name| arguments.contains_key(name));
        // An editor of the open file names none.
        let has_file = match (self.path, self.text, self.command) {
            ("", "", _) => true,
            ("", text, "") => has(text),
            (path, ..) => path.is_empty() || has(path),
        };
        let has_form = match (self.script, arguments.get(self.command)) {
            (_, None) => self.command.is_empty(),
            (Script::Any, Some(_)) => true,
            (Script::Text, Some(command)) => command.is_string(),
            (Script::Words | Script::Several, Some(command)) => command.is_array(),
        };
        let is_own = |name: &str| {
            let first = |path: &'_ str| path.split('.').next() == Some(name);
            [self.path, self.command, self.cwd, self.text].into_iter().any(first)
        };
        let knows = |others: &[&str]| arguments.keys().all(|name| is_own(name) || others.contains(&name.as_str()));
        has_file && has_form && self.others.is_none_or(knows)
    }
}

/// Returns what is certain of a call's harness, given the tools that its name may stand for and its arguments: what the harnesses of all
/// tools have in common that the call fits. If it fits none, it may be any of them.
pub(super) fn harness(tools: &[Tool<'_>], arguments: Option<&Value>) -> Harness {
    let fits = |tool: &&Tool<'_>| arguments.is_none_or(|arguments| tool.fits(arguments));
    let mut fitting = tools.iter().filter(fits).peekable();
    if fitting.peek().is_some() { common(fitting) } else { common(tools.iter()) }
}

fn common<'t>(tools: impl Iterator<Item = &'t Tool<'t>>) -> Harness {
    let each = tools.map(|tool| {
        // A tool without a form is one whose form isn't known.
        let is_silent = tool.reports == Reports::NONE;
        let reports = if is_silent { Reports::of(&[Report::Silent]) } else { tool.reports };
        Harness { shell: tool.shell, reports }
    });
    let found = each
        .reduce(|one, other| Harness { shell: one.shell.agreed(other.shell), reports: one.reports.or(other.reports) });
    found.unwrap_or(Harness::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::{Keeps, Tools};

    fn harness(name: &str, arguments: &Value) -> Harness {
        Tools::new(&[]).named(name).harness(Some(arguments))
    }

    #[test]
    fn whether_a_cd_lasts() {
        for (name, arguments, keeps) in [
            ("Bash", json!({"command": "x", "description": "y"}), Keeps::Unsure),
            ("Bash", json!({"command": "x", "timeout": 5}), Keeps::Unsure),
            ("shell", json!({"command": ["bash", "-lc", "x"]}), Keeps::No),
            ("shell", json!({"command": "x", "timeout_secs": 5}), Keeps::No),
            ("shell", json!({"command": "x"}), Keeps::Unsure),
            ("exec", json!({"cmd": "x"}), Keeps::Unsure),
            ("exec_command", json!({"cmd": "x"}), Keeps::No),
            ("run_shell_command", json!({"command": "x"}), Keeps::No),
            // opencode, Crush and Copilot.
            ("bash", json!({"command": "x", "description": "y"}), Keeps::No),
            ("bash", json!({"command": "x", "workdir": "y"}), Keeps::No),
            // SWE-agent, or a caller's own.
            ("bash", json!({"command": "x"}), Keeps::Unsure),
            ("bash", json!({"command": "x", "restart": false}), Keeps::Unsure),
            ("bash", json!({"command": "x", "lamp": 3}), Keeps::Unsure),
            ("execute_command", json!({"command": "x", "cwd": "/l"}), Keeps::Unsure),
            ("run_commands", json!({"commands": ["x"]}), Keeps::No),
            ("run_terminal_command", json!({"command": "x"}), Keeps::No),
            ("execute_bash", json!({"command": "x"}), Keeps::Yes),
            ("terminal", json!({"command": "x", "is_input": false}), Keeps::Yes),
            ("terminal", json!({"command": "x", "cd": "l"}), Keeps::No),
            ("terminal", json!({"command": "x"}), Keeps::Unsure),
            ("run_in_terminal", json!({"command": "x", "explanation": "y"}), Keeps::Yes),
            ("powershell", json!({"command": "x"}), Keeps::No),
            ("execute", json!({"command": "x"}), Keeps::No),
            ("bash_tool", json!({"command": "x"}), Keeps::Unsure),
            ("start_process", json!({"command": "x"}), Keeps::Unsure),
            ("mcp__box__exec_command", json!({"cmd": "x"}), Keeps::Unsure),
            ("box_execute_bash", json!({"command": "x"}), Keeps::Unsure),
            ("lamps", json!({"command": "x"}), Keeps::Unsure),
        ] {
            assert_eq!(harness(name, &arguments).shell.keeps_directory, keeps, "{name} {arguments}");
        }
    }

    #[test]
    fn languages() {
        for (name, arguments, directory, dialect) in [
            ("Bash", json!({"command": "x"}), "", Dialect::Posix),
            ("PowerShell", json!({"command": "x"}), "/l", Dialect::PowerShell),
            ("powershell", json!({"command": "x"}), "", Dialect::PowerShell),
            ("exec_command", json!({"cmd": "x"}), "", Dialect::Unknown),
            ("exec_command", json!({"cmd": "x"}), "/l", Dialect::Posix),
            ("exec_command", json!({"cmd": "x"}), "C:\\l", Dialect::Unknown),
            ("exec_command", json!({"cmd": "x", "shell": "/bin/zsh"}), "", Dialect::Posix),
            ("exec_command", json!({"cmd": "x", "shell": "C:\\pwsh.exe"}), "/l", Dialect::PowerShell),
            ("exec_command", json!({"cmd": "x", "shell": "fish"}), "/l", Dialect::Unknown),
            ("shell", json!({"command": ["bash", "-lc", "x"]}), "", Dialect::Posix),
            ("shell", json!({"command": ["cmd", "/c", "x"]}), "/l", Dialect::Cmd),
            ("shell", json!({"command": ["cat", "x"]}), "", Dialect::Posix),
            ("run_in_terminal", json!({"command": "x"}), "/l", Dialect::Unknown),
            ("mcp__box__Bash", json!({"command": "x"}), "/l", Dialect::Unknown),
        ] {
            assert_eq!(
                harness(name, &arguments).dialect(Some(&arguments), directory),
                dialect,
                "{name} {arguments} {directory}"
            );
        }
    }

    #[test]
    fn escapes_are_there_unless_all_take_them_out() {
        for (name, arguments, escapes) in [
            ("run_shell_command", json!({"command": "x"}), false),
            ("terminal", json!({"command": "x"}), false),
            ("run_in_terminal", json!({"command": "x"}), false),
            ("Bash", json!({"command": "x"}), true),
            ("bash", json!({"command": "x"}), true),
            ("lamps", json!({"command": "x"}), true),
        ] {
            assert_eq!(harness(name, &arguments).shell.escapes, escapes, "{name}");
        }
    }
}
