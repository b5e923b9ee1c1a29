//! What stands in place of what is gone.

use super::Piece;
use crate::restore::marker::{KEY_LENGTH, MARKER_START};
use crate::text::Text;

/// Whether so many units of stubs are worth it in place of so many units of text. A stub, whose key is no word, has about one
/// token for 2.2 units; texts have one for up to 5. At two fifths of the length it is also shorter in tokens.
pub fn is_worth(stubs: usize, gone: usize) -> bool {
    5 * stubs <= 2 * gone
}

/// Stands for what is gone from a text besides what its marker stands for.
pub const FURTHER: &str = "[…]";

/// A marker that says `what`.
pub fn marked(what: &str) -> String {
    // One line that ends with its bracket, whatever a path is made of.
    let what: String = what.chars().map(|unit| if unit.is_control() || unit == ']' { '_' } else { unit }).collect();
    format!(" {what}]")
}

/// `count` lines, as a phrase.
pub fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

/// How many lines a text has.
pub fn count_lines(text: Text<'_>) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.bytes()).count();
    ends + usize::from(ends == 0 || !text.bytes().ends_with(b"\n"))
}

/// How long a stub is, in UTF-16 code units.
pub fn length(stub: &str) -> usize {
    stub.chars().map(char::len_utf16).sum()
}

/// How long the pieces are together, in UTF-16 code units.
pub fn total(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Keep(range) => range.len(),
            Piece::Stub(stub) => length(stub),
            Piece::Marker(stub) => MARKER_START.len() + KEY_LENGTH + length(stub),
        })
        .sum()
}

/// The string values in a JSON text, without their quotes: the ranges between them, keys left out.
pub fn string_values(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut strings = Vec::new();
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &text[at..]) {
        let start = at + quote + 1;
        let mut end = start;
        while let Some(found) = memchr::memchr2(b'"', b'\\', &text[end..]) {
            end += found;
            if text[end] == b'"' {
                break;
            }
            end = (end + 2).min(text.len());
        }
        at = (end + 1).min(text.len());
        let is_key = text[at..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        if !is_key {
            strings.push(start..end.min(text.len()));
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
        assert_eq!(marked("read of a]\nb"), " read of a__b]");
    }
}
