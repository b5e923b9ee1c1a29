//! YAML: all lines stay, except those with a long value.

use palimpsest_text::class::{DIGIT, LINE_END, SPACE, WORD, find, is, is_at, run_end};
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Maximum length of a value that always stays, in UTF-16 code units.
const MAX_SHORT: usize = 60;

/// A line `key: value`, as positions in the text.
struct Entry {
    key: (usize, usize),
    value: (usize, usize),
}

/// Returns whether more than 35 % of the lines have a key. Comments and blank lines do not count, and at least four
/// lines are required.
pub(super) fn detect(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    let (mut lines, mut keys) = (0u64, 0u64);
    for (start, end) in lf_lines(bytes) {
        let first = run_end(&bytes[..end], start, SPACE);
        if first < end && bytes[first] != b'#' {
            lines += 1;
            keys += u64::from(entry(bytes, start, end).is_some());
        }
    }
    lines >= 4 && 20 * keys > 7 * lines
}

pub(super) fn preserved(text: Text<'_>) -> Vec<TextBuf> {
    let lines = lf_lines(text.bytes());
    lines.filter(|&line| long_entry(text, line).is_none()).map(|(start, end)| text.slice(start..end).into()).collect()
}

pub(super) fn compressible(text: Text<'_>) -> Vec<TextBuf> {
    let entries = lf_lines(text.bytes()).filter_map(|line| long_entry(text, line));
    entries
        .map(|Entry { key, value }| {
            let mut entry = TextBuf::from(text.slice(key.0..key.1));
            entry.push_str(": ");
            entry.push(text.slice(value.0..value.1));
            entry
        })
        .collect()
}

/// Returns the entry of a line if its value is long and neither an anchor, an alias nor a number.
fn long_entry(text: Text<'_>, (start, end): (usize, usize)) -> Option<Entry> {
    let entry = entry(text.bytes(), start, end)?;
    let value = &text.bytes()[entry.value.0..entry.value.1];
    let is_atomic = value.len() <= MAX_SHORT || matches!(value[0], b'&' | b'*') || is_number(value);
    (!is_atomic).then_some(entry)
}

/// Returns the entry of the line `start..end`, with its value trimmed.
fn entry(text: &[u8], start: usize, end: usize) -> Option<Entry> {
    let line = &text[..end];
    let blanks = line[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let key_start = start + blanks;
    if !is_at(line, key_start, WORD) {
        return None;
    }
    let in_key = |byte: &&u8| is(**byte, WORD) || matches!(byte, b'.' | b'-');
    let key_end = key_start + line[key_start..].iter().take_while(in_key).count();
    let colon = run_end(line, key_end, SPACE);
    if line.get(colon) != Some(&b':') {
        return None;
    }
    let value_start = run_end(line, colon + 1, SPACE);
    // A CR at the end of the line is a line end too.
    if find(line, value_start, LINE_END) < end {
        return None;
    }
    let value = palimpsest_text::class::trim(line, value_start, end);
    Some(Entry { key: (key_start, key_end), value })
}

/// Returns whether the value consists of a digit, any of `.`, `,`, `_` and digits, and an optional exponent.
fn is_number(value: &[u8]) -> bool {
    if !is_at(value, 0, DIGIT) {
        return false;
    }
    let part_of_number = |byte: &&u8| is(**byte, DIGIT) || matches!(byte, b'.' | b',' | b'_');
    let rest = &value[value.iter().take_while(part_of_number).count()..];
    match rest {
        [] => true,
        [b'e' | b'E', exponent @ ..] => {
            let digits = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}
