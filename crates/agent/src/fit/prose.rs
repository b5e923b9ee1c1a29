//! Telling prose, which can be summarised, from code and data, which can't.

use std::ops::Range;

use super::context::is_definition;
use super::policy::policy;
use palimpsest_text::Text;
use palimpsest_text::lines::lf_lines;
use palimpsest_world::lines::line_number;

/// Inverse of the share of lines that may look like code in a text that is prose.
const SHARE: usize = 4;
const OPERATORS: [&[u8]; 6] = [b" = ", b" == ", b" != ", b" += ", b" => ", b" && "];
/// Beginnings of lines of programs, besides definitions.
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

/// Distinguishes a person's own words in a text from what was pasted into it: code in fences, listings, logs, long data.
pub(super) struct Speech<'a> {
    text: Text<'a>,
    is_short: bool,
    /// Start of each line that opens or closes a fence.
    fences: Vec<usize>,
}

impl<'a> Speech<'a> {
    /// Reads a text of which a person wrote these ranges.
    pub(super) fn new(text: Text<'a>, written: &[Range<usize>]) -> Self {
        let bytes = text.bytes();
        let is_fence = |&(start, end): &(usize, usize)| bytes[start..end].trim_ascii_start().starts_with(b"```");
        let fences = lf_lines(bytes).filter(is_fence).map(|(start, _)| start).collect();
        let length: usize = written.iter().map(|range| text.slice(range.clone()).trim().len()).sum();
        Speech { text, is_short: length <= policy().speech.short, fences }
    }

    /// Reads a text that a person wrote all of.
    pub(super) fn whole(text: Text<'a>) -> Self {
        Speech::new(text, std::slice::from_ref(&(0..text.len())))
    }

    /// Whether a line or sentence at `range` of the text is the person's own.
    pub(super) fn says(&self, range: Range<usize>) -> bool {
        if self.is_short {
            return true;
        }
        let is_fenced = self.fences.partition_point(|&fence| fence <= range.start) % 2 == 1;
        let bytes = &self.text.bytes()[range];
        let mut lines = lf_lines(bytes).map(|(start, end)| &bytes[start..end]);
        !is_fenced && lines.any(is_said)
    }
}

/// Whether a line is prose, apart from the addresses in it.
fn is_said(line: &[u8]) -> bool {
    let mut said = Vec::with_capacity(line.len());
    let (mut words, mut others) = (0, 0);
    for token in line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
        let is_list_number =
            said.is_empty() && matches!(token, [digits @ .., b'.' | b')'] if digits.iter().all(u8::is_ascii_digit));
        if is_list_number || is_address(token) {
            continue;
        }
        match words_in(token) {
            Some(0) => others += 1,
            Some(count) => words += count,
            None => {}
        }
        said.push(b' ');
        said.extend_from_slice(token);
    }
    let is_numbered = line_number(line).is_some();
    // Logs and tables begin with a number or a time.
    let is_sentence =
        words >= policy().speech.sentence && words >= 2 * others && !said.get(1).is_some_and(u8::is_ascii_digit);
    words > 0 && !is_numbered && !is_bracketed(&said) && (is_sentence || !is_data(&said))
}

/// Whether a token is the address of something: of a page, a file, a person.
fn is_address(token: &[u8]) -> bool {
    let has = |sign: u8| memchr::memchr(sign, token).is_some();
    (has(b'/') || has(b'\\') || has(b'@'))
        && token.iter().any(u8::is_ascii_alphabetic)
        && !has(b'=')
        && token.first() != Some(&b'<')
}

/// Number of words of a natural language in a token: 0 for a number or a name in code; `None` for punctuation.
fn words_in(token: &[u8]) -> Option<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
    let start = token.iter().position(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)?;
    let end = token.iter().rposition(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)? + 1;
    let inner = &token[start..end];
    // Scripts without blanks write a sentence with its numbers as one token; their words have about two characters.
    let foreign = inner.iter().filter(|&&byte| byte >= 0x80).count();
    if 2 * foreign > inner.len() {
        return Some(foreign.div_ceil(2));
    }
    Some(usize::from(inner.iter().all(|byte| is_letter(byte) || matches!(byte, b'\'' | b'-'))))
}

