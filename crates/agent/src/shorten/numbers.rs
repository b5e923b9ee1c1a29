//! Blanks before the numbers of lines, as `cat -n` writes them: `     12→let a;` says no more than `12→let a;`.

use palimpsest_text::lines::lf_lines;
use palimpsest_text::{MATH, Text, TextBuf};

/// A number with blanks in front of it.
#[derive(Clone, Copy)]
struct Numbered {
    /// Position of the line.
    start: usize,
    blanks: usize,
    /// Up to the end of the number, in UTF-16 code units of the line.
    width: usize,
    number: u64,
    /// Whether the arrow follows that agents write, and that no file has there.
    is_sure: bool,
}

/// The text without these blanks. A tab may stand behind numbers that belong to the text: those count where they go up line by line,
/// aligned at their ends.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    let bytes = text.bytes();
    // Most texts have no line of that form.
    memchr::memchr2(b'\t', MATH, bytes)?;
    let mut shorter: Option<TextBuf> = None;
    let mut from = 0;
    let mut before: Option<Numbered> = None;
    let mut follows = false;
    let mut cut = |line: Numbered| {
        let shorter = shorter.get_or_insert_with(TextBuf::new);
        shorter.push(text.slice(from..line.start));
        from = line.start + line.blanks;
    };
    for (start, end) in lf_lines(bytes) {
        let line =
            numbered(&bytes[start..end], start).filter(|line| !line.is_sure || text.unit(start + line.width) == 0x2192);
        let goes_on = before.zip(line).is_some_and(|(before, line)| {
            line.number == before.number + 1 && (line.width == before.width || line.blanks == 0)
        });
        if let Some(line) = before.filter(|line| line.blanks > 0 && (line.is_sure || follows || goes_on)) {
            cut(line);
        }
        (before, follows) = (line, goes_on);
    }
    if let Some(line) = before.filter(|line| line.blanks > 0 && (line.is_sure || follows)) {
        cut(line);
    }
    let mut shorter = shorter?;
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

/// The number that `line`, at `start` of its text, begins with.
fn numbered(line: &[u8], start: usize) -> Option<Numbered> {
    /// Digits of a number that is none of a line.
    const MOST: usize = 12;
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    let digits = line[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let width = blanks + digits;
    if digits == 0 || digits > MOST || !matches!(line.get(width), Some(&(b'\t' | MATH))) {
        return None;
    }
    let number = line[blanks..width].iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0'));
    Some(Numbered { start, blanks, width, number, is_sure: line[width] == MATH })
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn blanks_before_numbers_of_lines_go() {
        for (before, after) in [
            ("     9→a\n    10→\tb\n    11→", "9→a\n10→\tb\n11→"),
            ("     1\ta\n     2\t  b\n", "1\ta\n2\t  b\n"),
            (" 99999\ta\n100000\tb", "99999\ta\n100000\tb"),
            ("Here:\n     7→a\n\n<note>", "Here:\n7→a\n\n<note>"),
        ] {
            assert_eq!(shown(shorter, before), after);
        }
    }

    #[test]
    fn other_blanks_and_numbers_stay() {
        for text in [
            "",
            "1→a\n2→b",
            "  a\tb\n  c",
            // One number says nothing about lines, nor do numbers that don't follow each other or stand elsewhere.
            "     7\tapples",
            "     7\tapples\n     3\tpears\n",
            "  1\ta\n   2\tb",
            "     1: a\n     2: b",
            "     1 ± a\n",
            "     1±a\n",
        ] {
            assert_eq!(shown(shorter, text), text);
        }
    }
}
