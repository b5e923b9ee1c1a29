//! Progress output of programs: listings of installed packages, build steps, notices, and passing tests.

use std::sync::LazyLock;

use regex::bytes::Regex;

use palimpsest_text::class::{DIGIT, LINE_END, SPACE, is, is_at, run_end};
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Entries of such directories, or steps of a build, that follow each other.
const MIN_RUN: usize = 5;
const MIN_NOTICES: usize = 3;
const MIN_PASSING: usize = 10;

/// Removes the lines of a kind from a text, if it has enough of them.
type TrimLines = fn(Text<'_>) -> Option<TextBuf>;

/// Removes such lines from `text`, if it has enough of them.
pub(super) fn trimmed(text: Text<'_>) -> Option<TextBuf> {
    let LineCounts { build_steps: steps, notices: noted, passing_tests: passed } = LineCounts::of(text);
    // No step writes lines that another one counts, so the counts can only fall.
    let all: [(bool, TrimLines); 4] = [
        (true, directories),
        (steps >= MIN_RUN, build_steps),
        (noted >= MIN_NOTICES, notices),
        (passed >= MIN_PASSING, passing_tests),
    ];
    let mut current: Option<TextBuf> = None;
    for (_, step) in all.into_iter().filter(|(is_enough, _)| *is_enough) {
        let shorter = step(current.as_ref().map_or(text, TextBuf::as_text));
        current = shorter.or(current);
    }
    current
}

/// Number of lines of each kind in a text.
#[derive(Default)]
struct LineCounts {
    build_steps: usize,
    notices: usize,
    passing_tests: usize,
}

impl LineCounts {
    fn of(text: Text<'_>) -> Self {
        let bytes = text.bytes();
        let mut counts = LineCounts::default();
        for (start, end) in lf_lines(bytes) {
            // The beginning of a line nearly always rules out every kind.
            let line = || text.slice(start..end);
            match bytes[start..end].get(run_end(&bytes[start..end], 0, SPACE)) {
                Some(b'[' | b'0'..=b'9') => counts.build_steps += usize::from(is_build_step(line())),
                Some(b'n' | b'p' | b'y') => counts.notices += usize::from(is_notice(line())),
                Some(0x80..) => {
                    counts.notices += usize::from(is_notice(line()));
                    counts.passing_tests += usize::from(is_passing_test(line()));
                }
                _ => {}
            }
        }
        counts
    }
}

/// A text that is built line by line.
#[derive(Default)]
struct TrimmedText {
    text: TextBuf,
    has_lines: bool,
}

impl TrimmedText {
    fn line(&mut self, line: Text<'_>) {
        if std::mem::replace(&mut self.has_lines, true) {
            self.text.push_str("\n");
        }
        self.text.push(line);
    }

    fn note(&mut self, note: &str) {
        self.line(TextBuf::from(note).as_text());
    }
}

fn lines_of(text: Text<'_>) -> impl Iterator<Item = Text<'_>> {
    lf_lines(text.bytes()).map(move |(start, end)| text.slice(start..end))
}

fn directories(text: Text<'_>) -> Option<TextBuf> {
    // In a diff, context lines start with a space too.
    if !names_directory(text) || is_diff(text) {
        return None;
    }
    without_runs(text, is_directory_entry, |run, draft| {
        draft.note(&format!("[... {} directory entries omitted ...]", run.len()));
    })
}

fn build_steps(text: Text<'_>) -> Option<TextBuf> {
    without_runs(text, is_build_step, |run, draft| {
        draft.line(run[0]);
        draft.note(&format!("[... {} build steps omitted ...]", run.len() - 2));
        draft.line(run[run.len() - 1]);
    })
}

/// Replaces each long run of lines that are `of_kind` by what `write` writes.
fn without_runs(
    text: Text<'_>,
    of_kind: impl Fn(Text<'_>) -> bool,
    write: impl Fn(&[Text<'_>], &mut TrimmedText),
) -> Option<TextBuf> {
    if lines_of(text).filter(|line| of_kind(*line)).take(MIN_RUN).count() < MIN_RUN {
        return None;
    }
    let lines: Vec<Text<'_>> = lines_of(text).collect();
    let mut draft = TrimmedText::default();
    let mut has_changed = false;
    for run in lines.chunk_by(|a, b| of_kind(*a) && of_kind(*b)) {
        if run.len() >= MIN_RUN {
            has_changed = true;
            write(run, &mut draft);
        } else {
            run.iter().for_each(|line| draft.line(*line));
        }
    }
    has_changed.then_some(draft.text)
}

fn notices(text: Text<'_>) -> Option<TextBuf> {
    if lines_of(text).filter(|line| is_notice(*line)).take(MIN_NOTICES).count() < MIN_NOTICES {
        return None;
    }
    let mut draft = TrimmedText::default();
    lines_of(text).filter(|line| !is_notice(*line)).for_each(|line| draft.line(line));
    Some(draft.text)
}

fn passing_tests(text: Text<'_>) -> Option<TextBuf> {
    static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i-u)(?:tests?|test suites?|suites?|time):\s+[0-9]").expect("valid constant pattern")
    });
    let count = lines_of(text).filter(|line| is_passing_test(*line)).count();
    if count < MIN_PASSING {
        return None;
    }
    let note = format!("[... {count} passing test lines omitted ...]");
    let mut draft = TrimmedText::default();
    let mut is_noted = false;
    for line in lines_of(text).filter(|line| !is_passing_test(*line)) {
        if !is_noted && SUMMARY.is_match(line.bytes()) {
            draft.note(&note);
            is_noted = true;
        }
        draft.line(line);
    }
    if !is_noted {
        draft.note(&note);
    }
    Some(draft.text)
}

fn is_diff(text: Text<'_>) -> bool {
    let signs: [&[u8]; 4] = [b"diff ", b"@@", b"--- ", b"+++ "];
    lf_lines(text.bytes()).any(|(start, end)| signs.iter().any(|sign| text.bytes()[start..end].starts_with(sign)))
}

/// Returns whether a text names a directory of generated or installed files.
fn names_directory(text: Text<'_>) -> bool {
    static DIRECTORY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?-u)node_modules|__pycache__|\.git/|\.cache/|dist/|\.next/|\.nuxt/|coverage/")
            .expect("valid constant pattern")
    });
    DIRECTORY.is_match(text.bytes())
}

