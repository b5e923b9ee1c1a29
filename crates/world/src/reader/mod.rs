//! Reads operations in order: what each call did, as far as its harness, its tool and its command make it certain.

mod commands;
mod files;
mod numbered;

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

use super::arguments::{canonical, parse, script, string};
use super::directory;
use super::known::Known;
use super::operation::{FileIndex, MarkPosition, Operation, Operations, Prints, RunIndex, has_marker, openings};
use super::outcome::rejection::{Answer, users_answer};
use super::outcome::{Outcome, Said, said, words};
use super::tools::{Named, Tool, ToolKind, Tools};
use numbered::Numbered;
use palimpsest_history::transcript::{Kind, NameIndex, PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;
use palimpsest_text::index::IndexVec;

/// Options for reading operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'a> {
    /// Tools that the user describes.
    pub tools: &'a [Tool<'a>],
    /// Recognise failures of programs by words too. The caller confirms by it that these words tell failures.
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
        let named: IndexVec<NameIndex, Named<'_>> = transcript.names().iter().map(|name| tools.named(name)).collect();
        let unknown = Named::default();
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

impl Operation {
    /// Returns the command that it ran, given the tools that the user describes.
    pub fn command(&self, transcript: &Transcript, own: &[Tool<'_>]) -> Option<String> {
        let named = Tools::new(own).named(transcript.name(self.call));
        let value = parse(transcript.text(self.call))?;
        script(&value, choose(&named.tools, Some(&value))?)
    }
}

/// The files and directories of an agent.
struct Reader<'a> {
    transcript: &'a Transcript,
    failures_by_words: bool,
    may_hold_marker: IndexVec<PartIndex, bool>,
    list: Vec<Operation>,
    /// The directory in which the session started, to which the paths of tools are relative; see [`directory::start`].
    start: Known<String>,
    /// The directory of a shell that lasts from call to call.
    shell: Known<String>,
    /// Counts what changed the environment of such a shell.
    environment: u32,
    /// For each server what changed directory or environment of its shell, counted.
    moved: TextMap<&'a str, u32>,
    /// The open file in SWE-agent's editor.
    open: Option<String>,
    /// Files, each with the server that has it; empty for those of the agent.
    files: Numbered<FileIndex, (String, String)>,
    /// Commands or searches: what was called, the directory, and what changed the environment before.
    runs: Numbered<RunIndex, (String, String, u32)>,
}

/// A call, as it is read.
struct Call<'c, 'a> {
    named: &'c Named<'a>,
    tool: &'c Tool<'a>,
    value: &'c Value,
    /// What the results show, without what the harness wrote around it.
    shown: Vec<Text<'c>>,
    /// The server that has the files and the shell; empty for those of the agent.
    server: &'a str,
}

impl<'a> Reader<'a> {
    /// Creates a reader, which starts in the directory that the instructions name.
    fn new(transcript: &'a Transcript, failures_by_words: bool) -> Self {
        let start = directory::start(transcript);
        let may_hold = |part| openings(transcript.text(part)).next().is_some();
        Reader {
            transcript,
            failures_by_words,
            may_hold_marker: transcript.parts().indices().map(may_hold).collect(),
            list: Vec::new(),
            shell: start.clone(),
            start,
            environment: 0,
            moved: TextMap::default(),
            open: None,
            files: Numbered::default(),
            runs: Numbered::default(),
        }
    }

