//! Words of errors: the line that tells best what failed, and failures by words, where the caller asks for them.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::said::Said;
use crate::forms::{Automaton, Needles, automaton};
use palimpsest_text::class;
use palimpsest_text::lines::lf_lines;

/// Maximum length of the line that is kept of a failed result, in UTF-16 code units.
pub const LINE_LIMIT: usize = 200;

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

/// Returns whether words in what a program printed tell a failure. They prove nothing: only the caller may say that they do, with
/// `failures: 'words'`.
pub fn has_words(text: &[u8]) -> bool {
    places(WORDS.find_iter(text).map(|found| found.range()), text).next().is_some()
}

/// Returns whether a line looks like an error.
pub fn is_error_line(line: &[u8]) -> bool {
    error_places(line).next().is_some()
}

/// Returns the line of `within` that tells best what failed: the first that looks like an error and tells where or what, else the first that
/// looks like an error, else the last non-blank line. It is trimmed, and cut to [`LINE_LIMIT`] UTF-16 code units.
fn telling_line(text: &[u8], within: Range<usize>) -> Option<Range<usize>> {
    let (mut last, mut error) = (None, None);
    let from = within.start;
    for (start, end) in lf_lines(&text[within]) {
        let (start, end) = class::trim(text, from + start, from + end);
        let line = &text[start..end];
        if line.is_empty() {
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

/// Returns the lines that stay of a failed result, in order: that in which the harness tells the failure, and that of the program's which tells
/// best what failed.
pub fn decisive_lines(text: &[u8], said: &Said) -> Vec<Range<usize>> {
    let printed = said.printed.clone().certain().filter(|printed| printed.end <= text.len());
    let own = said.line.clone().filter(|line| line.end <= text.len()).map(|line| {
        let (start, end) = class::trim(text, line.start, line.end);
        start..end.min(start + LINE_LIMIT)
    });
    // Where they can't be told apart, the program's line is the rest's.
    let within = printed.unwrap_or_else(|| match &own {
        Some(own) if own.start > 0 => 0..own.start,
        Some(own) => memchr::memchr(b'\n', &text[own.end..]).map_or(text.len(), |at| own.end + at + 1)..text.len(),
        None => 0..text.len(),
    });
    let program = telling_line(text, within);
    let mut lines: Vec<_> = own.into_iter().filter(|line| !line.is_empty()).chain(program).collect();
    if let [own, program] = &mut lines[..]
        && own.start > program.start
    {
        std::mem::swap(own, program);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(has_words(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn the_line_that_says_what_failed() {
        let line = |text: &str| text[telling_line(text.as_bytes(), 0..text.len()).unwrap()].to_owned();
        assert_eq!(line("building\n  a.go:3: undefined: x\nbye\n"), "a.go:3: undefined: x");
        assert_eq!(line("[ci] ERROR task failed\n--- FAIL: TestShadow (0.05s)\n"), "--- FAIL: TestShadow (0.05s)");
        assert_eq!(line("first\nlast\n\n"), "last");
        assert_eq!(line(&format!("error {}", "x".repeat(1000))).len(), LINE_LIMIT);
        assert_eq!(telling_line(b" \n", 0..2), None);
    }
}
