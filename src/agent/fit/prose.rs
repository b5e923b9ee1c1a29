//! Which lines are prose, that can be told in other words, and which are code, that can't.

use super::context::is_definition;
use crate::agent::lines::line_number;
use crate::text::Text;
use crate::text::lines::lf_lines;

/// Of the lines that say something, so many may look like code in a text that is prose: one in …
const SHARE: usize = 4;
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

/// Whether `text` is to be read as prose: no fence, and few lines that look like code, data or a listing of a file.
pub fn is_prose(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    if memchr::memmem::find(bytes, b"```").is_some() {
        return false;
    }
    let (mut lines, mut code) = (0, 0);
    for (start, end) in lf_lines(bytes) {
        let line = &bytes[start..end];
        if line.trim_ascii().is_empty() {
            continue;
        }
        lines += 1;
        code += usize::from(line_number(line).is_some() || is_code(line));
    }
    lines > 0 && code * SHARE <= lines
}

/// Whether a line looks like one of a program, of data or of markup.
fn is_code(line: &[u8]) -> bool {
    let indentation = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let line = line.trim_ascii();
    let ends_like_code = matches!(line.last(), Some(b'{' | b'}' | b';' | b'(' | b'[' | b'>' | b'\\'))
        || [&b"):"[..], b"else:", b"try:"].iter().any(|end| line.ends_with(end));
    let begins_like_code = matches!(line.first(), Some(b'{' | b'}' | b'[' | b'<' | b'@' | b'+' | b'$' | b'/'))
        || KEYWORDS.iter().any(|word| line.starts_with(word));
    // A name with a bracket behind it, or something that gets a value.
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    let is_call = name > 0 && line.get(name) == Some(&b'(');
    let is_operation = [&b" = "[..], b" == ", b" != ", b" += ", b" => ", b" && "]
        .iter()
        .any(|operator| memchr::memmem::find(line, operator).is_some());
    // Of prose, lists may stand further in.
    let is_indented = indentation >= 4 && !matches!(line.first(), Some(b'-' | b'*' | b'0'..=b'9'));
    ends_like_code || begins_like_code || is_call || is_operation || is_indented || is_definition(line)
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
        assert!(!is(""));
        assert!(!is(
            "def total(readings):\n    result = 0\n    for reading in readings:\n        result += reading.value"
        ));
        assert!(!is("print(total)\nresult.append(x)\nself.x = y"));
        assert!(!is("SELECT a, b\nFROM readings\nWHERE a = 1"));
        assert!(!is("class Reading\n  def value\n    @value\n  end\nend"));
        assert!(is("The total (see above) is 12.\nAll of it was read from the file:\n\n    - one\n    - two"));
    }
}