    /// Reads the operation of the call at part `call`, whose tool is `named`.
    fn read(&mut self, call: PartIndex, (results, attachments): (Vec<PartIndex>, Vec<PartIndex>), named: &Named<'_>) {
        let transcript = self.transcript;
        let name = transcript.name(call);
        let arguments = if named.tools.is_empty() { None } else { parse(transcript.text(call)) };
        let tool = choose(&named.tools, arguments.as_ref());
        let tool =
            tool.filter(|_| !named.is_foreign || named.own.is_some() || asks_for_a_file(named, arguments.as_ref()));
        let kind = tool.map_or(ToolKind::Other, |tool| kind_of(tool, arguments.as_ref()));
        let harness = named.harness(arguments.as_ref());
        let position = |part: PartIndex| match MarkPosition::of(transcript.text(part)) {
            _ if self.is_pruned(part) => MarkPosition::Head,
            position => position,
        };
        let positions: Vec<MarkPosition> = results.iter().map(|&result| position(result)).collect();
        let read = |(&result, position): (&PartIndex, &MarkPosition)| {
            let said = said(transcript.text(result), transcript.parts()[result].status, harness.reports, kind);
            // Where a part is gone, nothing follows from what isn't there.
            if *position == MarkPosition::None { said } else { said.of_a_part() }
        };
        let said: Vec<Said> = results.iter().zip(&positions).map(read).collect();
        let answers: Vec<Answer> = results.iter().filter_map(|&result| users_answer(transcript.text(result))).collect();
        let outcome = self.outcome(&results, &said, &answers, kind);
        let of_call = match position(call) {
            MarkPosition::Head if !self.is_pruned(call) => MarkPosition::Body,
            position => position,
        };
        let is_call_cut = of_call != MarkPosition::None;
        let marks = positions.into_iter().fold(of_call, MarkPosition::max);
        self.open = results.last().and_then(|&result| open_file(transcript.text(result)));
        let mut operation = Operation {
            call,
            results,
            attachments,
            kind,
            files: Vec::new(),
            run: None,
            directory: None,
            new_texts: Vec::new(),
            outcome,
            said,
            speaks_for_user: !answers.is_empty(),
            marks,
            is_call_cut,
            is_cause: false,
            prints: Prints::Other,
        };
        let shown = operation.shown(transcript);
        let server =
            if named.is_foreign { &name[..name.len() - without_server(name, named).len()] } else { named.server };
        match (kind, tool, &arguments) {
            (ToolKind::Read | ToolKind::Write | ToolKind::Edit, Some(tool), Some(value)) => {
                self.use_files(&mut operation, &Call { named, tool, value, shown, server });
            }
            (ToolKind::Command, Some(tool), value) => {
                match value.as_ref().and_then(|value| Some((value, script(value, tool)?))) {
                    Some((value, script)) => {
                        self.run(&mut operation, &script, harness, &Call { named, tool, value, shown, server });
                    }
                    None => operation.prints = Prints::OfProgram,
                }
            }
            (ToolKind::Search, ..) => self.search(&mut operation, arguments.as_ref(), server),
            (ToolKind::Patch, Some(tool), value) => {
                let patch = value.as_ref().and_then(|value| script(value, tool));
                let patch = patch.unwrap_or_else(|| transcript.text(call).to_string_lossy());
                self.patch(&mut operation, &patch, server, &self.start.clone());
            }
            _ => {}
        }
        self.list.push(operation);
    }

    /// Returns what came of a call with these results.
    fn outcome(&self, results: &[PartIndex], said: &[Said], answers: &[Answer], kind: ToolKind) -> Known<Outcome> {
        // A call that the user refused did nothing, even if the result looks like a success.
        if answers.iter().any(|answer| answer.is_refusal) {
            return Known::Certain(Outcome::Refused);
        }
        let runs_program = !matches!(kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Patch);
        let fails_by_words = |(&result, said): (&PartIndex, &Said)| {
            let text = self.transcript.text(result);
            // If `fit` cut the result, the exit status may be gone, and words prove nothing.
            let is_whole = self.is_pruned(result) || MarkPosition::of(text) == MarkPosition::None;
            let is_told =
                self.transcript.parts()[result].status.is_some() || said.outcome.is_certain() && !said.is_by_silence;
            is_whole && !is_told && words::has_words(text.bytes())
        };
        if self.failures_by_words && runs_program && results.iter().zip(said).any(fails_by_words) {
            return Known::Certain(Outcome::Failed);
        }
        let outcomes = || said.iter().map(|said| said.outcome);
        let failed = outcomes().find(|outcome| outcome.is_certain_and(Outcome::is_failure));
        failed.unwrap_or_else(|| outcomes().reduce(Known::agreed).unwrap_or_default())
    }

