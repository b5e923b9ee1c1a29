//! Lines of a file that a read shows.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

use super::extent::Extent;
use super::json::json;
use palimpsest_text::index::to_u32;
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{MATH, Text, TextBuf};

/// Returns the number that a tool wrote before a line, and the start of the line's text after it: `  12→x`, `12: x`, `12 | x`,
/// `00012| x`, or `12` and a tab.
pub fn line_number(line: &[u8]) -> Option<(u32, usize)> {
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    let digits = line[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let at = blanks + digits;
    if digits == 0 {
        return None;
    }
    let number = line[blanks..at]
        .iter()
        .try_fold(0u32, |number, digit| number.checked_mul(10)?.checked_add(u32::from(digit - b'0')))?;
    match line[at..] {
        [b' ', b'|', b' ', ..] => Some((number, at + 3)),
        [b' ', b'|', ..] | [b'|', b' ', ..] => Some((number, at + 2)),
        // The arrow of `cat -n` in Claude Code, U+2192, belongs to the class of mathematical signs.
        [MATH | b'\t' | b':' | b'|', ..] => Some((number, at + 1)),
        _ => None,
    }
}

/// Returns the lines of a text, without an empty one after the last line end.
fn lines(text: Text<'_>) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.bytes();
    lf_lines(bytes.strip_suffix(b"\n").unwrap_or(bytes))
}

/// Returns the number of lines of a text.
pub fn count_lines(text: Text<'_>) -> u32 {
    to_u32(lines(text).count())
}

/// Returns the consecutively numbered lines of `text`: numbers, and ranges including line ends. The result is empty unless most
/// lines have such a number: otherwise apparent numbers (`12:30 …`) are part of the file.
pub fn numbered(text: Text<'_>) -> Vec<(u32, Range<usize>)> {
    let mut next = None;
    let mut count = 0;
    let lines = lines(text).filter_map(|(start, end)| {
        count += 1;
        let (number, _) = line_number(&text.bytes()[start..end])?;
        if next.is_some_and(|next| next != Some(number)) {
            return None;
        }
        next = Some(number.checked_add(1));
        Some((number, start..(end + 1).min(text.len())))
    });
    let lines: Vec<_> = lines.collect();
    if 2 * lines.len() <= count { Vec::new() } else { lines }
}

/// Returns the first and the last number of the lines that are [`numbered`].
pub fn numbers(text: Text<'_>) -> Option<(u32, u32)> {
    let has_end = text.bytes().ends_with(b"\n");
    let count = memchr::memchr_iter(b'\n', text.bytes()).count() + usize::from(!has_end);
    let mut others = 0;
    let mut found: Option<(u32, u32)> = None;
    for (start, end) in lines(text) {
        let number = line_number(&text.bytes()[start..end]).map(|(number, _)| number);
        match (number, found) {
            (Some(number), None) => found = Some((number, number)),
            (Some(number), Some((first, last))) if last.checked_add(1) == Some(number) => found = Some((first, number)),
            _ => others += 1,
        }
        // Most lines have no number, whatever comes.
        if 2 * others >= count {
            return None;
        }
    }
    found
}

/// Returns whether an output says anywhere how much was left out there, as agents' shells write it:
/// `…1234 tokens truncated…`, `... [56 lines truncated] ...`, `[... omitted 7 of 200 lines ...]`.
fn is_cut_in_between(text: &[u8]) -> bool {
    static CUT: LazyLock<[Finder<'_>; 2]> = LazyLock::new(|| ["truncated", "omitted"].map(Finder::new));
    const UNITS: [&[u8]; 5] = [b" lines", b" characters", b" chars", b" tokens", b" bytes"];
    CUT.iter().any(|word| {
        word.find_iter(text).any(|at| {
            let before = text[..at].strip_suffix(b" ").unwrap_or_default();
            let counted = UNITS.iter().find_map(|unit| before.strip_suffix(*unit)).unwrap_or_default();
            let after = &text[at + word.needle().len()..];
            counted.last().is_some_and(u8::is_ascii_digit)
                || matches!(after, [b' ', digit, ..] if digit.is_ascii_digit())
        })
    })
}

/// Returns whether a read's result reports that it omits lines.
fn reports_truncation(text: Text<'_>) -> bool {
    const WINDOW: usize = 400;
    static TRUNCATED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("truncated"));
    static LINES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("lines"));
    static SIGNS: LazyLock<[Finder<'_>; 5]> = LazyLock::new(|| {
        ["more lines", "lines omitted", "showing lines", "lines not shown", "total output lines:"].map(Finder::new)
    });
    [text.prefix(WINDOW), text.suffix(WINDOW)].iter().any(|window| {
        let lower = window.bytes().to_ascii_lowercase();
        let says = |sign: &Finder<'_>| sign.find(&lower).is_some();
        says(&TRUNCATED) || says(&LINES) && SIGNS.iter().any(says)
    }) || is_cut_in_between(text.bytes())
}

