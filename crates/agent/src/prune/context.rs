//! The conversation as the rules see it, and the parts that they may edit.

use super::outcome::Rule;
use palimpsest_history::transcript::{Kind, PartIndex, Role, Transcript};
use palimpsest_text::index::{IndexVec, to_usize};
use palimpsest_world::ReadOptions;
use palimpsest_world::operation::{FileIndex, MarkPosition, Operation, Operations};
use palimpsest_world::path;
use palimpsest_world::tools::{Tool, ToolKind};

/// Options of pruning.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Remove calls together with their results, instead of leaving a stub in place of the result.
    pub remove: bool,
    /// Keep only the last edit of a file, even if the state of the file is lost with the others.
    pub last_edit_only: bool,
    /// Recognise failures of programs by words too.
    pub failures_by_words: bool,
    /// Number of messages at the end that are not touched.
    pub keep_recent: u32,
    /// Tools whose calls and results are not touched.
    pub keep_tools: Vec<String>,
    /// Files whose operations are not touched; see [`path::matches`].
    pub keep_paths: Vec<String>,
    /// Tools in addition to the built-in ones.
    pub tools: Vec<Tool<'a>>,
    /// Say of each edit what shows that the text can go.
    pub trace: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            remove: false,
            last_edit_only: false,
            failures_by_words: false,
            keep_recent: 6,
            keep_tools: Vec::new(),
            keep_paths: Vec::new(),
            tools: Vec::new(),
            trace: false,
        }
    }
}

/// The part of a judged operation that stays.
#[derive(Clone, Debug)]
pub(super) enum Remainder {
    Nothing,
    /// The call, to show that a file was changed.
    Call,
    /// Everything.
    All,
    /// Lines with names that occur nowhere else.
    NovelLines,
    /// The line that tells what failed.
    DecisiveLine,
    /// All lines but those for which this is true.
    LinesBut(Vec<bool>),
}

/// Verdict of a rule on an operation.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub rule: Rule,
    /// The superseding operation, by its number in the list.
    pub by: Option<usize>,
    /// The part that stays.
    pub keep: Remainder,
}

/// For each operation, the verdict of the first rule that applies.
pub(super) type Verdicts = [Option<Verdict>];

/// A conversation, its operations and the parts that may be edited.
pub(super) struct PruneContext<'a> {
    /// The conversation.
    pub transcript: &'a Transcript,
    pub options: &'a Options<'a>,
    /// The operations of the agent.
    pub operations: Operations,
    /// For each part, whether it may be edited.
    pub is_free: IndexVec<PartIndex, bool>,
}

impl<'a> PruneContext<'a> {
    /// Reads a conversation.
    pub(super) fn new(transcript: &'a Transcript, options: &'a Options<'a>) -> Self {
        let reading = ReadOptions { tools: &options.tools, failures_by_words: options.failures_by_words };
        let operations = Operations::read(transcript, reading);
        let first_recent = transcript.len().saturating_sub(to_usize(options.keep_recent));
        let is_free = transcript.parts().iter().map(|part| {
            let is_users = part.role == Role::User && !matches!(part.kind, Kind::Result | Kind::Call);
            !part.locked && part.message.index() < first_recent && !is_users
        });
        let mut context = PruneContext { transcript, options, is_free: is_free.collect(), operations };
        context.protect();
        context
    }

    /// Protects the parts of kept tools and paths, parts with a marker and the user's words from edits.
    fn protect(&mut self) {
        let patterns = &self.options.keep_paths;
        let is_kept_file = |file: &String| patterns.iter().any(|pattern| path::matches(pattern, file));
        let kept_files: IndexVec<FileIndex, bool> = self.operations.files.iter().map(is_kept_file).collect();
        for operation in &self.operations.list {
            let name = self.transcript.name(operation.call);
            let keeps_tool = self.options.keep_tools.iter().any(|kept| kept == name);
            let keeps_file = operation.files.iter().any(|used| kept_files[used.file]);
            let keeps_call = keeps_tool || keeps_file || operation.marks == MarkPosition::Head;
            if keeps_call {
                self.is_free[operation.call] = false;
            }
            // The user's words stay, and so do the images beside them.
            if keeps_call || operation.speaks_for_user {
                operation.answers().for_each(|part| self.is_free[part] = false);
            }
        }
    }

    /// Returns whether a rule may judge an operation, because a part of it can be edited. Of calls, only those of changes are edited while
    /// their results stay.
    pub(super) fn is_open(&self, operation: &Operation) -> bool {
        let is_free = |part: PartIndex| self.is_free[part];
        operation.answers().any(is_free) || operation.is_change() && is_free(operation.call)
    }

    /// Returns whether a part belongs to the last message, which is never removed because it determines whose turn it is.
    pub(super) fn is_last(&self, part: PartIndex) -> bool {
        Some(self.transcript.parts()[part].message) == self.transcript.messages().next_back()
    }

    /// Returns whether an operation can supersede earlier ones. A shortened result supersedes nothing, but a write or an edit has
    /// changed the file, however much of it is left.
    pub(super) fn supersedes(&self, operation: &Operation) -> bool {
        let counts = match operation.marks {
            MarkPosition::None => true,
            MarkPosition::Body => operation.is_change(),
            MarkPosition::Head => false,
        };
        // A later run of a command shows what it does now, whatever its end. A tool that did nothing to a file shows nothing of it.
        let did = match operation.kind {
            ToolKind::Command | ToolKind::Search => !operation.failed(),
            _ => operation.succeeded(),
        };
        counts && did
    }
}
