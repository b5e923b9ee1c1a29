//! Markdown: headings and tables stay.

use memchr::memmem;

use palimpsest_text::class::{LINE_END, SPACE, is, run_end};
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Minimum length of a text, in UTF-16 code units.
const MIN_LENGTH: usize = 200;

/// Kind of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Heading,
    Table,
    Rule,
    Prose,
}

pub(super) fn detect(text: Text<'_>) -> bool {
    let is_heading = |&(start, end): &(usize, usize)| kind(&text.bytes()[start..end]) == Line::Heading;
    text.len() >= MIN_LENGTH && lf_lines(text.bytes()).filter(is_heading).nth(1).is_some()
}

/// Returns the headings and the tables, each as one piece.
pub(super) fn preserved(text: Text<'_>) -> Vec<TextBuf> {
    let mut pieces: Vec<TextBuf> = Vec::new();
    let mut before = Line::Prose;
    for (start, end) in lf_lines(text.bytes()) {
        let line = text.slice(start..end);
        let kind = kind(line.bytes());
        match (kind, pieces.last_mut()) {
            (Line::Table, Some(table)) if before == Line::Table => {
                table.push_str("\n");
                table.push(line);
            }
            (Line::Heading | Line::Table, _) => pieces.push(line.into()),
            _ => {}
        }
        before = kind;
    }
    pieces
}

/// Returns the paragraphs of the rest.
pub(super) fn compressible(text: Text<'_>) -> Vec<TextBuf> {
    let mut left = TextBuf::new();
    for (start, end) in lf_lines(text.bytes()) {
        let line = text.slice(start..end);
        if kind(line.bytes()) == Line::Prose {
            left.push(line);
            left.push_str("\n");
        }
    }
    let left = left.as_text();
    let mut paragraphs = Vec::new();
    let mut start = 0;
    for end in memmem::find_iter(left.bytes(), b"\n\n").chain([left.len()]) {
        paragraphs.push(left.slice(start..end).trim());
        start = end;
    }
    paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty()).map(TextBuf::from).collect()
}

fn kind(line: &[u8]) -> Line {
    if is_heading(line) {
        Line::Heading
    } else if is_row(line) {
        Line::Table
    } else if is_rule(line) {
        Line::Rule
    } else {
        Line::Prose
    }
}

fn is_heading(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|&&byte| byte == b'#').count();
    let title = run_end(line, marks, SPACE);
    (1..=6).contains(&marks) && title > marks && title < line.len()
}

fn is_row(line: &[u8]) -> bool {
    line.len() >= 3 && line.starts_with(b"|") && line.ends_with(b"|") && !line.iter().any(|&byte| is(byte, LINE_END))
}

fn is_rule(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|&&byte| matches!(byte, b'-' | b'*' | b'_')).count();
    marks >= 3 && run_end(line, marks, SPACE) == line.len()
}
