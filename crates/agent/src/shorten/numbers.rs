//! Blanks before the numbers of lines that Claude Code writes, with an arrow behind them: `     12→let a;` says no more than `12→let a;`.

use palimpsest_text::lines::lf_lines;
use palimpsest_text::{MATH, Text, TextBuf};

/// Width of a number with the blanks in front of it, in UTF-16 code units. Longer numbers have no blanks.
const WIDTH: usize = 6;

/// The text without these blanks, from the first line with a number to the last one that counts on from it: what is numbered behind that, or
/// behind another line's number, stands in the file.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    let bytes = text.bytes();
    // Most texts have no arrow.
    memchr::memchr(MATH, bytes)?;
    let mut shorter: Option<TextBuf> = None;
    let mut from = 0;
    let mut next = None;
    for (start, end) in lf_lines(bytes) {
        match numbered(text, start, end) {
            Some((number, blanks)) if next.is_none_or(|next| next == number) => {
                if blanks > 0 {
                    let shorter = shorter.get_or_insert_with(TextBuf::new);
                    shorter.push(text.slice(from..start));
                    from = start + blanks;
                }
                next = Some(number + 1);
            }
            _ if next.is_some() => break,
            _ => {}
        }
    }
    let mut shorter = shorter?;
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

/// The number that a line begins with, and the blanks in front of it.
fn numbered(text: Text<'_>, start: usize, end: usize) -> Option<(u64, usize)> {
    /// Digits of a number that is none of a line.
    const MOST: usize = 12;
    const ARROW: u16 = 0x2192;
    let line = &text.bytes()[start..end];
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    let digits = line[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let width = blanks + digits;
    let is_aligned = digits > 0 && digits <= MOST && (width == WIDTH || width > WIDTH && blanks == 0);
    if !is_aligned || line.get(width) != Some(&MATH) || text.unit(start + width) != ARROW {
        return None;
    }
    let number = line[blanks..width].iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0'));
    Some((number, blanks))
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn blanks_before_numbers_of_lines_go() {
        for (before, after) in [
            ("     9→a\n    10→\tb\n    11→", "9→a\n10→\tb\n11→"),
            (" 99999→a\n100000→b", "99999→a\n100000→b"),
            ("Here:\n     7→a\n\n<note>", "Here:\n7→a\n\n<note>"),
            // A listing of a listing.
            ("     1→     1→a\n     2→     2→b", "1→     1→a\n2→     2→b"),
            ("     1→a\n     2→b\nend\n     3→c", "1→a\n2→b\nend\n     3→c"),
            ("     1→a\n     3→b", "1→a\n     3→b"),
        ] {
            assert_eq!(shown(shorter, before), after);
        }
    }

    #[test]
    fn other_blanks_and_numbers_stay() {
        for text in [
            "",
            "1→a\n2→b",
            "  1→a\n  2→b",
            "       1→a",
            "  a\tb\n  c",
            // A tab may stand behind numbers that belong to the text.
            "     1\ta\n     2\tb\n",
            "     1: a\n     2: b",
            "     1 ± a\n",
            "     1±a\n",
        ] {
            assert_eq!(shown(shorter, text), text);
        }
    }
}
