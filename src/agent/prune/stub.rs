//! What stands in place of what is gone.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use super::Piece;
use crate::agent::operation::markers;
use crate::agent::transcript::Transcript;
use crate::text::Text;
use crate::text::lines::lf_lines;

/// Whether so many units of stubs are worth it in place of so many units of text. A stub has about one token for 2.5
/// units, most texts have one for 3.5 to 4: at two thirds of the length it is also shorter in tokens.
pub fn is_worth(stubs: usize, gone: usize) -> bool {
    3 * stubs <= 2 * gone
}

/// The keys of stubs: eight hexadecimal digits of a hash, more where a key is taken.
pub struct Keys {
    taken: FxHashSet<String>,
}

impl Keys {
    /// No key that stands in the conversation is given again.
    pub fn new(transcript: &Transcript) -> Self {
        let texts = (0..transcript.parts().len()).flat_map(|index| markers(transcript.text(index)));
        Keys { taken: texts.map(|key| String::from_utf8_lossy(key).into_owned()).collect() }
    }

    /// A key for a text.
    pub fn next(&mut self, text: Text<'_>) -> String {
        for salt in 0u64.. {
            let mut hasher = FxHasher::default();
            text.hash(&mut hasher);
            hasher.write_usize(text.len());
            hasher.write_u64(salt);
            let digits = format!("{:016x}", hasher.finish());
            let key = &digits[..if salt < SHORT_KEYS { 8 } else { 16 }];
            if self.taken.insert(key.to_owned()) {
                return key.to_owned();
            }
        }
        String::new()
    }
}

/// So many short keys are tried for a text.
const SHORT_KEYS: u64 = 4;

/// A stub with the marker that names its original.
pub fn marked(key: &str, what: &str) -> String {
    // One line that ends with its bracket, whatever a path is made of.
    let what: String = what.chars().map(|unit| if unit.is_control() || unit == ']' { '_' } else { unit }).collect();
    format!("[palimpsest:{key} {what}]")
}

/// `count` lines, as a phrase.
pub fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

/// How many lines a text has.
pub fn count_lines(text: Text<'_>) -> usize {
    let ends = lf_lines(text.bytes()).count();
    ends - usize::from(ends > 1 && text.bytes().ends_with(b"\n"))
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
    use crate::text::TextBuf;

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
    fn no_key_is_given_twice() {
        let mut keys = Keys { taken: FxHashSet::default() };
        let text = TextBuf::from("the same text");
        let given: FxHashSet<String> = (0..100).map(|_| keys.next(text.as_text())).collect();
        assert_eq!(given.len(), 100);
        assert!(given.iter().all(|key| key.len() >= 8 && key.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }

    #[test]
    fn a_stub_is_one_line_that_ends_with_its_bracket() {
        assert_eq!(marked("01234567", "read of a]\nb"), "[palimpsest:01234567 read of a__b]");
    }
}
