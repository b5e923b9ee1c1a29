//! A stretch of a text that is left out.

use std::ops::Range;

use super::span::Form;
use super::spans::count_line_ends;
use palimpsest_text::Text;

/// Adjacent spans that are left out.
pub(super) struct Gap {
    /// Their position in the text, in UTF-16 code units.
    pub range: Range<usize>,
    /// Content of their run.
    pub form: Form,
    /// Number of spans.
    pub count: usize,
}

/// `1 line`, `2 lines`.
pub(super) fn counted(count: usize, what: &str) -> String {
    // Several times as fast as formatting, and each rendering writes its marks.
    [&count.to_string()[..], " ", what, if count == 1 { "" } else { "s" }].concat()
}

/// The lines of the result that a range stands for, which ends where a line does or the text. Where the result was written shorter, a mark in
/// it stands for the lines that it counts, or for none.
pub(super) fn lines_in(text: Text<'_>, range: &Range<usize>, is_escaped: bool) -> usize {
    let bytes = &text.bytes()[range.clone()];
    let ends_line = if is_escaped { ends_with_escape(bytes, b'n') } else { bytes.ends_with(b"\n") };
    let lines = count_line_ends(bytes, is_escaped) + usize::from(!ends_line);
    let opens = |&at: &usize| is_line_start(bytes, at, is_escaped);
    let marks = memchr::memchr_iter(b'[', bytes).filter(opens);
    let counts = marks.filter_map(|at| counted_by_mark(text.slice(range.start + at..range.end)));
    let (marks, more) =
        counts.fold((0, 0), |(marks, more): (usize, usize), count| (marks + 1, more.saturating_add(count)));
    (lines - marks.min(lines)).saturating_add(more)
}

fn is_line_start(bytes: &[u8], at: usize, is_escaped: bool) -> bool {
    at == 0 || if is_escaped { ends_with_escape(&bytes[..at], b'n') } else { bytes[at - 1] == b'\n' }
}

/// The lines for which the mark stands that a text begins with and that is a line of its own: those that [`shorten`](crate::shorten) left out for
/// `[… 41 more times]`, none for `[… 41 earlier states]`.
pub(super) fn counted_by_mark(text: Text<'_>) -> Option<usize> {
    const ELLIPSIS: u16 = 0x2026;
    let bytes = text.bytes();
    if bytes.len() < 4 || bytes[0] != b'[' || bytes[2] != b' ' || text.unit(1) != ELLIPSIS {
        return None;
    }
    let digits = bytes[3..].iter().take_while(|byte| byte.is_ascii_digit()).take(10).count();
    let count = str::from_utf8(&bytes[3..3 + digits]).ok()?.parse().ok()?;
    let rest = &bytes[3 + digits..];
    let (count, end) = match rest.strip_prefix(b" more times]") {
        Some(end) => (count, end),
        None => (0, rest.strip_prefix(b" earlier states]")?),
    };
    let is_line =
        end.is_empty() || [&b"\n"[..], b"\r", b"\\n", b"\\r", b"\""].iter().any(|after| end.starts_with(after));
    is_line.then_some(count)
}

/// Whether the content of a JSON string ends with the escape of `letter`.
pub(super) fn ends_with_escape(content: &[u8], letter: u8) -> bool {
    content.last() == Some(&letter) && is_after_backslash(content, content.len() - 1)
}

/// Whether an odd number of backslashes stands before `at`, so that the unit there is escaped.
pub(super) fn is_after_backslash(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    #[test]
    fn marks_of_shorter_results_stand_for_what_they_count() {
        for (text, is_escaped, lines) in [
            ("a\nb\n", false, 2),
            ("a\nb", false, 2),
            ("a\n[… 30 more times]\nb\n", false, 32),
            ("[… 30 more times]\nb", false, 31),
            ("a\r\n[… 30 more times]\r\n", false, 31),
            ("a\n[… 9 earlier states]\nb", false, 2),
            ("a\n[… 9 earlier states]", false, 1),
            ("a [… 30 more times]\nb [… 9 earlier states]", false, 2),
            ("a\n[… 30 more times] b\n[… x more times]\n[…]\n", false, 4),
            (r"a\n[… 30 more times]\nb\n", true, 32),
            (r"a\n[… 9 earlier states]\nb", true, 2),
            (r"a\\n[… 9 earlier states]\nb", true, 2),
        ] {
            let text = TextBuf::from(text);
            let text = text.as_text();
            assert_eq!(
                lines_in(text, &(0..text.len()), is_escaped),
                lines,
                "{:?}",
                text.bytes().escape_ascii().to_string()
            );
        }
    }
}
