//! Structured output of tools: lists, `key: value` lines, test results, compiler messages.

use std::sync::OnceLock;

use super::score::last_file_line_mark;
use palimpsest_text::class::{SPACE, WORD, is, is_at, is_boundary};
use palimpsest_text::hashing::TextSet;
use palimpsest_text::masks::Scanned;
use palimpsest_text::phrases::{Gap, Phrases, phrases};
use palimpsest_text::words::words;
use palimpsest_text::{BULLET, Text, TextBuf};

const STATUS_STARTS: &[&[u8]] = &[b"PASS", b"FAIL", b"ERROR", b"WARNING", b"WARN", b"OK", b"SKIP"];
const STATUS_PHRASES: &[&str] =
    &["pass", "fail", "error", "warning", "warn", "test", "tests", "total", "duration", "passed", "failed"];

/// Returns the lines of `text` that are not blank.
pub fn filled_lines(text: Scanned<'_>) -> impl Iterator<Item = (usize, usize)> {
    text.lf_lines().filter(move |&(start, end)| !text.is_blank(start, end))
}

/// Returns whether `text` is structured: it has at least six non-blank lines and one LF per 80 UTF-16 code units, and
/// more than half of its lines are of a structural kind.
pub fn is_structured(text: Scanned<'_>) -> bool {
    let line_ends = text.count(|block| block.lf);
    if line_ends < 5 || line_ends as f64 / (text.bytes.len() as f64) < 1.0 / 80.0 {
        return false;
    }
    let (mut filled, mut structural) = (0, 0);
    for (start, end) in filled_lines(text) {
        filled += 1;
        structural += usize::from(is_structural(text, start, end));
    }
    filled >= 6 && 2 * structural > filled
}

fn is_structural(text: Scanned<'_>, start: usize, end: usize) -> bool {
    let line = &text.bytes[start..end];
    file_mark(text, start, end).is_some()
        || starts_list_item(line)
        || starts_with_key(line)
        || STATUS_STARTS.iter().any(|status| line.starts_with(status) && is_boundary(line, status.len()))
}

/// Returns the end of the file name at the start of a line such as `src/main.rs:10: …`.
pub fn file_mark(text: Scanned<'_>, start: usize, end: usize) -> Option<usize> {
    let token_end = text.find(start, |block| block.space).min(end);
    // The name contains a dot.
    let has_dot = text.any_in(start, token_end, |block| block.dot);
    if has_dot { last_file_line_mark(&text.bytes[start..token_end]) } else { None }
}

fn blanks_end(line: &[u8]) -> usize {
    line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len())
}

fn starts_list_item(line: &[u8]) -> bool {
    let mark = blanks_end(line);
    mark > 0 && matches!(line.get(mark), Some(&(b'-' | b'*' | BULLET)))
}

fn starts_with_key(line: &[u8]) -> bool {
    let key = blanks_end(line);
    if !is_at(line, key, WORD) {
        return false;
    }
    let mut colon = key + 1;
    while colon < line.len() && (is(line[colon], WORD) || matches!(line[colon], b' ' | b'.' | b'/' | b'-')) {
        colon += 1;
    }
    line.get(colon) == Some(&b':') && is_at(line, colon + 1, SPACE)
}

/// Returns whether a line reports a result.
pub fn is_status(line: &[u8]) -> bool {
    static PHRASES: OnceLock<Phrases<()>> = OnceLock::new();
    let status = PHRASES.get_or_init(|| Phrases::new(phrases(Gap::Blank, (), STATUS_PHRASES).collect()));
    words(line).any(|word| status.all_at(line, word.start, word.end).next().is_some())
}

/// Summarises a structured `text`, whose masks are in `scanned`, in at most `budget` UTF-16 code units, including three
/// dots.
pub fn structured_summary(text: Text<'_>, scanned: Scanned<'_>, budget: usize) -> TextBuf {
    let bytes = text.bytes();
    let mut files = Distinct::default();
    let mut statuses = Distinct::default();
    for (start, end) in filled_lines(scanned) {
        let line = &bytes[start..end];
        if let Some(name_end) = file_mark(scanned, start, end) {
            files.add(text.slice(start..start + name_end));
        }
        if statuses.kept.len() < 3 && is_status(line) {
            statuses.add(text.slice(start..end).trim());
        }
    }
    let mut summary = TextBuf::new();
    if files.kept.is_empty() && statuses.kept.is_empty() {
        outline(text, scanned, &mut summary);
    } else {
        join(&mut summary, if files.kept.is_empty() { "" } else { "files: " }, &files.kept, ", ");
        if files.count > 3 {
            summary.push_str(&format!(" +{} more", files.count - 3));
        }
        let lead = if files.kept.is_empty() || statuses.kept.is_empty() { "" } else { " | " };
        join(&mut summary, lead, &statuses.kept, " | ");
    }
    let mut cut = TextBuf::new();
    cut.push_shortened(summary.as_text(), budget);
    cut
}

/// Writes the first three lines, and the last one with the total number.
fn outline(text: Text<'_>, scanned: Scanned<'_>, summary: &mut TextBuf) {
    let mut count = 0;
    let mut last = 0..0;
    for (start, end) in filled_lines(scanned) {
        if count < 3 {
            summary.push(text.slice(start..end).trim());
            summary.push_str(" | ");
        }
        count += 1;
        last = start..end;
    }
    summary.push_str("... | ");
    summary.push(text.slice(last).trim());
    summary.push_str(&format!(" ({count} lines)"));
}

fn join(summary: &mut TextBuf, lead: &str, parts: &[Text<'_>], separator: &str) {
    summary.push_str(lead);
    for (position, part) in parts.iter().enumerate() {
        summary.push_str(if position == 0 { "" } else { separator });
        summary.push(*part);
    }
}

/// The first three distinct texts, and the number of distinct ones.
#[derive(Default)]
struct Distinct<'a> {
    kept: Vec<Text<'a>>,
    seen: TextSet<Text<'a>>,
    count: usize,
}

impl<'a> Distinct<'a> {
    fn add(&mut self, text: Text<'a>) {
        if self.seen.insert(text) {
            self.count += 1;
            if self.kept.len() < 3 {
                self.kept.push(text);
            }
        }
    }
}
