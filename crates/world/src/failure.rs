//! Failures of tools, and the line that tells the reason.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::forms::{Automaton, Needles, automaton, is_blank, past_all};
use palimpsest_history::transcript::Status;
use palimpsest_text::class;
use palimpsest_text::lines::lf_lines;

/// Maximum length of the line that is kept of a failed result, in UTF-16 code units.
pub const LINE_LIMIT: usize = 200;

/// Start of a failure report by a tool, as opposed to the program that it runs.
const TOOL_FORMS: [&[u8]; 7] = [
    b"<tool_use_error>",
    b"<error>",
    b"<tool_error>",
    b"The tool execution failed",
    b"apply_patch verification failed",
    b"Your proposed edit has introduced new syntax error",
    b"[Your proposed edit has introduced new syntax error",
];
/// The same for tools that run no program, so that any report is their own.
const FILE_TOOL_FORMS: [&[u8]; 16] = [
    b"ERROR:",
    b"Error:",
    b"error:",
    b"[ERROR:",
    b"[Error:",
    b"[error:",
    b"Error executing",
    b"Error reading",
    b"Error writing",
    b"Error editing",
    b"Failed to ",
    b"No replacement was performed",
    b"Text not found",
    b"File not found",
    b"File does not exist",
    b"String to replace not found",
];
/// Words that count as a failure with `failures: 'words'`, in either case.
static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words =
        ["error:", "failed", "exception", "command not found", "permission denied", "no such file", "cannot", "fatal:"];
    let mut builder = AhoCorasick::builder();
    builder.match_kind(MatchKind::LeftmostFirst).ascii_case_insensitive(true).build(words).expect("a few short words")
});
/// Words that make a line worth keeping.
const ERROR_WORDS: [&str; 12] = [
    "error",
    "fail",
    "exception",
    "panic",
    "fatal",
    "cannot",
    "denied",
    "not found",
    "no such file",
    "undefined",
    "traceback",
    "abort",
];
/// Any of these words: in lowercase, capitalised, or in capitals.
static ERRORS: LazyLock<Needles> = LazyLock::new(|| {
    let in_cases = |word: &&str| {
        let (first, rest) = word.split_at(1);
        [word.to_string(), format!("{}{rest}", first.to_uppercase()), word.to_uppercase()]
    };
    Needles::new(&ERROR_WORDS.iter().flat_map(in_cases).collect::<Vec<_>>())
});
/// Of such lines, those that tell where or what failed, not only that something did.
static TELLING_LINE: Automaton = automaton!("telling_line");
static NONE_BEFORE: Automaton = automaton!("none_before");
static NONE_AFTER: Automaton = automaton!("none_after");
static EXIT_CODE: Automaton = automaton!("exit_code");
static JSON_EXIT_CODE: Automaton = automaton!("json_exit_code");
static JSON_FAILURE: Automaton = automaton!("json_failure");

/// Returns the starts of those words `found` in `text` of which it does not say that there was none.
fn places<'a>(found: impl Iterator<Item = Range<usize>> + 'a, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    const NEAR: usize = 24;
    let told = found.filter(move |at| {
        let before = &text[at.start.saturating_sub(NEAR)..at.start];
        let after = &text[at.end..text.len().min(at.end + NEAR)];
        !NONE_BEFORE.is_at_start(before) && !NONE_AFTER.is_at_start(after)
    });
    told.map(|at| at.start)
}

/// Returns the positions of words in `text` that make a line look like an error, in order.
pub fn error_places(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    places(ERRORS.find_all(text), text)
}

/// Returns the exit code that a result names in its first or last lines.
fn exit_code(text: &[u8]) -> Option<i64> {
    const WINDOW: usize = 300;
    let parse = |to: &[u8]| {
        let before = to.iter().rposition(|&byte| !byte.is_ascii_digit() && byte != b'-');
        std::str::from_utf8(&to[before.map_or(0, |at| at + 1)..]).ok()?.parse().ok()
    };
    if text.first() == Some(&b'{') {
        let code = |at: usize| Some(&text[..JSON_EXIT_CODE.end_from(text, at)?]);
        // Searching backwards would be slower, and most texts contain none.
        return memchr::memmem::find_iter(text, b"\"exit").filter_map(code).last().and_then(parse);
    }
    let read = |text: &[u8]| {
        // This search is far cheaper than looking at each line, and most texts contain no exit code.
        memchr::memmem::find(text, b"ode")?;
        text.rsplit(|&byte| byte == b'\n').find_map(|line| Some(&line[..EXIT_CODE.end(line)?])).and_then(parse)
    };
    let head = &text[..text.len().min(WINDOW)];
    let tail = &text[text.len().saturating_sub(WINDOW)..];
    // A tail may begin in the middle of a line.
    let tail =
        if tail.len() < text.len() { memchr::memchr(b'\n', tail).map_or(&[][..], |at| &tail[at..]) } else { tail };
    read(head).or_else(|| read(tail))
}

