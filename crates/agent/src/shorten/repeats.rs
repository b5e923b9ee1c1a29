//! Lines that equal the line above.

use std::ops::Range;

use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Minimum number of equal lines.
const MIN_RUN: usize = 3;

/// The text with each run of equal lines said once, and a mark that says how many more there are.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    let bytes = text.bytes();
    let mut shorter: Option<TextBuf> = None;
    let mut from = 0;
    // The line at which a run begins, and the number of lines so far.
    let mut first = 0..0;
    let mut count = 0;
    let mut last = 0;
    let mut close = |first: &Range<usize>, count: usize, last: usize| {
        if count < MIN_RUN {
            return;
        }
        let mark = format!("[… {} more times]", count - 1);
        // The mark takes a line, too.
        if last - first.end <= mark.chars().count() + 1 {
            return;
        }
        let shorter = shorter.get_or_insert_with(TextBuf::new);
        shorter.push(text.slice(from..first.end));
        shorter.push_str("\n");
        shorter.push_str(&mark);
        from = last;
    };
    for (start, end) in lf_lines(bytes) {
        if count > 0 && text.is_same(first.clone(), start..end) {
            count += 1;
        } else {
            close(&first, count, last);
            first = start..end;
            // Nobody counts blank lines, and marks say what they say.
            count = usize::from(!bytes[start..end].iter().all(u8::is_ascii_whitespace));
        }
        last = end;
    }
    close(&first, count, last);
    let mut shorter = shorter?;
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn equal_lines_are_said_once() {
        let line = "waiting → for the lock";
        for (before, after) in [
            (format!("a\n{line}\n{line}\n{line}\nb\n"), format!("a\n{line}\n[… 2 more times]\nb\n")),
            (format!("{line}\r\n").repeat(4), format!("{line}\r\n[… 3 more times]\n")),
            (format!("{line}\n").repeat(5) + line, format!("{line}\n[… 5 more times]")),
        ] {
            assert_eq!(shown(shorter, &before), after);
        }
    }

    #[test]
    fn few_short_and_blank_ones_stay() {
        for text in
            ["", "}\n}\n}\n}", &"a long line that comes twice\n".repeat(2), &"\n".repeat(90), &" \t\n".repeat(90)]
        {
            assert_eq!(shown(shorter, text), text);
        }
    }
}
