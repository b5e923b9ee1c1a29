//! What is certain of a call's harness. Agents share the names of tools: what holds for all whose tool the call may be is certain.

use serde_json::Value;

use super::reports::{Report, Reports};
use super::shell::Shell;
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
