//! What a result shows, and so which rules it may get.
//!
//! An edit has to quote the lines of a file as they are, however they were printed. So a result is written shorter only where it is certain
//! that it shows no file; when in doubt it is one. Certain is:
//!
//! * of a tool that runs commands: its script certainly prints reports alone (see [`run`]), and what it printed holds no part of a diff;
//! * of a tool that nothing is known of: its result is one value of JSON, and neither its name nor its arguments nor a member of the value
//!   speaks of files, code, pages or documents ([`names_file`], [`is_path`]). That is what the API of a service answers;
//! * of Claude Code's own tools: the arrow behind the numbers in front of every line is no text of the file.
//!
//! All else is [`Content::Quotable`]: tools that read, search, write and edit, results without a call, and texts that are no JSON of tools that
//! nothing is known of.

use palimpsest_history::transcript::{NameIndex, PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_text::index::IndexVec;
use palimpsest_text::json::string_end;
use palimpsest_world::arguments::{parse, script};
use palimpsest_world::shell::{Exit, run};
use palimpsest_world::tools::{Named, Tool, ToolKind, Tools, without_prefix};
use serde_json::Value;

/// What a result certainly shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Content {
    /// Maybe lines of files: nothing is known that rules it out.
    #[default]
    Quotable,
    /// Lines of a file behind numbers, as the tool itself writes them.
    Numbered,
    /// What a command printed, and no file.
    Terminal,
    /// What a service answers: one value of JSON.
    Answer,
}

/// What is known of a tool by its name.
enum Meaning<'a> {
    /// It may show files.
    Files,
    /// It shows files, and numbers their lines.
    Numbers,
    /// It runs a command.
    Commands(Named<'a>),
    /// Nothing, and its name speaks of no file either.
    Nothing,
}

/// Tools of Claude Code that number the lines of files, with an argument that others of the same name lack.
const NUMBERING: [&str; 4] = ["Read", "Edit", "MultiEdit", "Write"];

impl<'a> Meaning<'a> {
    fn of(name: &'a str, tools: &Tools<'a>) -> Self {
        let named = tools.named(name);
        let is_all = |kind: ToolKind| named.tools.iter().all(|tool| tool.kind == kind);
        if named.tools.is_empty() || is_all(ToolKind::Other) {
            return if names_file(name) { Meaning::Files } else { Meaning::Nothing };
        }
        if is_all(ToolKind::Command) {
            return Meaning::Commands(named);
        }
        if named.own.is_none() && NUMBERING.contains(&name) { Meaning::Numbers } else { Meaning::Files }
    }
}

/// Tells what results show, by their calls. What is known of a tool is looked up once.
pub(super) struct Contents<'a> {
    transcript: &'a Transcript,
    known: IndexVec<NameIndex, Meaning<'a>>,
}

