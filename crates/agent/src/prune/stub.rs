//! Stubs: short texts that replace what is gone.

use super::Piece;
use super::outcome::{Marker, Stub};
use crate::edit::length;
use palimpsest_history::restore::marker::{KEY_LENGTH, MARKER_START};
use palimpsest_text::Text;
use palimpsest_text::json::string_end;

/// Returns whether stubs of this length pay off for a text of this length, both in UTF-16 code units. A stub, whose key is not a
/// word, has about one token per 2.2 code units, a text one per up to 5. At two fifths of the length, a stub is shorter in tokens
/// too.
pub(super) fn is_worth(stubs: usize, gone: usize) -> bool {
    5 * stubs <= 2 * gone
}

/// Replaces every gap of a text except the one with the marker.
pub(super) const FURTHER: &str = "[…]";

/// Returns a marker that says `what`, whatever characters a path has.
pub(super) fn marked(what: &str) -> Marker {
    let what = what.replace(|unit: char| unit.is_control() || unit == ']', "_");
    Marker { what, ..Marker::default() }
}

/// Formats a number of lines.
pub(super) fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

/// Returns the number of lines of a text.
pub(super) fn count_lines(text: Text<'_>) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.bytes()).count();
    ends + usize::from(ends == 0 || !text.bytes().ends_with(b"\n"))
}

/// Returns the total length of the pieces, in UTF-16 code units.
pub(super) fn total(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Keep(range) => range.len(),
            Piece::Mark(Stub::Text(stub)) => length(stub),
            Piece::Mark(Stub::Marker(marker)) => MARKER_START.len() + KEY_LENGTH + length(&marker.to_string()),
        })
        .sum()
}

/// Returns the ranges of the string values in a JSON text, without quotes and keys.
pub(super) fn string_values(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut strings = Vec::new();
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &text[at..]) {
        let start = at + quote + 1;
        let end = string_end(text, start);
        at = (end + 1).min(text.len());
        let is_key = text[at..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        if !is_key {
            strings.push(start..end);
        }
    }
    strings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_arguments() {
        let text = r#"{"path": "a\"b", "edits":[{"old":"x\\","n":1}], "empty": "" }"#;
        let found: Vec<&str> = string_values(text.as_bytes()).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, [r#"a\"b"#, r"x\\", ""]);
        for broken in [r#"""#, r#""\"#, r#"{"a":"b"#] {
            string_values(broken.as_bytes());
        }
    }

    #[test]
    fn a_stub_is_one_line_that_ends_with_its_bracket() {
        assert_eq!(marked("read of a]\nb").to_string(), " read of a__b]");
        let marker = Marker { size: Some(lines(2)), after: "\n", ..marked("read") };
        assert_eq!(marker.to_string(), " read, 2 lines]\n");
    }
}
