//! What each tool call did: to which files, with which command, and whether it succeeded.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::lines::Extent;
use super::reader::Reader;
use super::tools::{self, Tool, ToolKind};
use crate::restore::marker::{KEY_LENGTH, MARKER_START};
use crate::text::Text;
use crate::transcript::{Kind, Transcript};

/// What an operation did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Showed it.
    Read(Extent),
    /// Wrote the whole of it, created or deleted it.
    Write,
    /// Changed a part of it.
    Edit,
}

/// A file and what was done to it.
#[derive(Clone, Copy, Debug)]
pub struct FileUse {
    /// The file: a number in [`Operations::files`].
    pub file: u32,
    /// What was done.
    pub does: Does,
}

/// A call with its results.
#[derive(Debug)]
pub struct Operation {
    /// The part with the call.
    pub call: u32,
    /// The parts with the texts of its results.
    pub results: Vec<u32>,
    /// What else stands in its results: images, blocks of unknown kinds. It goes only with the call.
    pub attachments: Vec<u32>,
    /// What the tool does.
    pub kind: ToolKind,
    /// The files that it used, in order.
    pub files: Vec<FileUse>,
    /// Equal for the same command, or the same search, with the same arguments in the same directory.
    pub run: Option<u32>,
    /// The texts that an edit brought, where its arguments name them.
    pub brought: Vec<String>,
    /// It failed.
    pub failed: bool,
    /// Its results pass on what the user said to the call; see [`super::rejection`].
    pub speaks_for_user: bool,
    /// Where marks of an earlier pruning, fitting or compression stand in it.
    pub marks: Marks,
    /// Some stand in the call.
    pub is_call_cut: bool,
}

/// All that an agent did.
#[derive(Debug, Default)]
pub struct Operations {
    /// The operations that were answered, in order of time.
    pub list: Vec<Operation>,
    /// The files, by one name each.
    pub files: Vec<String>,
    /// The directory of the session, where it is known.
    pub root: Option<String>,
    /// For each part whether a marker may stand in it.
    pub may_hold_marker: Vec<bool>,
}

/// How operations are to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// Tools that the user describes.
    pub tools: &'a [Tool<'a>],
    /// Tell failures of programs by words too.
    pub failures_by_words: bool,
}

/// Where markers may begin in `text`.
pub fn openings(text: Text<'_>) -> impl Iterator<Item = usize> {
    static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(MARKER_START));
    FINDER.find_iter(text.bytes())
}

/// Whether a marker stands in `text`.
pub fn has_marker(text: Text<'_>) -> bool {
    openings(text).any(|at| {
        let rest = &text.bytes()[at + MARKER_START.len()..];
        let is_key = |key: &[u8]| key.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        rest.get(..KEY_LENGTH).is_some_and(is_key) && rest.get(KEY_LENGTH) == Some(&b' ')
    })
}

/// Where marks stand that say what has been taken out. A file may hold a text that looks like one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marks {
    /// Nowhere.
    #[default]
    None,
    /// Behind the first line: what remains is less than there was.
    Body,
    /// In the first line, or one of `prune` anywhere: nobody knows any more what it was. Tools say there that they failed, and
    /// users that they refused.
    Head,
}

impl Marks {
    /// Where `fit` and `compress` have left marks in `text`, such as `[…]` and `[… 12 lines]`, or a summary, a reference or
    /// a number of messages in its place.
    pub fn of(text: Text<'_>) -> Self {
        let bytes = text.bytes();
        let stands_for = [b"[summary:".as_slice(), b"[summary#", b"[truncated", b"[cce:"];
        if stands_for.iter().any(|start| bytes.starts_with(start)) || is_omission(bytes) {
            return Marks::Head;
        }
        if text.units().is_none() {
            return Marks::None;
        }
        match memchr::memchr_iter(b'[', bytes).find(|&at| is_mark(text, at)) {
            Some(at) if memchr::memchr(b'\n', &bytes[..at]).is_none() => Marks::Head,
            Some(_) => Marks::Body,
            None => Marks::None,
        }
    }
}

/// Whether `compress` says in place of `text` how many messages it left out.
fn is_omission(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"[") else { return false };
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let what = rest[count..].strip_prefix(b" message").map(|what| what.strip_prefix(b"s").unwrap_or(what));
    count > 0 && what.is_some_and(|what| what.starts_with(b" of general discussion omitted]"))
}

/// Whether a mark of `fit` begins at `at`: `[…]`, `[…: why]`, `[… 12 lines]`, and `prune`'s `[… lines 1–11]`.
fn is_mark(text: Text<'_>, at: usize) -> bool {
    const ELLIPSIS: u16 = 0x2026;
    if at + 2 >= text.len() || text.unit(at + 1) != ELLIPSIS {
        return false;
    }
    match text.bytes()[at + 2..] {
        [b']', ..] | [b':', b' ', ..] => true,
        [b' ', ref rest @ ..] => rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"lines "),
        _ => false,
    }
}

impl Operation {
    /// All that stands in its results.
    pub fn answers(&self) -> impl Iterator<Item = u32> {
        self.results.iter().chain(&self.attachments).copied()
    }

    /// Whether its tool is there to change files.
    pub fn is_change(&self) -> bool {
        matches!(self.kind, ToolKind::Write | ToolKind::Edit | ToolKind::Patch)
    }
}

impl Operations {
    /// Reads the operations of a conversation.
    pub fn read(transcript: &Transcript, reading: Reading<'_>) -> Self {
        let mut results: Vec<Vec<u32>> = vec![Vec::new(); transcript.parts().len()];
        let mut attachments = results.clone();
        for (index, part) in transcript.parts().iter().enumerate() {
            let found = if part.kind == Kind::Result { &mut results } else { &mut attachments };
            if let Some(answered) = part.call.and_then(|call| found.get_mut(call as usize)) {
                answered.push(index as u32);
            }
        }
        let named: Vec<Vec<Tool<'_>>> =
            transcript.names().iter().map(|name| tools::named(name, reading.tools)).collect();
        let mut reader = Reader::new(transcript, reading.failures_by_words);
        for call in transcript.in_order() {
            let part = transcript.parts()[call as usize];
            let answers = std::mem::take(&mut results[call as usize]);
            let attached = std::mem::take(&mut attachments[call as usize]);
            // What was not answered may still be under way.
            if part.kind == Kind::Call && !(answers.is_empty() && attached.is_empty()) {
                let tools = part.name.and_then(|name| named.get(name as usize)).map_or(&[][..], Vec::as_slice);
                reader.read(call, (answers, attached), tools);
            }
        }
        reader.finish()
    }

    /// A file as a stub names it: from the session's directory, and only the end of a long path.
    pub fn display(&self, file: u32) -> String {
        const LIMIT: usize = 60;
        let path = self.files[file as usize].as_str();
        let below = self.root.as_deref().and_then(|root| path.strip_prefix(root)?.strip_prefix('/'));
        let path = below.unwrap_or(path);
        if path.len() <= LIMIT {
            return path.to_owned();
        }
        let start = (path.len() - LIMIT..path.len()).find(|&at| path.is_char_boundary(at)).unwrap_or_default();
        let start = path[start..].find('/').map_or(start, |at| start + at);
        format!("…{}", &path[start..])
    }
}
