//! Code fences: separating the code of a text from its prose.

use std::sync::LazyLock;

use memchr::{memchr, memmem};

use palimpsest_text::class::{SPACE, run_start, trim};
use palimpsest_text::lines::fence_indent;
use palimpsest_text::{Text, TextBuf};

/// Returns whether `text` contains three backticks.
pub fn has_backticks(text: &[u8]) -> bool {
    static TICKS: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("```"));
    TICKS.find(text).is_some()
}

/// The code and the prose of a text.
#[derive(Debug, Default)]
pub struct Segments {
    /// The fences, including backticks, as `(start, end)`.
    pub code: Vec<(usize, usize)>,
    /// The text around them, trimmed, without empty pieces.
    pub prose: Vec<(usize, usize)>,
}

impl Segments {
    /// Returns the total length of the prose, in UTF-16 code units.
    pub fn prose_length(&self) -> usize {
        self.prose.iter().map(|(start, end)| end - start).sum()
    }

    /// Returns the prose of `text`, joined by spaces.
    pub fn prose_text(&self, text: Text<'_>) -> TextBuf {
        let mut prose = TextBuf::new();
        for &(start, end) in &self.prose {
            if !prose.is_empty() {
                prose.push_str(" ");
            }
            prose.push(text.slice(start..end));
        }
        prose
    }
}

/// Splits `text` at its fences.
pub fn segments(text: &[u8]) -> Segments {
    let mut found = Segments::default();
    let mut from = 0;
    for (start, end) in fences(text) {
        found.add_prose(text, from, start);
        found.code.push((start, end));
        from = end;
    }
    found.add_prose(text, from, text.len());
    found
}

impl Segments {
    fn add_prose(&mut self, text: &[u8], start: usize, end: usize) {
        let (start, end) = trim(text, start, end);
        if start < end {
            self.prose.push((start, end));
        }
    }
}

/// Returns the fences, from the white space before the opening backticks to the end of the closing ones.
///
/// The closing backticks follow an LF and any white space; the LF that ends the opening line does not count.
fn fences(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let ticks: Vec<usize> = runs_of_backticks(text);
    let mut opening: Option<(usize, usize)> = None;
    for &at in &ticks {
        if let Some((start, body)) = opening {
            // Backticks on the opening line itself cannot close the fence.
            let space = run_start(text, at, SPACE).max(body);
            if at > body && memchr(b'\n', &text[space..at]).is_some() {
                found.push((start, at + 3));
                opening = None;
            }
        } else if let Some(start) = fence_indent(text, at)
            && let Some(line_end) = memchr(b'\n', &text[at + 3..])
        {
            opening = Some((start, at + 3 + line_end + 1));
        }
    }
    found
}

/// Returns the starts of the runs of three or more backticks.
fn runs_of_backticks(text: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut end = 0;
    for at in memmem::find_iter(text, b"```") {
        if at > end || at == 0 {
            starts.push(at);
        }
        end = at + 3;
    }
    starts
}