impl<'a> Contents<'a> {
    /// Reads the names of the tools of a conversation.
    pub(super) fn new(transcript: &'a Transcript, own: &'a [Tool<'a>]) -> Self {
        let tools = Tools::new(own);
        let known = transcript.names().iter().map(|name| Meaning::of(name, &tools)).collect();
        Contents { transcript, known }
    }

    /// What a result may show at best, by the name of its tool alone.
    pub(super) fn by_name(&self, part: PartIndex) -> Content {
        match self.call(part) {
            None | Some((_, Meaning::Files)) => Content::Quotable,
            Some((_, Meaning::Numbers)) => Content::Numbered,
            Some((_, Meaning::Commands(_))) => Content::Terminal,
            Some((_, Meaning::Nothing)) => Content::Answer,
        }
    }

    /// Whether a result certainly shows what the name of its tool allows. Reads the arguments of the call, so ask only where it makes a difference.
    pub(super) fn is_certain(&self, part: PartIndex) -> bool {
        let Some((call, known)) = self.call(part) else { return false };
        let (arguments, result) = (self.transcript.text(call), self.transcript.text(part));
        match known {
            Meaning::Files => false,
            Meaning::Numbers => find(arguments.bytes(), b"\"file_path\""),
            Meaning::Commands(named) => {
                let line = command_line(&named.tools, arguments).filter(|line| !line.trim().is_empty());
                let dialect = named.harness(parse(arguments).as_ref()).shell.dialect;
                line.is_some_and(|line| !run(&line, dialect, Exit::Unknown).may_quote) && !holds_diff(result)
            }
            Meaning::Nothing => {
                arguments.trim().is_empty() || parse(arguments).is_some_and(|value| !speaks_of_file(&value))
            }
        }
    }

    /// The call that a result answers, and what is known of its tool.
    fn call(&self, part: PartIndex) -> Option<(PartIndex, &Meaning<'a>)> {
        let parts = self.transcript.parts();
        let call = parts[part].call?;
        Some((call, self.known.get(parts.get(call)?.name?)?))
    }
}

/// The command line that a call with these arguments runs, if one of the `tools` that its name may mean runs commands.
pub fn command_line(tools: &[Tool<'_>], arguments: Text<'_>) -> Option<String> {
    let mut commands = tools.iter().filter(|tool| tool.kind == ToolKind::Command).peekable();
    commands.peek()?;
    let arguments = parse(arguments)?;
    commands.find_map(|tool| script(&arguments, tool))
}

fn find(text: &[u8], sign: &[u8]) -> bool {
    memchr::memmem::find(text, sign).is_some()
}

/// Whether a part of a diff stands in a text: the heads of its hunks count lines.
fn holds_diff(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    bytes.starts_with(b"@@ -") || find(bytes, b"\n@@ -") || find(bytes, b"diff --git ") || find(bytes, b"\\n@@ -")
}

/// Words in names of tools that show or change files, code, pages or documents.
const FILE_WORDS: [&str; 62] = [
    "article",
    "blame",
    "blob",
    "buffer",
    "cat",
    "cell",
    "class",
    "code",
    "commit",
    "config",
    "contents",
    "css",
    "definition",
    "diff",
    "display",
    "doc",
    "docs",
    "document",
    "documents",
    "dom",
    "dump",
    "edit",
    "editor",
    "file",
    "files",
    "folder",
    "function",
    "git",
    "grep",
    "html",
    "json",
    "line",
    "lines",
    "manifest",
    "markdown",
    "method",
    "module",
    "notebook",
    "page",
    "pages",
    "patch",
    "path",
    "pdf",
    "preview",
    "print",
    "read",
    "readme",
    "repo",
    "repository",
    "resource",
    "schema",
    "script",
    "snippet",
    "source",
    "symbol",
    "symbols",
    "template",
    "text",
    "web",
    "webpage",
    "workspace",
    "xml",
];
/// Words in names of arguments and members that name a file, or hold one.
const FILE_ARGUMENTS: [&str; 32] = [
    "buffer",
    "cmd",
    "code",
    "command",
    "diff",
    "dir",
    "directory",
    "doc",
    "document",
    "file",
    "filename",
    "filepath",
    "files",
    "folder",
    "href",
    "notebook",
    "pagename",
    "patch",
    "path",
    "pathname",
    "paths",
    "program",
    "repo",
    "repository",
    "resource",
    "script",
    "snippet",
    "source",
    "symbol",
    "uri",
    "url",
    "workspace",
];
/// Members of files that people edit: of packages, compilers and notebooks.
const MEMBERS_OF_FILES: [&str; 7] =
    ["$schema", "cells", "compilerOptions", "dependencies", "devDependencies", "extends", "scripts"];
/// Words in names of members that name a file or hold one, if they are texts. Others, such as `url`, are in most answers of services.
const FILE_MEMBERS: [&str; 9] =
    ["diff", "file", "filename", "filepath", "notebook", "patch", "path", "pathname", "snippet"];

/// Whether a tool's name speaks of what an edit may quote.
fn names_file(name: &str) -> bool {
    const LONGEST: usize = 200;
    name.len() > LONGEST || has_word(without_prefix(name), &FILE_WORDS)
}

/// Whether one of the words of a name is in a list: `getFile_contents` has three.
fn has_word(name: &str, list: &[&str]) -> bool {
    let mut word = String::new();
    let mut was_lower = false;
    // One more end of a word.
    for letter in name.chars().chain(std::iter::once('_')) {
        let is_border = !letter.is_alphanumeric() || (was_lower && letter.is_uppercase());
        if is_border {
            if list.contains(&word.as_str()) {
                return true;
            }
            word.clear();
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    false
}

/// Whether an argument of a call names a file, or may hold a program.
fn speaks_of_file(arguments: &Value) -> bool {
    match arguments {
        Value::Object(members) => members.iter().any(|(name, value)| {
            let is_said = value.is_string() || value.is_array() || value.is_object();
            is_said && has_word(name, &FILE_ARGUMENTS) || speaks_of_file(value)
        }),
        Value::Array(values) => values.iter().any(speaks_of_file),
        Value::String(text) => is_path(text),
        _ => false,
    }
}

/// Whether a text looks like the path of a file, or a name with an ending.
fn is_path(text: &str) -> bool {
    if text.contains(char::is_whitespace) || text.contains('@') {
        return false;
    }
    let has_letter = |part: &str| part.contains(|unit: char| unit.is_alphabetic());
    let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
    let has_ending =
        !ending.is_empty() && ending.len() <= 8 && ending.chars().all(char::is_alphanumeric) && has_letter(ending);
    has_ending || text.contains(['/', '\\']) && text.split(['/', '\\']).any(has_letter)
}

/// Whether JSON is what a file holds, or has a member that names one.
pub(super) fn has_member_of_file(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'"', &bytes[at..]).map(|from| at + from) {
        let end = string_end(bytes, start + 1);
        at = end + 1;
        if at >= bytes.len() {
            return false;
        }
        let after = bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace()).map(|more| &bytes[at + more..]);
        let Some([b':', value @ ..]) = after else { continue };
        let Ok(name) = str::from_utf8(&bytes[start + 1..end]) else { continue };
        let says = value.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'"');
        if MEMBERS_OF_FILES.contains(&name) || says && has_word(name, &FILE_MEMBERS) {
            return true;
        }
    }
    false
}
