//! Reads operations in order, and follows the agent's working directory.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

use super::arguments::{asked, canonical, parse, script, string, strings};
use super::extent::Extent;
use super::guess;
use super::lines::extent;
use super::operation::{
    FileAccess, FileIndex, FileUse, MarkPosition, Operation, Operations, RunIndex, has_marker, openings,
};
use super::outcome::rejection::{Answer, users_answer};
use super::outcome::{self, Outcome, Said, words};
use super::path::{common_root, is_absolute, join, named_directory};
use super::shell::{self, Effect, effects, prints_files, program_prints_files};
use super::tools::{Named, Tool, ToolKind, Tools};
use palimpsest_history::transcript::{Kind, NameIndex, PartIndex, Role, Transcript};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;
use palimpsest_text::index::{Idx, IndexVec};

/// Options for reading operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'a> {
    /// Tools that the user describes.
    pub tools: &'a [Tool<'a>],
    /// Recognise failures of programs by words too.
    pub failures_by_words: bool,
}

impl Operations {
    /// Reads the operations of a conversation.
    pub fn read(transcript: &Transcript, reading: ReadOptions<'_>) -> Self {
        let mut results: IndexVec<PartIndex, Vec<PartIndex>> = vec![Vec::new(); transcript.parts().len()].into();
        let mut attachments = results.clone();
        for (index, part) in transcript.parts().iter_enumerated() {
            let found = if part.kind == Kind::Result { &mut results } else { &mut attachments };
            if let Some(answered) = part.call.and_then(|call| found.get_mut(call)) {
                answered.push(index);
            }
        }
        let tools = Tools::new(reading.tools);
        let named = transcript.names().iter().map(|name| {
            let named = tools.named(name);
            (guess::may_be_read(name, &named), named)
        });
        let named: IndexVec<NameIndex, (bool, Named<'_>)> = named.collect();
        let unknown = (false, Named::default());
        let mut reader = Reader::new(transcript, reading.failures_by_words);
        for call in transcript.in_order() {
            let part = transcript.parts()[call];
            let answers = std::mem::take(&mut results[call]);
            let attached = std::mem::take(&mut attachments[call]);
            // Unanswered calls may still be running.
            if part.kind == Kind::Call && !(answers.is_empty() && attached.is_empty()) {
                let named = part.name.and_then(|name| named.get(name)).unwrap_or(&unknown);
                reader.read(call, (answers, attached), named);
            }
        }
        reader.finish()
    }
}

/// The files and directories of an agent. Until the session's directory is known, paths below it are relative.
struct Reader<'a> {
    transcript: &'a Transcript,
    failures_by_words: bool,
    may_hold_marker: IndexVec<PartIndex, bool>,
    list: Vec<Operation>,
    root: Option<String>,
    /// Working directory of the shell.
    cwd: String,
    /// The open file in SWE-agent's editor.
    open: Option<String>,
    /// Files, each with the server that has it; empty for those of the agent.
    files: Numbered<FileIndex, (String, String)>,
    /// Commands or searches, with their directories.
    runs: Numbered<RunIndex, (String, String)>,
}

impl<'a> Reader<'a> {
    /// Creates a reader, which starts in the directory that the instructions or the user name.
    pub(crate) fn new(transcript: &'a Transcript, failures_by_words: bool) -> Self {
        let said = transcript
            .parts()
            .iter_enumerated()
            .filter(|(_, part)| part.kind == Kind::Text && matches!(part.role, Role::System | Role::User));
        let root = said.map(|(index, _)| transcript.text(index)).find_map(|text| named_directory(text.bytes()));
        let cwd = root.clone().unwrap_or_default();
        let (files, runs) = (Numbered::default(), Numbered::default());
        let may_hold = |part| openings(transcript.text(part)).next().is_some();
        let may_hold_marker = transcript.parts().indices().map(may_hold).collect();
        Reader { transcript, failures_by_words, may_hold_marker, list: Vec::new(), root, cwd, open: None, files, runs }
    }