fn is_directory_entry(line: Text<'_>) -> bool {
    /// Form of stack frames and compiler messages, whose lines stay.
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?i-u)^\s*(?:at |File ")|:[0-9]|\b(?:error|warning|failed)\b"#).expect("valid constant pattern")
    });
    // │ ├ └ ─
    let is_branch =
        |unit: u16| matches!(unit, 0x2502 | 0x251C | 0x2514 | 0x2500) || b" |\\/".map(u16::from).contains(&unit);
    !line.is_empty() && is_branch(line.unit(0)) && names_directory(line) && !PLACE.is_match(line.bytes())
}

/// Returns whether a line is a build step: `[3/12] Compile`, `3/12 Compile`.
fn is_build_step(line: Text<'_>) -> bool {
    let bytes = line.bytes();
    let number_end = |from: usize| {
        let start = run_end(bytes, from, SPACE);
        let end = run_end(bytes, start, DIGIT);
        (end > start).then(|| (end, run_end(bytes, end, SPACE)))
    };
    let start = usize::from(bytes.first() == Some(&b'['));
    let Some((_, slash)) = number_end(start) else { return false };
    if bytes.get(slash) != Some(&b'/') {
        return false;
    }
    let Some((digits_end, after)) = number_end(slash + 1) else { return false };
    if bytes.get(after) == Some(&b']') {
        let name = run_end(bytes, after + 1, SPACE);
        return name > after + 1 && name < bytes.len();
    }
    after > digits_end && after < bytes.len()
}

fn is_notice(line: Text<'_>) -> bool {
    let bytes = line.bytes();
    let says = |program: &[u8], words: &[&[u8]]| {
        bytes.strip_prefix(program).is_some_and(|rest| words.iter().any(|word| rest.starts_with(word)))
    };
    let by_pnpm = bytes.strip_prefix(b"pnpm").is_some_and(|rest| {
        let word = run_end(rest, 0, SPACE);
        word > 0 && [b"warn".as_slice(), b"notice"].iter().any(|sign| rest[word..].starts_with(sign))
    });
    // ⠸ ⠼ ⠴ ⠦ ⠧ ⠇ ⠏ ⠋ ⠙ ⠹
    const SPINNER: [u16; 10] = [0x2838, 0x283C, 0x2834, 0x2826, 0x2827, 0x2807, 0x280F, 0x280B, 0x2819, 0x2839];
    let spins = (0..line.len()).take_while(|&at| SPINNER.contains(&line.unit(at))).count();
    says(b"npm ", &[b"warn", b"notice", b"http", b"timing", b"verb"])
        || says(b"yarn ", &[b"warn", b"info"])
        || by_pnpm
        || spins > 0 && is_at(bytes, spins, SPACE)
}

/// Returns whether a line is a passing test: a check mark, a space and at least three characters. (No test runner marks passing
/// tests with a plus, which is a line of a diff.)
fn is_passing_test(line: Text<'_>) -> bool {
    let bytes = line.bytes();
    let mark = run_end(bytes, 0, SPACE);
    if mark == line.len() || !matches!(line.unit(mark), 0x2713 | 0x2714) || !is_at(bytes, mark + 1, SPACE) {
        return false;
    }
    // The name may include leading spaces, but no line end.
    let last_end = bytes.iter().rposition(|&byte| is(byte, LINE_END)).map_or(0, |at| at + 1);
    let name = last_end.max(mark + 2);
    name <= run_end(bytes, mark + 1, SPACE) && line.len() >= name + 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(is: fn(Text<'_>) -> bool, lines: &[(&str, bool)]) {
        for (line, expected) in lines {
            assert_eq!(is(TextBuf::from(*line).as_text()), *expected, "{line}");
        }
    }

    #[test]
    fn stack_frames_and_messages_are_no_directory_entries() {
        check(
            is_directory_entry,
            &[
                ("├── node_modules/left-pad", true),
                ("/srv/app/dist/", true),
                ("  coverage/index.html", true),
                ("node_modules/left-pad", false),
                ("    at run (/srv/node_modules/x/i.js:1:1)", false),
                ("    at async Promise.all (/srv/node_modules/x)", false),
                ("  File \"/srv/.cache/x.py\", line 3", false),
                ("/srv/node_modules/x/i.ts:3: unused", false),
                (" dist/main.js failed", false),
            ],
        );
    }

    #[test]
    fn steps_have_a_number_of_all_and_a_name() {
        check(
            is_build_step,
            &[
                ("[1/5] Compile", true),
                ("[ 1 / 5 ]  Compile", true),
                ("  1/5 Compile", true),
                ("(1/5) Compile", false),
                ("[1/5]Compile", false),
                ("  [1/5] Compile", false),
                ("1/5", false),
                ("1/5 \r", false),
            ],
        );
    }

    #[test]
    fn a_passing_test_has_a_mark_and_a_name() {
        check(
            is_passing_test,
            &[
                ("  ✓ adds", true),
                ("✔    ab", true),
                ("✓ ab", false),
                ("✓ adds\r", false),
                ("+ adds one", false),
                ("✗ adds", false),
                ("✓", false),
            ],
        );
    }
}
