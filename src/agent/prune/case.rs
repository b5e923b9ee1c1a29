//! What the rules know of a conversation, and what they may touch.

use super::Rule;
use crate::agent::operation::{Marks, Operation, Operations, Reading};
use crate::agent::path;
use crate::agent::tools::Tool;
use crate::transcript::{Kind, Role, Transcript};

/// How to prune.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Take calls out together with their results, instead of leaving a stub in place of the result.
    pub remove: bool,
    /// Of the edits of a file keep the last only, whatever state is lost with the others.
    pub last_edit_only: bool,
    /// Tell failures of programs by words too.
    pub failures_by_words: bool,
    /// So many messages at the end are not touched.
    pub keep_recent: u32,
    /// Tools whose calls and results are not touched.
    pub keep_tools: Vec<String>,
    /// Files whose operations are not touched; see [`path::matches`].
    pub keep_paths: Vec<String>,
    /// Tools beside those that are built in.
    pub tools: Vec<Tool<'a>>,
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
        }
    }
}

/// What of an operation stays although it is judged.
#[derive(Clone, Debug)]
pub enum Keep {
    /// Nothing.
    Nothing,
    /// The call, so that everybody sees that a file was changed.
    Call,
    /// All of it.
    All,
    /// The lines that name something which stands nowhere else.
    NovelLines,
    /// The line that says what failed.
    DecisiveLine,
    /// All lines but those in some ranges.
    LinesOutside {
        /// What the first line is called where lines have no numbers of their own.
        first: u32,
        /// First and last lines, in order.
        ranges: Vec<(u32, u32)>,
    },
}

/// What a rule says of an operation.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Which rule.
    pub rule: Rule,
    /// The operation that makes it superfluous, by its number in the list.
    pub by: Option<usize>,
    /// What stays.
    pub keep: Keep,
}

/// For each operation what the first rule that had something to say said.
pub type Verdicts = [Option<Verdict>];

/// A conversation under the eyes of the rules.
pub struct Case<'a> {
    /// The conversation.
    pub transcript: &'a Transcript,
    /// How to prune.
    pub options: &'a Options<'a>,
    /// What the agent did.
    pub operations: Operations,
    /// For each part whether it may be edited.
    pub is_free: Vec<bool>,
}

impl<'a> Case<'a> {
    /// Reads a conversation.
    pub fn new(transcript: &'a Transcript, options: &'a Options<'a>) -> Self {
        let reading = Reading { tools: &options.tools, failures_by_words: options.failures_by_words };
        let operations = Operations::read(transcript, reading);
        let first_recent = transcript.message_count().saturating_sub(options.keep_recent);
        let is_free = transcript.parts().iter().map(|part| {
            let is_users = part.role == Role::User && !matches!(part.kind, Kind::Result | Kind::Call);
            !part.locked && part.message < first_recent && !is_users
        });
        let mut case = Case { transcript, options, is_free: is_free.collect(), operations };
        case.protect();
        case
    }

    /// Takes the parts of kept tools and paths, those with a marker and what the user said from what may be edited.
    fn protect(&mut self) {
        let patterns = &self.options.keep_paths;
        let is_kept_file = |file: &String| patterns.iter().any(|pattern| path::matches(pattern, file));
        let kept_files: Vec<bool> = self.operations.files.iter().map(is_kept_file).collect();
        for operation in &self.operations.list {
            let name = self.transcript.name(operation.call as usize);
            let keeps_tool = self.options.keep_tools.iter().any(|kept| kept == name);
            let keeps_file = operation.files.iter().any(|used| kept_files[used.file as usize]);
            let keeps_call = keeps_tool || keeps_file || operation.marks == Marks::Head;
            if keeps_call {
                self.is_free[operation.call as usize] = false;
            }
            // What the user said stays word for word, and so do the images beside it.
            if keeps_call || operation.speaks_for_user {
                operation.answers().for_each(|part| self.is_free[part as usize] = false);
            }
        }
    }

    /// Whether a rule may judge an operation: something of it can be edited.
    pub fn is_open(&self, operation: &Operation) -> bool {
        std::iter::once(operation.call).chain(operation.answers()).any(|part| self.is_free[part as usize])
    }

    /// Whether a part stands in the last message, which never goes: it says whose turn it is.
    pub fn is_last(&self, part: u32) -> bool {
        self.transcript.parts()[part as usize].message + 1 == self.transcript.message_count()
    }

    /// Whether what an operation did counts against earlier ones. What shows less than it did replaces nothing; a write or an edit
    /// has changed the file however much of it is left.
    pub fn supersedes(&self, operation: &Operation) -> bool {
        let counts = match operation.marks {
            Marks::None => true,
            Marks::Body => operation.is_change(),
            Marks::Head => false,
        };
        counts && !operation.failed
    }
}