    /// Reads the operation of the call at part `call`, whose tool is `named`, and whether it may be guessed to be a read.
    pub(crate) fn read(
        &mut self,
        call: PartIndex,
        (results, attachments): (Vec<PartIndex>, Vec<PartIndex>),
        &(may_be_read, ref named): &(bool, Named<'_>),
    ) {
        let transcript = self.transcript;
        let text = transcript.text(call);
        let answer = |result: &PartIndex| transcript.text(*result);
        let name = transcript.name(call);
        let tools = named.tools.as_slice();
        let arguments = if tools.is_empty() && !may_be_read { None } else { parse(text) };
        let tool = choose(tools, arguments.as_ref());
        let guessed = arguments.as_ref().filter(|_| may_be_read).and_then(|value| guess::path(value, tools));
        let mut kind = tool.map_or(ToolKind::Other, |tool| tool.kind);
        if kind == ToolKind::Editor {
            kind = match arguments.as_ref().and_then(|value| string(value, "command")) {
                Some("view") => ToolKind::Read,
                Some("create") => ToolKind::Write,
                Some("str_replace" | "insert" | "undo_edit") => ToolKind::Edit,
                _ => ToolKind::Other,
            };
        }
        // A dry run changes nothing.
        if arguments.as_ref().is_some_and(|value| is_set(value, "dryRun")) {
            kind = ToolKind::Other;
        }
        let runs_program = !matches!(kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Patch);
        let is_pruned = |part: PartIndex| self.may_hold_marker[part] && has_marker(transcript.text(part));
        let said: Vec<Answer> = results.iter().filter_map(|result| users_answer(answer(result))).collect();
        // A call that the user refused did nothing, even if the result looks like a success.
        let is_refused = said.iter().any(|answer| answer.is_refusal);
        let reports = named.harness(arguments.as_ref()).reports;
        let status = |result: PartIndex| transcript.parts()[result].status;
        let read = |&result: &PartIndex| {
            let text = transcript.text(result);
            let said = outcome::said(text, status(result), reports, kind);
            // Where a part is gone, nothing follows from what isn't there.
            let is_cut = is_pruned(result) || MarkPosition::of(text) != MarkPosition::None;
            if is_cut { said.of_a_part() } else { said }
        };
        let outcomes: Vec<Said> = results.iter().map(read).collect();
        let failed = is_refused
            || results.iter().zip(&outcomes).any(|(&result, said)| {
                let text = transcript.text(result);
                // If `fit` cut the result, the exit status may be gone, and words prove nothing.
                let by_words =
                    self.failures_by_words && (is_pruned(result) || MarkPosition::of(text) == MarkPosition::None);
                let is_untold = status(result).is_none() && (said.is_by_silence || !said.outcome.is_certain());
                said.outcome.is_certain_and(Outcome::is_failure)
                    || (by_words && runs_program && is_untold && words::has_words(text.bytes()))
            });
        let marks = |part: PartIndex| match MarkPosition::of(transcript.text(part)) {
            _ if is_pruned(part) => MarkPosition::Head,
            MarkPosition::Head if part == call => MarkPosition::Body,
            marks => marks,
        };
        let is_call_cut = marks(call) != MarkPosition::None;
        let marks = std::iter::once(&call).chain(&results).map(|&part| marks(part)).max().unwrap_or_default();
        let shown: Vec<Text<'_>> = results.iter().map(answer).collect();
        self.follow_swe_agent(results.last().map(answer).unwrap_or_default());
        let mut operation = Operation {
            call,
            results,
            attachments,
            kind,
            files: Vec::new(),
            run: None,
            new_texts: Vec::new(),
            failed,
            outcomes,
            speaks_for_user: !said.is_empty(),
            marks,
            is_call_cut,
            is_guess: guessed.is_some(),
            prints_files: false,
        };
        match (kind, tool, &arguments, guessed) {
            (_, _, Some(value), Some((_, path))) => self.guess(&mut operation, name, value, path, &shown),
            (ToolKind::Read | ToolKind::Write | ToolKind::Edit, Some(tool), Some(value), _) => {
                self.use_files(&mut operation, tool, named, value, &shown);
            }
            (ToolKind::Command, Some(tool), value, _) => {
                match value.as_ref().and_then(|value| Some((value, script(value, tool)?))) {
                    Some((value, script)) => self.run(&mut operation, tool, named, (value, &script), &shown),
                    None => {
                        let program = value.as_ref().and_then(|value| string(value, "input").or(string(value, "code")));
                        let program = program.map_or_else(|| lossy(text), str::to_owned);
                        operation.prints_files = program_prints_files(&program);
                    }
                }
            }
            (ToolKind::Search, ..) => {
                let what = arguments.as_ref().map_or_else(|| lossy(text), |value| canonical(value, ""));
                let directory = if named.server.is_empty() { self.cwd.clone() } else { String::new() };
                operation.run = Some(self.run_number(call, what, directory));
            }
            (ToolKind::Patch, Some(tool), value, _) => {
                let patch = value.as_ref().and_then(|value| script(value, tool)).unwrap_or_else(|| lossy(text));
                self.patch(&mut operation, &patch, named.server, &self.root.clone().unwrap_or_default());
            }
            _ => {}
        }
        self.list.push(operation);
    }

    /// Reads the state that SWE-agent writes after every result.
    fn follow_swe_agent(&mut self, answer: Text<'_>) {
        const WINDOW: usize = 600;
        let tail = answer.suffix(WINDOW);
        static OPEN: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("(Open file: "));
        static DIRECTORY: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("(Current directory: "));
        self.open = marked(tail, &OPEN).filter(|path| path != "n/a");
        if let Some(directory) = marked(tail, &DIRECTORY).filter(|path| is_absolute(path)) {
            self.cwd = join("", &directory);
            self.root.get_or_insert_with(|| self.cwd.clone());
        }
    }

    fn use_files(
        &mut self,
        operation: &mut Operation,
        tool: &Tool<'_>,
        named: &Named<'_>,
        value: &Value,
        shown: &[Text<'_>],
    ) {
        let tools = &named.tools;
        let root = self.root.clone().unwrap_or_default();
        let paths: Vec<String> = match &self.open {
            Some(open) if named.server.is_empty() => vec![open.clone()],
            _ => strings(value, tool.path).into_iter().filter(|path| !path.is_empty()).map(str::to_owned).collect(),
        };
        let does = match operation.kind {
            ToolKind::Read => {
                // Agents share tool names but select lines differently. Tools with the same path argument take precedence.
                let mut ways = tools.iter().filter(|other| other.path == tool.path).chain(tools);
                let asked = ways.find_map(|tool| asked(value, tool.lines)).unwrap_or(Extent::Whole);
                match asked {
                    _ if shown.first().is_some_and(|&text| is_no_copy(text)) => return,
                    // The lines of several files cannot be told apart.
                    Extent::Whole if paths.len() > 1 => FileAccess::Read(Extent::Whole),
                    _ if paths.len() > 1 => FileAccess::Read(Extent::Part),
                    asked => FileAccess::Read(extent(asked, shown)),
                }
            }
            // Desktop Commander writes a long file in several calls.
            ToolKind::Write if string(value, "mode") == Some("append") => FileAccess::Edit,
            ToolKind::Write => FileAccess::Write,
            _ if ["old_string", "oldString"].iter().any(|name| value.get(name).is_some_and(|old| old == "")) => {
                FileAccess::Write
            }
            _ => {
                let mut texts = std::iter::once(tool).chain(tools).map(|tool| strings(value, tool.text));
                let new_texts = texts.find(|texts| !texts.is_empty()).unwrap_or_default();
                operation.new_texts = new_texts.into_iter().map(str::to_owned).collect();
                FileAccess::Edit
            }
        };
        for path in paths {
            let file = self.file(named.server, join(&root, &path));
            operation.files.push(FileUse { file, does });
        }
    }

    /// Returns the number of a server's file.
    fn file(&mut self, server: &str, path: String) -> FileIndex {
        self.files.number((server.to_owned(), path))
    }

    /// Reads a guessed read of `path`. A wrong guess must do no harm: what it read is a file of its own, which only a call of the same
    /// tool with the same arguments reads again.
    fn guess(&mut self, operation: &mut Operation, name: &str, value: &Value, path: &str, shown: &[Text<'_>]) {
        if !shown.first().is_some_and(|&text| is_no_copy(text)) {
            let file = self.file(&format!("{name} {}", canonical(value, "")), path.to_owned());
            operation.files.push(FileUse { file, does: FileAccess::Read(Extent::Whole) });
        }
    }

    fn run(
        &mut self,
        operation: &mut Operation,
        tool: &Tool<'_>,
        named: &Named<'_>,
        (value, script): (&Value, &str),
        shown: &[Text<'_>],
    ) {
        // Input to a running program, or a request for its output, does not run a command.
        if script.trim().is_empty() || is_set(value, "is_input") {
            return;
        }
        operation.prints_files = prints_files(script);
        let names = std::iter::once(tool).chain(&named.tools).map(|tool| tool.cwd);
        if !named.server.is_empty() {
            // Where it runs, and which files it has there, is unknown.
            operation.run = Some(self.run_number(operation.call, canonical(value, ""), String::new()));
            return;
        }
        let (cwd, given) = names
            .filter_map(|name| Some((name, string(value, name)?)))
            .next()
            .map_or(("", None), |(name, path)| (name, Some(join(&self.cwd, path))));
        if let Some(given) = given.as_ref().filter(|path| is_absolute(path)) {
            self.root.get_or_insert_with(|| given.clone());
        }
        let mut directory = given.clone().unwrap_or_else(|| self.cwd.clone());
        operation.run = Some(self.run_number(operation.call, canonical(value, cwd), directory.clone()));
        for effect in effects(script) {
            let (path, does) = match effect {
                Effect::Cd(path) => {
                    directory = join(&directory, &path);
                    continue;
                }
                Effect::Read(..) if shown.first().is_some_and(|&text| is_complaint(text)) => continue,
                Effect::Read(path, asked) => (path, FileAccess::Read(extent(asked, shown))),
                Effect::Change(path) => (path, FileAccess::Edit),
                Effect::Patch(patch) => {
                    self.patch(operation, &patch, "", &directory);
                    continue;
                }
            };
            let file = self.file("", join(&directory, &path));
            operation.files.push(FileUse { file, does });
        }
        if script.trim() == "pwd" && !operation.failed {
            let printed = lossy(shown.first().copied().unwrap_or_default().trim());
            if is_absolute(&printed) && !printed.contains('\n') {
                if self.cwd.is_empty() {
                    self.root.get_or_insert_with(|| printed.clone());
                }
                self.cwd = printed;
            }
        } else if given.is_none()
            && !(operation.failed && script.trim_start().starts_with("cd ") && !script.contains("&&"))
        {
            self.cwd = directory;
        }
    }

    fn patch(&mut self, operation: &mut Operation, patch: &str, server: &str, directory: &str) {
        for (path, is_whole) in shell::patched_files(patch) {
            let file = self.file(server, join(directory, path));
            operation.files.push(FileUse { file, does: if is_whole { FileAccess::Write } else { FileAccess::Edit } });
        }
    }

    fn run_number(&mut self, call: PartIndex, what: String, directory: String) -> RunIndex {
        self.runs.number(([self.transcript.name(call), " ", &what].concat(), directory))
    }

    /// Unifies relative and absolute names of files, and returns the operations.
    pub(crate) fn finish(self) -> Operations {
        let Reader { mut list, root, files, runs, may_hold_marker, .. } = self;
        let of_agent = files.values.iter().filter(|(server, _)| server.is_empty());
        let root = root.or_else(|| common_root(of_agent.map(|(_, path)| path.as_str())));
        let from = root.as_deref().unwrap_or_default();
        let mut named: Numbered<FileIndex, _> = Numbered::default();
        let whole_name = |(server, path): (String, String)| {
            let path = if server.is_empty() { join(from, &path) } else { path };
            (server, path)
        };
        let file_numbers: IndexVec<FileIndex, FileIndex> =
            files.values.into_iter().map(|file| named.number(whole_name(file))).collect();
        let mut run: Numbered<RunIndex, _> = Numbered::default();
        let run_numbers: IndexVec<RunIndex, RunIndex> =
            runs.values.into_iter().map(|(what, directory)| run.number((what, join(from, &directory)))).collect();
        for operation in &mut list {
            operation.files.iter_mut().for_each(|used| used.file = file_numbers[used.file]);
            operation.run = operation.run.map(|number| run_numbers[number]);
        }
        let files = named.values.into_iter().map(|(_, path)| path).collect();
        Operations { list, files, root, may_hold_marker }
    }
}

/// Returns whether a call sets the flag `name`. Some models write it as a string.
fn is_set(value: &Value, name: &str) -> bool {
    value.get(name).is_some_and(|flag| flag == true || flag == "true")
}

/// Returns the tool that a call means, of several with the same name.
fn choose<'t, 'a>(tools: &'t [Tool<'a>], arguments: Option<&Value>) -> Option<&'t Tool<'a>> {
    let names = |tool: &&Tool<'_>| {
        arguments.is_some_and(|value| {
            string(value, tool.path).is_some()
                || value.get(tool.command).is_some()
                // SWE-agent's editor works on the open file. If a path is expected, the text argument alone identifies no tool.
                || (tool.path.is_empty() && string(value, tool.text).is_some())
        })
    };
    tools.iter().find(names).or_else(|| tools.first())
}

