//! Which line above says what a line belongs to.

use crate::agent::lines::line_number;
use crate::text::Text;

/// Words that begin the line which says what the lines below it, further in, are about.
const DEFINITIONS: [&[u8]; 28] = [
    b"fn",
    b"pub",
    b"def",
    b"class",
    b"func",
    b"function",
    b"export",
    b"impl",
    b"interface",
    b"struct",
    b"enum",
    b"trait",
    b"mod",
    b"module",
    b"namespace",
    b"async",
    b"public",
    b"private",
    b"protected",
    b"static",
    b"abstract",
    b"describe",
    b"test",
    b"it",
    b"type",
    b"const",
    b"record",
    b"object",
];
/// Deeper blocks count as parts of the one around them.
const MAX_DEPTH: usize = 16;

/// The lines so far that others may need, outermost first.
#[derive(Debug, Default)]
pub struct Context {
    /// Indentation and place of definitions around the next line.
    definitions: Vec<(usize, usize)>,
    heading: Option<usize>,
    /// The line that opens a fence around code.
    fence: Option<usize>,
    file: Option<usize>,
    hunk: Option<usize>,
    /// The line that names the file before a change, where it is the line before this one.
    before: Option<usize>,
}

impl Context {
    /// Whether the line at `index` opens the fence around what comes.
    pub fn is_fence(&self, index: usize) -> bool {
        self.fence == Some(index)
    }

    /// The context of `line`, which gets the place `index`, and may be one for others.
    pub fn of(&mut self, line: Text<'_>, index: usize) -> Option<usize> {
        let line = line.bytes();
        let line = &line[line_number(line).map_or(0, |(_, start)| start)..];
        if line.starts_with(b"diff --git ")
            || line.starts_with(b"*** Update File: ")
            || line.starts_with(b"*** Add File: ")
        {
            *self = Context { file: Some(index), ..Context::default() };
            return None;
        }
        let before = std::mem::take(&mut self.before);
        if line.starts_with(b"--- ") {
            self.before = Some(index);
        } else if before.is_some() && line.starts_with(b"+++ ") && (self.file.is_none() || self.hunk.is_some()) {
            // Without a line of git's above them, the two name the file.
            *self = Context { file: Some(index), ..Context::default() };
            return before;
        }
        if line.starts_with(b"@@ ") {
            self.hunk = Some(index);
            return self.file;
        }
        if self.file.is_some() || self.hunk.is_some() {
            return self.hunk.or(self.file);
        }
        if line.starts_with(b"```") {
            self.definitions.clear();
            self.fence = if self.fence.is_some() { None } else { Some(index) };
            return self.heading;
        }
        if self.fence.is_none() && is_heading(line) {
            self.definitions.clear();
            self.heading = Some(index);
            return None;
        }
        let indentation = line.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        while self.definitions.last().is_some_and(|&(outer, _)| outer >= indentation) {
            self.definitions.pop();
        }
        let context = self.definitions.last().map(|&(_, index)| index).or(self.fence).or(self.heading);
        if self.definitions.len() < MAX_DEPTH && is_definition(&line[indentation..]) {
            self.definitions.push((indentation, index));
        }
        context
    }
}

/// A heading of Markdown below the first level: one `#` is a comment in most languages.
fn is_heading(line: &[u8]) -> bool {
    let level = line.iter().take_while(|&&byte| byte == b'#').count();
    (2..=6).contains(&level) && line.get(level) == Some(&b' ')
}

/// Whether a line begins like a definition.
pub fn is_definition(line: &[u8]) -> bool {
    let word = line.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    matches!(line.get(word), Some(b' ' | b'(')) && DEFINITIONS.contains(&&line[..word])
}