/// Whether `text` is prose without code, as far as that shows in any language.
pub(super) fn is_plain_prose(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    if memchr::memmem::find(bytes, b"```").is_some() {
        return false;
    }
    let (mut lines, mut others) = (0, 0);
    for (start, end) in lf_lines(bytes) {
        let line = &bytes[start..end];
        if !line.trim_ascii().is_empty() {
            lines += 1;
            others += usize::from(is_marked_up(line) || is_code(line));
        }
    }
    lines > 0 && others * SHARE <= lines
}

/// Whether a line looks like one of a program with brackets, of a listing, of data or of markup.
fn is_marked_up(line: &[u8]) -> bool {
    is_bracketed(line) || line_number(line).is_some() || is_data(line.trim_ascii())
}

/// Whether a line begins or ends like one of a program with brackets or of markup.
fn is_bracketed(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let ends_like_code = matches!(line.last(), Some(b'{' | b'}' | b';' | b'(' | b'[' | b'>' | b'\\'));
    let begins_like_code = matches!(line.first(), Some(b'{' | b'}' | b'[' | b'<' | b'@' | b'+' | b'$' | b'/'));
    ends_like_code || begins_like_code
}

/// Whether a line looks like one of a log or a table.
fn is_data(line: &[u8]) -> bool {
    policy().speech.digits * line.iter().filter(|byte| byte.is_ascii_digit()).count() > line.len()
}

/// Whether a line looks like one of a program without brackets.
fn is_code(line: &[u8]) -> bool {
    let indentation = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let line = line.trim_ascii();
    // Lists in prose may be indented.
    let is_indented = indentation >= 4 && !matches!(line.first(), Some(b'-' | b'*' | b'0'..=b'9'));
    let ends_like_code = [&b"):"[..], b"else:", b"try:"].iter().any(|end| line.ends_with(end));
    let begins_like_code = is_definition(line) || KEYWORDS.iter().any(|word| line.starts_with(word));
    // A call or an assignment.
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    let is_call = name > 0 && line.get(name) == Some(&b'(');
    let is_operation = OPERATORS.iter().any(|operator| memchr::memmem::find(line, operator).is_some());
    is_indented || ends_like_code || begins_like_code || is_call || is_operation
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    /// Whether `line` is said, in a long text.
    fn says(line: &str) -> bool {
        let text = TextBuf::from(&format!("{line}\n{}", "and this goes on ".repeat(20))[..]);
        Speech::whole(text.as_text()).says(0..line.encode_utf16().count())
    }

    #[test]
    fn what_a_person_says_is_told_from_a_paste() {
        for said in [
            "why? https://github.com/acme/cli/actions/runs/21662191208/job/62449194626",
            "@src/agent/fit/prose.rs needs another look",
            "/var/log/app-2024-01-01.log is where it stands, isn't it?",
            "Order 4823-1922-2281 didn't arrive, please check #A99281.",
            "- The index was missing.",
            "2. Order 4823-1922-2281 is not there yet",
            "- [x] The index was missing.",
            "Ask ana.lopez42@example.org about it",
            "请查看订单4823-1922为什么没有到",
            "Warum?",
        ] {
            assert!(says(said), "{said}");
        }
        for pasted in [
            "   12→const a = 1;",
            "fn a() {",
            "    b();",
            "02:52:59.814 ferry-api-3 gc[1] Mark-sweep 1411.8 (1521.4) MB",
            "2024-05-01 12:00:01,123 INFO com.foo.Bar - Started the application in five seconds with the profile",
            "12:30:10 INFO worker 3 did it",
            "4823,Smith,12.50,2024-01-01",
            "https://example.org/a/b/c",
            "+    added line",
            "----------",
            "",
        ] {
            assert!(!says(pasted), "{pasted}");
        }
    }

    #[test]
    fn a_short_text_is_no_paste_and_a_fence_of_a_long_one_is() {
        let short = TextBuf::from("12:30:10 17 21\n```\nfoo\n```");
        assert!(Speech::whole(short.as_text()).says(0..14));
        let talk = "So it goes on and on, as it was. ".repeat(10);
        let long = TextBuf::from(&format!("{talk}\n```\nall of these are words\n```\n{talk}")[..]);
        let speech = Speech::whole(long.as_text());
        let fence = talk.len() + 1;
        assert!(speech.says(0..talk.len()) && speech.says(fence + 31..long.len()));
        assert!(!speech.says(fence..fence + 27) && !speech.says(fence + 4..fence + 27));
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