    /// Returns whether a part has a marker of an earlier pruning.
    fn is_pruned(&self, part: PartIndex) -> bool {
        self.may_hold_marker[part] && has_marker(self.transcript.text(part))
    }

    /// Reads a search. Where it looks without a path is where the shell is, or where the session started.
    fn search(&mut self, operation: &mut Operation, arguments: Option<&Value>, server: &str) {
        let text = self.transcript.text(operation.call);
        let what = arguments.map_or_else(|| text.to_string_lossy(), |value| canonical(value, ""));
        let directory = if server.is_empty() {
            self.shell.clone().agreed(self.start.clone())
        } else {
            Known::Certain(String::new())
        };
        if let Known::Certain(directory) = directory {
            operation.run = Some(self.run_number(operation.call, &what, directory.clone(), 0));
            operation.directory = Some(directory);
        }
    }

    fn run_number(&mut self, call: PartIndex, what: &str, directory: String, environment: u32) -> RunIndex {
        self.runs.number(([self.transcript.name(call), " ", what].concat(), directory, environment))
    }

    /// Returns the operations.
    fn finish(self) -> Operations {
        let Reader { list, start, files, may_hold_marker, .. } = self;
        let files = files.into_values().map(|(_, path)| path).collect();
        let root = start.certain().filter(|start| !start.is_empty());
        Operations { list, files, root, may_hold_marker }
    }
}

/// Returns the kind of a call of `tool`.
fn kind_of(tool: &Tool<'_>, arguments: Option<&Value>) -> ToolKind {
    // A dry run changes nothing.
    if arguments.is_some_and(|value| is_set(value, "dryRun")) {
        return ToolKind::Other;
    }
    if tool.kind != ToolKind::Editor {
        return tool.kind;
    }
    match arguments.and_then(|value| string(value, "command")) {
        Some("view") => ToolKind::Read,
        Some("create") => ToolKind::Write,
        Some("str_replace" | "insert" | "undo_edit") => ToolKind::Edit,
        _ => ToolKind::Other,
    }
}

/// Returns whether a call of a server's tool asks for nothing but a file, as the tool of that name does. With other arguments, such as a
/// repository, the same path may be another file.
fn asks_for_a_file(named: &Named<'_>, arguments: Option<&Value>) -> bool {
    let Some(arguments) = arguments.and_then(Value::as_object) else { return true };
    let is_read = named.tools.iter().all(|tool| tool.kind == ToolKind::Read);
    !is_read || arguments.keys().all(|name| named.tools.iter().any(|tool| tool.has_argument(name)))
}

/// Returns the part of a name that is the tool's, behind that of its server.
fn without_server<'n>(name: &'n str, named: &Named<'_>) -> &'n str {
    let tool = named.tools.first().map_or("", |tool| tool.name);
    if name.ends_with(tool) { &name[name.len() - tool.len()..] } else { name }
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

/// Returns the file that is open in SWE-agent's editor, as the state says that stands after every result.
fn open_file(answer: Text<'_>) -> Option<String> {
    const WINDOW: usize = 600;
    static OPEN: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("(Open file: "));
    let tail = answer.suffix(WINDOW);
    // Searching backwards would be slower, and most texts contain none.
    let start = OPEN.find_iter(tail.bytes()).last()? + OPEN.needle().len();
    let end = start + memchr::memchr(b')', &tail.bytes()[start..])?;
    Some(tail.slice(start..end).to_string_lossy()).filter(|path| path != "n/a")
}