/// Parses a result that is a JSON object or array.
fn structure(text: Text<'_>) -> Option<Value> {
    let may_be = matches!(text.trim().bytes(), [b'{', .., b'}'] | [b'[', .., b']']);
    if may_be { json(text) } else { None }
}

fn push_strings(value: &Value, lines: &mut TextBuf) {
    match value {
        Value::String(text) => {
            lines.push_str(text);
            lines.push_str("\n");
        }
        Value::Array(values) => values.iter().for_each(|value| push_strings(value, lines)),
        Value::Object(members) => members.values().for_each(|value| push_strings(value, lines)),
        _ => {}
    }
}

/// Returns whether the lines of a result are those of the text itself. In JSON (`{"output": "…"}`) they are in its strings.
pub fn are_plain(text: Text<'_>) -> bool {
    structure(text).is_none()
}

/// Returns the extent that a read shows in the texts of its result, given the extent that it `requested`.
pub fn extent(requested: Extent, texts: &[Text<'_>]) -> Extent {
    let is_truncated = texts.iter().any(|&text| reports_truncation(text));
    match (requested, texts) {
        (Extent::Whole, _) if !is_truncated => Extent::Whole,
        (Extent::Part, _) => Extent::Part,
        (_, &[text]) if are_plain(text) => extent_of_lines(requested, is_truncated, text),
        _ => {
            let mut lines = TextBuf::new();
            for &text in texts {
                match structure(text) {
                    Some(value) => push_strings(&value, &mut lines),
                    None => {
                        lines.push(text);
                        lines.push_str("\n");
                    }
                }
            }
            extent_of_lines(requested, is_truncated, lines.as_text())
        }
    }
}

fn extent_of_lines(requested: Extent, is_truncated: bool, lines: Text<'_>) -> Extent {
    /// Maximum number of blank lines that a tool may have trimmed from the end of a read.
    const MAX_TRIMMED: u32 = 3;
    // A read begins with the line that it requested, which is the number before, if a tool counts from 0. Other numbers are part of the file.
    let begins = if let Extent::Lines(asked) = requested { asked.first() } else { 1 };
    let numbered = numbers(lines).and_then(|(first, last)| {
        let shift = begins.checked_sub(first).filter(|&shift| shift < 2)?;
        Some(last.saturating_add(shift))
    });
    let Extent::Lines(asked) = requested else {
        return numbered.map_or(Extent::Part, |last| Extent::lines(begins, last));
    };
    if is_truncated || lines.is_empty() {
        return numbered.map_or(Extent::Part, |last| Extent::lines(begins, last));
    }
    // A line without a number may be one of the file, even if others have one: it may be the file that has the numbers, as a table does. If it
    // is a line of the tool's, fewer lines than requested were there, and what is counted too much is after the end of the file.
    let counted = begins.saturating_add(count_lines(lines)).saturating_sub(1);
    let last = asked.last().min(counted).max(numbered.unwrap_or_default());
    let has_ended = begins == 1 && counted.max(last).saturating_add(MAX_TRIMMED) < asked.last();
    if has_ended { Extent::Whole } else { Extent::lines(begins, last) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::random::below;

    fn shown(asked: Extent, text: &str) -> Extent {
        extent(asked, &[TextBuf::from(text).as_text()])
    }

    #[test]
    fn the_numbers_in_a_result_say_what_it_shows() {
        assert_eq!(shown(Extent::lines(590, 639), "   590→a\n   591→b\n"), Extent::lines(590, 591));
        assert_eq!(shown(Extent::lines(1, 2000), "1\ta\n2\tb"), Extent::Whole, "the file ended");
        assert_eq!(shown(Extent::lines(1, 2), "1: a\n2: b"), Extent::lines(1, 2));
        assert_eq!(shown(Extent::lines(5, 9), "a\nb\n"), Extent::lines(5, 6));
        assert_eq!(shown(Extent::lines(4, 4), "5:30 the shift begins"), Extent::lines(4, 4), "a time in the file");
        assert_eq!(shown(Extent::lines(4, 4), "3:30 the shift begins"), Extent::lines(4, 4));
        assert_eq!(shown(Extent::lines(4, 9), "3: a\n4: b\n"), Extent::lines(4, 5), "lines that are counted from 0");
        assert_eq!(shown(Extent::Whole, "a\nb\n"), Extent::Whole);
        assert_eq!(shown(Extent::Whole, "1→a\n2→b\n[truncated]"), Extent::lines(1, 2));
        assert_eq!(shown(Extent::Whole, "a\n(Output truncated)"), Extent::Part);
        let head = "Total output lines: 900\n\n";
        assert_eq!(shown(Extent::Whole, &format!("{head}{}", "a\n".repeat(900))), Extent::Part, "cut in the middle");
        for mark in ["…1234 tokens truncated…", "... [56 lines truncated] ...", "[... omitted 7 of 200 lines ...]"]
        {
            let cut = format!("{}{mark}{}", "a\n".repeat(300), "b\n".repeat(300));
            assert_eq!(shown(Extent::Whole, &cut), Extent::Part, "{mark}");
        }
        let words = format!("{}// truncated to 5 lines, omitted otherwise\n{}", "a\n".repeat(300), "b\n".repeat(300));
        assert_eq!(shown(Extent::Whole, &words), Extent::Whole, "words of the file");
    }

    #[test]
    fn numbers_that_are_the_files_own_are_none() {
        let log = "12:30 start\nready\nwaiting\n13:00 end\nbye\n";
        assert_eq!(shown(Extent::lines(40, 44), log), Extent::lines(40, 44));
        assert_eq!(numbers(TextBuf::from(log).as_text()), None);
        // Most lines of a table have numbers that follow each other, but some have none.
        for table in ["1\ta\nnote\n2\tb", "1\ta\n2\tb\nnote", "id\tname\n1\ta\n2\tb"] {
            assert_eq!(shown(Extent::lines(1, 3), table), Extent::lines(1, 3), "{table}");
            assert_eq!(shown(Extent::lines(1, 4), table), Extent::lines(1, 3), "{table}");
        }
        assert_eq!(shown(Extent::Whole, "70\ta\n71\tb\n[truncated]"), Extent::Part);
    }

    #[test]
    fn a_range_is_never_smaller_and_never_larger_than_what_a_plain_read_shows() {
        let mut below = below();
        for _ in 0..50_000 {
            let mut next = 0;
            let file: Vec<String> = (0..1 + below(9))
                .map(|_| match below(6) {
                    0 => String::new(),
                    1 => "x".to_owned(),
                    2 => format!("{}\tx", below(9)),
                    _ => {
                        next += 1;
                        format!("{next}\tx")
                    }
                })
                .collect();
            let first = 1 + below(file.len()) as u32;
            let last = first + below(12) as u32;
            let end = file.len().min(last as usize);
            // Without a line end, a blank line at the end is none.
            let has_end = file[end - 1].is_empty() || below(2) == 0;
            let text = file[first as usize - 1..end].join("\n") + if has_end { "\n" } else { "" };
            match shown(Extent::lines(first, last), &text) {
                Extent::Whole => assert!(first == 1 && end == file.len(), "{first} to {last} of {file:?}"),
                Extent::Lines(lines) => {
                    assert_eq!((lines.first(), lines.last()), (first, end as u32), "{first} to {last} of {file:?}")
                }
                Extent::Part => panic!("{first} to {last} of {file:?}"),
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_numbered_lines() {
        let mut below = below();
        let most = u32::MAX.to_string();
        for _ in 0..20_000 {
            let mut text = String::new();
            for number in 1..1 + below(9) {
                let line = match below(8) {
                    0 => "12:30 x".to_owned(),
                    1 => "none".to_owned(),
                    2 => format!("{most}→x"),
                    _ => format!("{number}→x"),
                };
                text += &line;
                text += ["\n", "\n", "\n", ""][below(4)];
            }
            let text = TextBuf::from(&text[..]);
            let lines = numbered(text.as_text());
            let expected = lines.first().zip(lines.last()).map(|(first, last)| (first.0, last.0));
            assert_eq!(numbers(text.as_text()), expected, "{:?}", text.as_text().bytes());
        }
    }

    #[test]
    fn a_file_has_ended_where_clearly_fewer_lines_are_shown() {
        assert_eq!(shown(Extent::lines(1, 9), "a\nb\n"), Extent::Whole);
        assert_eq!(shown(Extent::lines(1, 3), "a\nb\n"), Extent::lines(1, 2), "the third line may be blank");
        assert_eq!(shown(Extent::lines(1, 3), "1\ta\n2\tb\n"), Extent::lines(1, 2), "the numbers may be the file's");
        assert_eq!(shown(Extent::lines(1, 9), "1\ta\n2\tb\n"), Extent::Whole);
    }

    #[test]
    fn lines_stand_in_the_strings_of_json_and_in_all_texts_of_a_result() {
        let json = r#"{"output":"a\nb\nc","metadata":{"exit_code":0}}"#;
        assert_eq!(shown(Extent::lines(1, 3), json), Extent::lines(1, 3));
        assert_eq!(shown(Extent::lines(5, 90), json), Extent::lines(5, 7));
        assert_eq!(shown(Extent::lines(1, 90), json), Extent::Whole);
        assert_eq!(shown(Extent::lines(4, 5), r#"{"output":"     4\ta\n     5\tb"}"#), Extent::lines(4, 5));
        let texts = ["File a.ts", "a\nb\nc"].map(TextBuf::from);
        let texts = texts.each_ref().map(TextBuf::as_text);
        assert_eq!(extent(Extent::lines(1, 3), &texts), Extent::lines(1, 3));
    }
}
