//! Lines that begin with the same folder, as searches and listings print them: it is said once, in front, with the number of lines.
//!
//! `app/src/agents/a.rs:3:fn a()` and the lines after it become `[… the next 9 lines begin with: app/src/agents/]`, `a.rs:3:fn a()`, ….

use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Minimum number of lines.
const MIN_LINES: usize = 3;
/// Minimum length of a folder in UTF-16 code units: a shorter one takes about as many tokens as nothing.
const MIN_FOLDER: usize = 12;
/// What stands before and after the number of lines.
const BEFORE: &str = "[… the next ";
const AFTER: &str = " lines begin with: ";

/// The text with the folder of each run of such lines said once.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    let bytes = text.bytes();
    let lines: Vec<(usize, usize)> = lf_lines(bytes).collect();
    let mut shorter: Option<TextBuf> = None;
    let mut from = 0;
    let mut line = 0;
    while let Some(first) = lines.get(line..line + MIN_LINES) {
        let folder = common_folder(bytes, first);
        let (start, name) = (first[0].0, &bytes[first[0].0..first[0].0 + folder]);
        let run = || lines[line..].iter().take_while(|&&(start, end)| bytes[start..end].starts_with(name));
        let count = if folder < MIN_FOLDER { 0 } else { run().count() };
        let length = BEFORE.chars().count() + count.to_string().len() + AFTER.len() + folder + 1;
        // The mark takes a line, too.
        if count * folder <= length + 1 {
            line += 1;
            continue;
        }
        let shorter = shorter.get_or_insert_with(TextBuf::new);
        shorter.push(text.slice(from..start));
        shorter.push_str(&format!("{BEFORE}{count}{AFTER}"));
        shorter.push(text.slice(start..start + folder));
        shorter.push_str("]\n");
        from = start;
        for &(start, _) in run() {
            shorter.push(text.slice(from..start));
            from = start + folder;
        }
        line += count;
    }
    let mut shorter = shorter?;
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

/// Length of the folder, with its last slash, with which all of some lines begin.
fn common_folder(bytes: &[u8], lines: &[(usize, usize)]) -> usize {
    let path_of = |&(start, end): &(usize, usize)| {
        let line = &bytes[start..end];
        &line[..line.iter().take_while(|&&byte| is_of_path(byte)).count()]
    };
    let first = path_of(&lines[0]);
    let same = |other: &[u8]| first.iter().zip(other).take_while(|(a, b)| a == b).count();
    let common = lines[1..].iter().map(|line| same(path_of(line))).min().unwrap_or_default();
    first[..common].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)
}

fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-' | b'@' | b'+')
}

/// The number of lines below a line that says what they begin with.
pub(crate) fn lines_begun(line: Text<'_>) -> Option<usize> {
    let bytes = line.bytes();
    if bytes.first() != Some(&b'[') {
        return None;
    }
    let before = TextBuf::from(BEFORE);
    if line.len() <= before.len() || line.prefix(before.len()) != before.as_text() {
        return None;
    }
    let rest = &bytes[before.len()..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_head = rest[digits..].starts_with(AFTER.as_bytes()) && rest.trim_ascii_end().ends_with(b"/]");
    if is_head { str::from_utf8(&rest[..digits]).ok()?.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn a_folder_is_said_once() {
        for (before, after) in [
            (
                "4 files\napp/src/agents/a.rs:3:fn → a()\napp/src/agents/b/c.rs-4-}\napp/src/agents/d.rs\napp/src/agents/e\nsrc/other.rs",
                "4 files\n[… the next 4 lines begin with: app/src/agents/]\na.rs:3:fn → a()\nb/c.rs-4-}\nd.rs\ne\nsrc/other.rs",
            ),
            (
                "/srv/app/lib/x\r\n/srv/app/lib/y\r\n/srv/app/lib/\r\n/srv/app/lib/z\n",
                "[… the next 4 lines begin with: /srv/app/lib/]\nx\r\ny\r\n\r\nz\n",
            ),
        ] {
            assert_eq!(shown(shorter, before), after);
        }
    }

    #[test]
    fn few_lines_and_short_folders_stay() {
        for text in
            ["", "app/src/agents/a\napp/src/agents/b", &"src/a/b.rs\n".repeat(9), "a long line\n\nhttps://x.y/z\n"]
        {
            assert_eq!(shown(shorter, text), text);
        }
    }

    #[test]
    fn the_head_says_how_many_lines_follow() {
        let lines = |text: &str| lines_begun(TextBuf::from(text).as_text());
        assert_eq!(lines("[… the next 12 lines begin with: app/src/agents/]"), Some(12));
        assert_eq!(lines("[… the next 12 lines begin with: app/src/agents/]\r\n"), Some(12));
        for other in [
            "",
            "[",
            "[… ",
            "[… 12 lines]",
            "[… the next lines begin with: a/]",
            "[… the next 99999999999999999999999 lines begin with: a/]",
        ] {
            assert_eq!(lines(other), None, "{other}");
        }
    }
}
