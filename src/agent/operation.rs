//! What each tool call did: to which files, with which command, and whether it succeeded.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::lines::Extent;
use super::reader::Reader;
use super::tools::{self, Tool, ToolKind};
use super::transcript::{Kind, Transcript};
use crate::text::Text;

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
    /// The parts with its results, at least one.
    pub results: Vec<u32>,
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
    /// An earlier pruning has already been at it, so that what it showed can't be relied on.
    pub pruned: bool,
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
}

/// How operations are to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// Tools that the user describes.
    pub tools: &'a [Tool<'a>],
    /// Tell failures of programs by words too.
    pub failures_by_words: bool,
}

/// Whether a stub stands in `text`: an opening bracket, the product's name, eight hexadecimal digits or more, a blank.
pub fn has_marker(text: Text<'_>) -> bool {
    markers(text).next().is_some()
}

/// The keys of the stubs in `text`.
pub fn markers(text: Text<'_>) -> impl Iterator<Item = &[u8]> {
    const OPENING: &[u8] = b"[palimpsest:";
    static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(OPENING));
    let bytes = text.bytes();
    FINDER.find_iter(bytes).filter_map(move |at| {
        let rest = &bytes[at + OPENING.len()..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        (digits >= 8 && rest.get(digits) == Some(&b' ')).then(|| &rest[..digits])
    })
}

impl Operations {
    /// Reads the operations of a conversation.
    pub fn read(transcript: &Transcript, reading: Reading<'_>) -> Self {
        let mut results: Vec<Vec<u32>> = vec![Vec::new(); transcript.parts().len()];
        for (index, part) in transcript.parts().iter().enumerate() {
            if part.kind == Kind::Result
                && let Some(answered) = part.call.and_then(|call| results.get_mut(call as usize))
            {
                answered.push(index as u32);
            }
        }
        let named: Vec<Vec<Tool<'_>>> =
            transcript.names().iter().map(|name| tools::named(name, reading.tools)).collect();
        let mut reader = Reader::new(transcript, reading.failures_by_words);
        for call in transcript.in_order() {
            let part = transcript.parts()[call as usize];
            let answers = std::mem::take(&mut results[call as usize]);
            // What was not answered may still be under way.
            if part.kind == Kind::Call && !answers.is_empty() {
                let tools = part.name.and_then(|name| named.get(name as usize)).map_or(&[][..], Vec::as_slice);
                reader.read(call, answers, tools);
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
