//! Which lines are prose, that can be told in other words, and which are code, that can't.

use super::context::is_definition;
use crate::agent::lines::line_number;
use crate::text::Text;
use crate::text::lines::lf_lines;

/// Of the lines that say something, so many may look like code in a text that is prose: one in …
const SHARE: usize = 4;
const OPERATORS: [&[u8]; 6] = [b" = ", b" == ", b" != ", b" += ", b" => ", b" && "];
/// How lines of programs begin, beside definitions.
const KEYWORDS: [&[u8]; 12] = [
    b"import ",
    b"from ",
    b"return ",
    b"let ",
    b"var ",
    b"elif ",
    b"#include",
    b"use ",
    b"using ",
    b"SELECT ",
    b"INSERT ",
    b"CREATE ",
];

/// A line in which one unit in so many is a digit is data.
const DIGITS: usize = 6;

/// Whether `text` is to be read as prose: no fence, and few lines that look like code, data or a listing of a file.
pub fn is_prose(text: Text<'_>) -> bool {
    is_mostly(text, |line| !is_marked_up(line))
}

/// Whether `text` is prose with no code in it, as far as that can be told without knowing the language.
pub fn is_plain_prose(text: Text<'_>) -> bool {
    is_mostly(text, |line| !is_marked_up(line) && !is_code(line))
}

fn is_mostly(text: Text<'_>, is_prose: impl Fn(&[u8]) -> bool) -> bool {
    let bytes = text.bytes();
    if memchr::memmem::find(bytes, b"```").is_some() {
        return false;
    }
    let (mut lines, mut others) = (0, 0);
    for (start, end) in lf_lines(bytes) {
        let line = &bytes[start..end];
        if !line.trim_ascii().is_empty() {
            lines += 1;
            others += usize::from(!is_prose(line));
        }
    }
    lines > 0 && others * SHARE <= lines
}

/// Whether a line looks like one of a program with brackets, of a listing, of data or of markup.
fn is_marked_up(line: &[u8]) -> bool {
    let is_listed = line_number(line).is_some();
    let line = line.trim_ascii();
    let ends_like_code = matches!(line.last(), Some(b'{' | b'}' | b';' | b'(' | b'[' | b'>' | b'\\'));
    let begins_like_code = matches!(line.first(), Some(b'{' | b'}' | b'[' | b'<' | b'@' | b'+' | b'$' | b'/'));
    // A line of a log or a table.
    let is_data = DIGITS * line.iter().filter(|byte| byte.is_ascii_digit()).count() > line.len();
    ends_like_code || begins_like_code || is_listed || is_data
}

/// Whether a line looks like one of a program without brackets.
fn is_code(line: &[u8]) -> bool {
    let indentation = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let line = line.trim_ascii();
    // Of prose, lists may stand further in.
    let is_indented = indentation >= 4 && !matches!(line.first(), Some(b'-' | b'*' | b'0'..=b'9'));
    let ends_like_code = [&b"):"[..], b"else:", b"try:"].iter().any(|end| line.ends_with(end));
    let begins_like_code = is_definition(line) || KEYWORDS.iter().any(|word| line.starts_with(word));
    // A name with a bracket behind it, or something that gets a value.
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    let is_call = name > 0 && line.get(name) == Some(&b'(');
    let is_operation = OPERATORS.iter().any(|operator| memchr::memmem::find(line, operator).is_some());
    is_indented || ends_like_code || begins_like_code || is_call || is_operation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn code_is_no_prose() {
        let is = |text: &str| is_prose(TextBuf::from(text).as_text());
        assert!(is("We looked at the logs.\n\n- The index was missing.\n- Nobody complained."));
        assert!(!is("   12→const a = 1;\n   13→const b = 2;"));
        assert!(!is("Here it is:\n```js\nlet a;\n```"));
        assert!(!is("fn a() {\n    b();\n}"));
        assert!(!is("02:52:59.814 ferry-api-3 gc[1] Mark-sweep 1411.8 (1521.4) MB"));
        assert!(!is(""));
    }

    #[test]
    fn code_without_brackets_is_told_from_prose() {
        let is = |text: &str| is_plain_prose(TextBuf::from(text).as_text());
        assert!(!is(
            "def total(readings):\n    result = 0\n    for reading in readings:\n        result += reading.value"
        ));
        assert!(!is("print(total)\nresult.append(x)\nself.x = y"));
        assert!(!is("SELECT a, b\nFROM readings\nWHERE a = 1"));
        assert!(!is("class Reading\n  def value\n    @value\n  end\nend"));
        assert!(is("The total (see above) is 12.\nAll of it was read from the file:\n\n    - one\n    - two"));
    }
}
