//! Output of tools: results and names of files stay.

use crate::summarize::{file_mark, filled_lines, is_status, is_structured};
use palimpsest_text::hashing::TextSet;
use palimpsest_text::masks::Scratch;
use palimpsest_text::{Text, TextBuf};

pub(super) fn detect(text: Text<'_>) -> bool {
    is_structured(Scratch::default().scan(text.bytes()))
}

/// Returns the lines with a result, followed by a line with the names of all files.
pub(super) fn preserved(text: Text<'_>) -> Vec<TextBuf> {
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text.bytes());
    let mut lines = Vec::new();
    let mut files = TextBuf::new();
    let mut seen = TextSet::default();
    for (start, end) in filled_lines(scanned) {
        let line = text.slice(start..end);
        if is_status(line.bytes()) {
            lines.push(line.trim().into());
        }
        if let Some(name_end) = file_mark(scanned, start, end) {
            let name = text.slice(start..start + name_end);
            if seen.insert(name) {
                files.push_str(if files.is_empty() { "files: " } else { ", " });
                files.push(name);
            }
        }
    }
    if !files.is_empty() {
        lines.push(files);
    }
    lines
}

pub(super) fn compressible(text: Text<'_>) -> Vec<TextBuf> {
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text.bytes());
    filled_lines(scanned)
        .filter(|&(start, end)| !is_status(&text.bytes()[start..end]) && file_mark(scanned, start, end).is_none())
        .map(|(start, end)| text.slice(start..end).trim().into())
        .collect()
}