/// Returns whether a call with the result `text` failed: by its exit code, by the format's status, by the form in which tools
/// report failures; by words only if `by_words` is set, and only in a program's output.
pub fn has_failed(text: &[u8], status: Option<Status>, runs_program: bool, by_words: bool) -> bool {
    if runs_program && let Some(code) = exit_code(text) {
        return code != 0;
    }
    match status {
        Some(Status::Error) => return true,
        Some(Status::Ok) => return false,
        None => {}
    }
    let window = &text[..text.len().min(1000)];
    let start = past_all(window, is_blank);
    let begins = |forms: &[&[u8]]| forms.iter().any(|form| start.starts_with(form));
    begins(&TOOL_FORMS)
        || JSON_FAILURE.is_at_start(start)
        || (!runs_program && begins(&FILE_TOOL_FORMS))
        || (runs_program && by_words && places(WORDS.find_iter(text).map(|found| found.range()), text).next().is_some())
}

/// Returns whether a line looks like an error.
pub fn is_error_line(line: &[u8]) -> bool {
    error_places(line).next().is_some()
}

/// Returns the line that tells best what failed: the first that looks like an error and tells where or what, else the first that
/// looks like an error, else the last non-blank line. It is trimmed, and cut to [`LINE_LIMIT`] UTF-16 code units.
pub fn decisive_line(text: &[u8]) -> Option<Range<usize>> {
    let (mut last, mut error) = (None, None);
    for (start, end) in lf_lines(text) {
        let (start, end) = class::trim(text, start, end);
        let line = &text[start..end];
        if line.is_empty() || EXIT_CODE.is_at_start(line) {
            continue;
        }
        let found = Some(start..end.min(start + LINE_LIMIT));
        if is_error_line(line) {
            if TELLING_LINE.is_at_start(line) {
                return found;
            }
            error = error.or(found.clone());
        }
        last = found;
    }
    error.or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_decides_first() {
        for (text, status, expected) in [
            ("Exit code 1\nall is well", None, true),
            ("Exit code 1\nall is well", Some(Status::Ok), true),
            ("all is well", Some(Status::Error), true),
            ("error: failed, fatal: cannot", None, false),
            ("error: failed", Some(Status::Ok), false),
            ("Chunk ID: 1\nProcess exited with code 2\nOutput:\nok", None, true),
            ("Process exited with code 0\nOutput:\nerror: x", None, false),
            ("x\n[The command completed with exit code 127.]", None, true),
            ("x\n[Command finished with exit code 0]", None, false),
            (r#"{"output":"fine","metadata":{"exit_code":1}}"#, None, true),
            (r#"{"output":"error: x","metadata":{"exit_code":0}}"#, None, false),
            (r#"{"error":"no such thing"}"#, None, true),
            (r#"{"error":null,"rows":3}"#, None, false),
            (r#"{"success": false}"#, None, true),
            ("<tool_use_error>File does not exist.</tool_use_error>", None, true),
        ] {
            assert_eq!(has_failed(text.as_bytes(), status, true, false), expected, "{text}");
        }
        assert!(has_failed(b"Error: no such file", None, false, false), "a file tool's own form");
        assert!(!has_failed(b"1\tError: no such file", None, false, false), "the file's text");
    }

    #[test]
    fn words_decide_where_they_are_asked_to() {
        for (text, expected) in [
            ("src/a.rs: error: expected `;`", true),
            ("bash: foo: command not found", true),
            ("3 passed, 1 failed", true),
            ("12 passed, 0 failed", false),
            ("10 failed", true),
            ("0 tests failed, no exceptions", false),
            ("failed: 0, passed: 3", false),
            ("fatal: not a git repository", true),
            ("done", false),
        ] {
            assert_eq!(has_failed(text.as_bytes(), None, true, true), expected, "{text}");
            assert!(!has_failed(text.as_bytes(), None, true, false), "{text}");
        }
    }

    #[test]
    fn the_line_that_says_what_failed() {
        let line = |text: &str| text[decisive_line(text.as_bytes()).unwrap()].to_owned();
        assert_eq!(line("Exit code 1\nbuilding\n  a.go:3: undefined: x\nbye\n"), "a.go:3: undefined: x");
        assert_eq!(
            line("Exit code 1\n[ci] ERROR task failed\n--- FAIL: TestShadow (0.05s)\n"),
            "--- FAIL: TestShadow (0.05s)"
        );
        assert_eq!(line("Exit code 2\nfirst\nlast\n\n"), "last");
        assert_eq!(line(&format!("error {}", "x".repeat(1000))).len(), LINE_LIMIT);
        assert_eq!(decisive_line(b" \n"), None);
    }
}
