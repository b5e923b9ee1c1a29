//! Recognition of logs, whose first and last line say when they began and how they ended.

use super::policy::policy;
use palimpsest_text::Text;
use palimpsest_text::lines::lf_lines;

/// Length of the beginning of a line that has the time or the level, in bytes.
const START: usize = 48;
const LEVELS: [&[u8]; 9] =
    [b"TRACE", b"DEBUG", b"INFO", b"NOTICE", b"WARN", b"WARNING", b"ERROR", b"FATAL", b"CRITICAL"];

/// Whether at least half of the lines begin with a time of day or name a level.
pub(super) fn is_log(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    // An upper bound: empty lines do not count.
    let lines = memchr::memchr_iter(b'\n', bytes).count() + 1;
    let least = policy().spans.log;
    let (mut entries, mut others) = (0, 0);
    for (start, end) in lf_lines(bytes).filter(|(start, end)| start < end) {
        let line = &bytes[start..end.min(start + START)];
        if has_time(line) || has_level(line) {
            entries += 1;
        } else {
            others += 1;
        }
        // The rest changes nothing.
        if lines < least || 2 * others > lines || (2 * entries >= lines && entries + others >= least) {
            break;
        }
    }
    entries + others >= least && entries >= others
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
    use palimpsest_text::TextBuf;
    use palimpsest_text::random::below;

    #[test]
    fn half_of_the_lines_decide_wherever_they_stand() {
        let mut below = below();
        for _ in 0..2_000 {
            let share = below(10);
            let lines: Vec<bool> = (0..below(20)).map(|_| below(10) < share).collect();
            let text: String = lines
                .iter()
                .map(|&is_entry| if is_entry { "12:30:05 a\n" } else { "b\n" })
                .flat_map(|line| [line, if below(4) == 0 { "\n" } else { "" }])
                .collect();
            let entries = lines.iter().filter(|&&is_entry| is_entry).count();
            let expected = lines.len() >= policy().spans.log && 2 * entries >= lines.len();
            for text in [&text[..], text.trim_end()] {
                assert_eq!(is_log(TextBuf::from(text).as_text()), expected, "{text}");
            }
        }
    }

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
