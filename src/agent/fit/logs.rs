//! Recognition of logs, whose first and last line say when they began and how they ended.

use crate::text::Text;
use crate::text::lines::lf_lines;

/// Minimum number of lines of a log.
const MIN_LINES: usize = 6;
/// Length of the beginning of a line that has the time or the level, in bytes.
const START: usize = 48;
const LEVELS: [&[u8]; 9] =
    [b"TRACE", b"DEBUG", b"INFO", b"NOTICE", b"WARN", b"WARNING", b"ERROR", b"FATAL", b"CRITICAL"];

/// Whether at least half of the lines begin with a time of day or name a level.
pub fn is_log(text: Text<'_>) -> bool {
    let (mut lines, mut entries) = (0, 0);
    for (start, end) in lf_lines(text.bytes()) {
        let line = &text.bytes()[start..end.min(start + START)];
        lines += usize::from(!line.is_empty());
        entries += usize::from(has_time(line) || has_level(line));
    }
    lines >= MIN_LINES && 2 * entries >= lines
}

/// `12:30:05`
fn has_time(line: &[u8]) -> bool {
    let is_time = |colon: usize| {
        let time = colon.checked_sub(2).and_then(|start| line.get(start..start + 8));
        let is_digit = |&at: &usize| time.is_some_and(|time| time[at].is_ascii_digit());
        time.is_some_and(|time| time[5] == b':') && [0, 1, 3, 4, 6, 7].iter().all(is_digit)
    };
    memchr::memchr_iter(b':', line).any(is_time)
}

fn has_level(line: &[u8]) -> bool {
    // Most lines have no two capitals side by side.
    let is_shouted =
        line.windows(2).fold(false, |is, pair| is | (pair[0].is_ascii_uppercase() & pair[1].is_ascii_uppercase()));
    is_shouted && line.split(|byte| !byte.is_ascii_alphanumeric()).any(|word| LEVELS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn logs_name_times_or_levels() {
        let is = |line: &str| is_log(TextBuf::from(&line.repeat(8)[..]).as_text());
        assert!(is("2024-05-01T12:30:05Z worker started\n"));
        assert!(is("[WARN] the queue is full\n"));
        assert!(is("Nov 21 11:13:00 host sshd[12]: session opened\n"));
        assert!(!is("src/a.ts:12:30: unused variable\n"));
        assert!(!is("The INFORMATION is of no use.\n"));
        assert!(!is_log(TextBuf::from("12:30:05 a\n12:30:06 b").as_text()));
    }
}
