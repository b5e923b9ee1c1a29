//! The context of a line: the line above that says what it belongs to.

use palimpsest_text::Text;
use palimpsest_world::lines::line_number;

/// Maximum depth of definitions; deeper blocks belong to the one around them.
const MAX_DEPTH: usize = 16;
/// Maximum length of a chain of contexts: the definitions around a line, their fence and its heading; chains in diffs are shorter.
#[cfg(test)]
pub(super) const MAX_CHAIN: usize = MAX_DEPTH + 2;

/// Lines so far that may be the context of others, outermost first.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// Indentation and index of the definitions around the next line.
    definitions: Vec<(usize, usize)>,
    heading: Option<usize>,
    /// The line that opens a fence around code.
    fence: Option<usize>,
    ticks: Fence,
    file: Option<usize>,
    hunk: Option<usize>,
    /// The line before this one, where it names the old file of a diff.
    before: Option<usize>,
}

impl Context {
    /// Whether the line at `index` opens the fence around the next line.
    pub(super) fn is_fence(&self, index: usize) -> bool {
        self.fence == Some(index)
    }

    /// The context of `line`, which gets the place `index`, and may be one for others unless it `says_nothing`; `after` is what
    /// comes next. A chain of contexts has at most `MAX_CHAIN` links.
    pub(super) fn of(&mut self, line: Text<'_>, after: &[u8], index: usize, says_nothing: bool) -> Option<usize> {
        let line = without_number(line.bytes());
        let before = self.before.take();
        if self.ticks.is_turned_by(line) {
            // A fence ends whatever was before it, a diff too.
            let opened = self.fence.take();
            let fence = if opened.is_some() { None } else { Some(index) };
            *self = Context { fence, ticks: self.ticks, heading: self.heading, ..Context::default() };
            return opened.or(self.heading);
        }
        if !says_nothing && let Some(context) = self.of_diff(line, after, index, before) {
            return context;
        }
        if self.file.is_some() || self.hunk.is_some() {
            return self.hunk.or(self.file);
        }
        if self.fence.is_none() && is_heading(line) && !says_nothing {
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

    /// The context of a line that begins the change of a file or a hunk of it; `before` is the line in front of it that names
    /// the file as it was.
    fn of_diff(&mut self, line: &[u8], after: &[u8], index: usize, before: Option<usize>) -> Option<Option<usize>> {
        // Nearly all lines begin otherwise.
        if before.is_none() && !matches!(line.first(), Some(b'd' | b'*' | b'-' | b'@')) {
            return None;
        }
        let (fence, ticks, heading) = (self.fence, self.ticks, self.heading);
        if [&b"diff --git "[..], b"*** Update File: ", b"*** Add File: "].iter().any(|start| line.starts_with(start)) {
            *self = Context { file: Some(index), fence, ticks, heading, ..Context::default() };
            return Some(fence);
        }
        // Without a line of git's above them, the two name the file.
        let is_pair = line.starts_with(b"--- ") && without_number(after).starts_with(b"+++ ");
        if is_pair && (self.file.is_none() || self.hunk.is_some()) {
            *self = Context { before: Some(index), fence, ticks, heading, ..Context::default() };
            return Some(fence);
        }
        if before.is_some() {
            self.file = Some(index);
            return Some(before);
        }
        if line.starts_with(b"@@ ") {
            self.hunk = Some(index);
            return Some(self.file.or(fence));
        }
        None
    }
}

/// State of fences around code, as in CommonMark: a fence with a language never closes one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fence {
    /// Number of backticks of the open fence; 0 if none is open.
    ticks: usize,
}

impl Fence {
    /// Whether the next line is code.
    pub(super) fn is_open(self) -> bool {
        self.ticks > 0
    }

    /// Whether `line`, with its end, opens or closes a fence.
    pub(super) fn is_turned_by(&mut self, line: &[u8]) -> bool {
        let ticks = line.iter().take_while(|&&byte| byte == b'`').count();
        let is_turned = match self.ticks {
            _ if ticks < 3 => false,
            0 => !line[ticks..].contains(&b'`'),
            opened => ticks >= opened && is_blank(&line[ticks..]),
        };
        if is_turned {
            self.ticks = if self.is_open() { 0 } else { ticks };
        }
        is_turned
    }
}

/// Whether only blanks and line ends are left, escaped ones included.
fn is_blank(mut rest: &[u8]) -> bool {
    while let [b' ' | b'\t' | b'\r' | b'\n', tail @ ..] | [b'\\', b'r' | b'n' | b't', tail @ ..] = rest {
        rest = tail;
    }
    rest.is_empty()
}

/// A line of a numbered text without its number.
fn without_number(line: &[u8]) -> &[u8] {
    &line[line_number(line).map_or(0, |(_, start)| start)..]
}

/// A heading of Markdown below the first level: one `#` is a comment in most languages.
fn is_heading(line: &[u8]) -> bool {
    let level = line.iter().take_while(|&&byte| byte == b'#').count();
    (2..=6).contains(&level) && line.get(level) == Some(&b' ')
}

/// Whether a line begins like a definition.
pub(super) fn is_definition(line: &[u8]) -> bool {
    let word = line.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    matches!(line.get(word), Some(b' ' | b'(')) && defines(&line[..word])
}

/// Whether a word is the first of lines that define what the indented lines below them belong to.
fn defines(word: &[u8]) -> bool {
    matches!(
        word,
        b"fn"
            | b"pub"
            | b"def"
            | b"class"
            | b"func"
            | b"function"
            | b"export"
            | b"impl"
            | b"interface"
            | b"struct"
            | b"enum"
            | b"trait"
            | b"mod"
            | b"module"
            | b"namespace"
            | b"async"
            | b"public"
            | b"private"
            | b"protected"
            | b"static"
            | b"abstract"
            | b"describe"
            | b"test"
            | b"it"
            | b"type"
            | b"const"
            | b"record"
            | b"object"
    )
}
