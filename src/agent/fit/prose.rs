//! Which lines are prose, that can be told in other words, and which are code, that can't.

use crate::agent::lines::line_number;
use crate::text::Text;
use crate::text::lines::lf_lines;

/// Of the lines that say something, so many may look like code in a text that is prose: one in …
const SHARE: usize = 4;

/// A line in which one unit in so many is a digit is data.
const DIGITS: usize = 6;

/// Whether `text` is to be read as prose: no fence, and few lines that look like code, data or a listing of a file.
pub fn is_prose(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    if memchr::memmem::find(bytes, b"```").is_some() {
        return false;
    }
    let (mut lines, mut code) = (0, 0);
    for (start, end) in lf_lines(bytes) {
        let line = bytes[start..end].trim_ascii();
        if line.is_empty() {
            continue;
        }
        lines += 1;
        let ends_like_code = matches!(line.last(), Some(b'{' | b'}' | b';' | b'(' | b'[' | b'>' | b'\\'));
        let begins_like_code = matches!(line.first(), Some(b'{' | b'}' | b'[' | b'<' | b'@' | b'+' | b'$' | b'/'));
        let is_listed = line_number(&bytes[start..end]).is_some();
        // A line of a log or a table.
        let is_data = DIGITS * line.iter().filter(|byte| byte.is_ascii_digit()).count() > line.len();
        code += usize::from(ends_like_code || begins_like_code || is_listed || is_data);
    }
    lines > 0 && code * SHARE <= lines
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
}