/// Returns whether a read's result only tells that nothing has changed, or that a copy was removed.
fn is_no_copy(shown: Text<'_>) -> bool {
    const LONGEST: usize = 400;
    if shown.len() >= LONGEST {
        return false;
    }
    let lower = shown.bytes().to_ascii_lowercase();
    let says = |sign: &[u8]| memchr::memmem::find(&lower, sign).is_some();
    says(b"unchanged since") || says(b"has been removed to save")
}

/// Returns whether a program that prints files reports that it cannot: `cat: a.ts: No such file or directory`.
fn is_complaint(shown: Text<'_>) -> bool {
    [b"cat: ".as_slice(), b"nl: ", b"sed: ", b"head: ", b"tail: "].iter().any(|start| shown.bytes().starts_with(start))
}

/// Returns the text between the last `opening` and its closing parenthesis.
fn marked(text: Text<'_>, opening: &Finder<'_>) -> Option<String> {
    // Searching backwards would be slower, and most texts contain none.
    let start = opening.find_iter(text.bytes()).last()? + opening.needle().len();
    let end = start + memchr::memchr(b')', &text.bytes()[start..])?;
    Some(lossy(text.slice(start..end)))
}

/// Returns a text for comparison, with replacement characters for lone surrogates.
fn lossy(text: Text<'_>) -> String {
    match text.units() {
        Some(units) => String::from_utf16_lossy(units),
        None => String::from_utf8_lossy(text.bytes()).into_owned(),
    }
}

/// Numbers distinct values in order of first use.
#[derive(Debug)]
struct Numbered<I, T> {
    values: IndexVec<I, T>,
    numbers: TextMap<T, I>,
}

impl<I, T> Default for Numbered<I, T> {
    fn default() -> Self {
        Numbered { values: IndexVec::default(), numbers: TextMap::default() }
    }
}

impl<I: Idx, T: Clone + Eq + std::hash::Hash> Numbered<I, T> {
    fn number(&mut self, value: T) -> I {
        *self.numbers.entry(value).or_insert_with_key(|value| self.values.push(value.clone()))
    }
}
