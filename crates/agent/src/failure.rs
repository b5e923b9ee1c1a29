//! Failures of tools, and the line that tells the reason.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::forms::{Needles, after, after_any, after_letters, past, past_all, without_blanks};
use palimpsest_history::transcript::Status;
use palimpsest_text::class;
use palimpsest_text::lines::lf_lines;

/// Maximum length of the line that is kept of a failed result, in UTF-16 code units.
pub const LINE_LIMIT: usize = 200;

/// Compiles a constant pattern of this file; a test compiles each.
fn compiled(pattern: &str) -> Regex {
    // Texts are folded to bytes, and Unicode's tables are left out of this build.
    Regex::new(&format!("(?-u){pattern}")).expect("valid constant pattern")
}

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
/// Words that count as a failure with `failures: 'words'`.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"(?i)error:|failed|exception|command not found|permission denied|no such file|cannot|fatal:")
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
static TELLING_LINE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)--- FAIL|^FAIL\S* \S|panic:|error(?:\[\w+\])?: \S|:[0-9]+(?::[0-9]+)?[: ]|exception|not found|no such file|undefined|denied|cannot|fatal:",
    )
});

/// Returns whether the text before a word says that there is none of it: "0 failed", "no errors", "0 tests failed", "without exception".
fn is_none_before(text: &[u8]) -> bool {
    let ends_with_none = |text: &[u8]| {
        ["0", "no", "zero", "without"].iter().any(|none| {
            let (rest, end) = text.split_at(text.len().saturating_sub(none.len()));
            let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && !b".,".contains(byte);
            end.eq_ignore_ascii_case(none.as_bytes()) && rest.last().is_none_or(is_end)
        })
    };
    let Some(text) = text.strip_suffix(b" ") else { return false };
    let word = text.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let before = text[..text.len() - word].strip_suffix(b" ").filter(|_| word > 0);
    ends_with_none(text) || before.is_some_and(ends_with_none)
}

/// The same of the text after it: "failed: 0", "errors=0".
fn is_none_after(text: &[u8]) -> bool {
    let text = past(after_letters(text).unwrap_or(text), " ");
    let Some((b':' | b'=', text)) = text.split_first() else { return false };
    let after = after_any(past(text, " "), &["0", "none"]);
    after.is_some_and(|text| text.first().is_none_or(|byte| !byte.is_ascii_digit() && *byte != b'.'))
}

/// Returns the starts of those words `found` in `text` of which it does not say that there was none.
fn places<'a>(found: impl Iterator<Item = Range<usize>> + 'a, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    const NEAR: usize = 24;
    let told = found.filter(move |at| {
        let before = &text[at.start.saturating_sub(NEAR)..at.start];
        let after = &text[at.end..text.len().min(at.end + NEAR)];
        !is_none_before(before) && !is_none_after(after)
    });
    told.map(|at| at.start)
}

/// Returns the positions of words in `text` that make a line look like an error, in order.
pub fn error_places(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    places(ERRORS.find_all(text), text)
}

/// Returns the digits of the exit code that a line names at its start, as Claude Code, Codex, Gemini CLI, OpenHands and others write it.
fn code_of_line(line: &[u8]) -> Option<&[u8]> {
    fn after_word(text: &[u8]) -> Option<&[u8]> {
        after(after_letters(text)?, " ")
    }
    fn with_code(text: &[u8]) -> Option<&[u8]> {
        after(past(after(text, "with ")?, "exit "), "code")
    }
    let line = after_any(line, &["[", "("]).unwrap_or(line);
    let told = after_any(past(line, "the "), &["command ", "process "]).and_then(after_word);
    let told = told.and_then(|text| with_code(text).or_else(|| with_code(after_word(text)?)));
    let exit = || after(past(past(after(line, "exit")?, "ed with"), " exit"), " code");
    let text = told.or_else(exit)?;
    let number = past_all(text, |byte| b":= ".contains(&byte));
    number_at(number).filter(|_| number.len() < text.len())
}

/// Returns the digits at the start of a text, with the minus before them.
fn number_at(text: &[u8]) -> Option<&[u8]> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let rest = past_all(digits, |byte| byte.is_ascii_digit());
    (rest.len() < digits.len()).then(|| &text[..text.len() - rest.len()])
}

/// Returns the value after a name in JSON, and a colon.
fn json_value<'a>(text: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let after = text.strip_prefix(b"\"")?.strip_prefix(name.as_bytes())?.strip_prefix(b"\"")?;
    Some(without_blanks(without_blanks(after).strip_prefix(b":")?))
}

/// Returns whether an object of JSON tells in its first member that something failed.
fn is_json_failure(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b"{").map(without_blanks) else { return false };
    let value = |name: &str| json_value(text, name);
    let is_error = |value: &[u8]| match value {
        [b'"', next, ..] => *next != b'"',
        _ => matches!(value.first(), Some(b'{' | b'[' | b't')),
    };
    ["error", "errorMessage"].into_iter().find_map(value).is_some_and(is_error)
        || ["isError", "is_error"].into_iter().find_map(value).is_some_and(|value| value.starts_with(b"true"))
        || ["success", "ok"].into_iter().find_map(value).is_some_and(|value| value.starts_with(b"false"))
}

/// Returns the exit code that a result names in its first or last lines.
fn exit_code(text: &[u8]) -> Option<i64> {
    const WINDOW: usize = 300;
    let parse = |code: &[u8]| std::str::from_utf8(code).ok()?.parse().ok();
    if text.first() == Some(&b'{') {
        let code =
            |at: usize| ["exit_code", "exitCode"].iter().find_map(|name| number_at(json_value(&text[at..], name)?));
        // Searching backwards would be slower, and most texts contain none.
        return memchr::memmem::find_iter(text, b"\"exit").filter_map(code).last().and_then(parse);
    }
    let read = |text: &[u8]| {
        // This search is far cheaper than looking at each line, and most texts contain no exit code.
        memchr::memmem::find(text, b"ode")?;
        text.rsplit(|&byte| byte == b'\n').find_map(code_of_line).and_then(parse)
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
    let start = without_blanks(window);
    let begins = |forms: &[&[u8]]| forms.iter().any(|form| start.starts_with(form));
    begins(&TOOL_FORMS)
        || is_json_failure(start)
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
        if line.is_empty() || code_of_line(line).is_some() {
            continue;
        }
        let found = Some(start..end.min(start + LINE_LIMIT));
        if is_error_line(line) {
            if TELLING_LINE.is_match(line) {
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
    use palimpsest_text::random::{below, text_of};

    #[test]
    fn every_pattern_compiles() {
        let all = [&WORDS, &TELLING_LINE];
        assert!(all.iter().all(|pattern| !pattern.as_str().is_empty()));
    }

    static EXIT_CODE: LazyLock<Regex> = LazyLock::new(|| {
        let told = r"(?:the )?(?:command|process) (?:[a-z]+ ){1,2}with (?:exit )?code";
        compiled(&format!(r"(?im)^[\[(]?(?:{told}|exit(?:ed with)?(?: exit)? code)[:= ]+(-?[0-9]+)"))
    });
    static JSON_EXIT_CODE: LazyLock<Regex> = LazyLock::new(|| compiled(r#""(?:exit_code|exitCode)"\s*:\s*(-?[0-9]+)"#));
    static JSON_FAILURE: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#"^\s*\{\s*(?:"(?:error|errorMessage)"\s*:\s*(?:"[^"]|\{|\[|t)|"(?:isError|is_error)"\s*:\s*true|"(?:success|ok)"\s*:\s*false)"#,
        )
    });

    /// What is decided without patterns, by patterns.
    fn by_patterns(text: &[u8], runs_program: bool) -> bool {
        static FORM: LazyLock<Regex> = LazyLock::new(|| {
            compiled(
                r"^\s*(?:<tool_use_error>|<error>|<tool_error>|The tool execution failed|apply_patch verification failed|\[?Your proposed edit has introduced new syntax error)",
            )
        });
        static FILE_FORM: LazyLock<Regex> = LazyLock::new(|| {
            compiled(
                r"^\s*(?:\[?(?:ERROR|Error|error):|Error (?:executing|reading|writing|editing)|Failed to |No replacement was performed|Text not found|File not found|File does not exist|String to replace not found)",
            )
        });
        let code = |pattern: &Regex, text: &[u8]| {
            memchr::memmem::find(text, b"ode")?;
            let code = pattern.captures_iter(text).last()?.get(1)?.as_bytes();
            std::str::from_utf8(code).ok()?.parse::<i64>().ok()
        };
        let json = text.first() == Some(&b'{');
        if runs_program && let Some(code) = code(if json { &JSON_EXIT_CODE } else { &EXIT_CODE }, text) {
            return code != 0;
        }
        FORM.is_match(text) || JSON_FAILURE.is_match(text) || (!runs_program && FILE_FORM.is_match(text))
    }

    #[test]
    fn searches_before_patterns_and_lists_of_forms_change_no_answer() {
        let blanks = ["", " ", "\n\t", "\u{b}", "\u{c}\r", "\u{85}", "x "];
        let mut starts: Vec<String> =
            TOOL_FORMS.iter().chain(&FILE_TOOL_FORMS).map(|form| String::from_utf8(form.to_vec()).unwrap()).collect();
        let codes = [
            "exit code 1",
            "Exit Code: -2",
            "EXIT CODE 3",
            "mode: node\nexit code= 4",
            "[exited with exit code 0]",
            "(exit code 1x",
            "the command finished with code : 7",
            "process exited with exit code=8",
            "exit code",
            "exit code ",
            "exit code:-",
            "code 5",
            "decode 5",
            "Process was killed with code -",
            "COmmand Exited WITH CODE 1\nnode",
            "d",
            "code",
            "ode",
            "{\"exit_code\":1}",
            "{\"exitCode\" : -1}",
            "{\"exit_Code\":1}",
            "{\"error\":\"x\"}",
            "{\"ok\" : false}",
            "{}",
            "{\"x\":{\"exitCode\":0}}",
            "error",
            "Error",
            "ERRor:",
            "[Failed to ",
            "failed to ",
            "Error deleting",
            "<Error>",
        ];
        starts.extend(codes.map(str::to_owned));
        for start in &starts {
            for blank in blanks {
                for end in ["", " ", " more", "\nnode exit code 0", "0"] {
                    for cut in [0, 1] {
                        let text = format!("{blank}{start}{end}");
                        let text = &text.as_bytes()[..text.len() - cut.min(text.len())];
                        for runs_program in [false, true] {
                            let expected = by_patterns(text, runs_program);
                            assert_eq!(
                                has_failed(text, None, runs_program, false),
                                expected,
                                "{}",
                                String::from_utf8_lossy(text)
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn codes_and_failures_in_json_are_those_of_patterns() {
        let head: [&[&str]; 5] = [
            &["", "[", "(", "x", "\n"],
            &["", "the ", "The "],
            &["command ", "Process ", "exit"],
            &["", "a ", "ended "],
            &["", "a "],
        ];
        let code: [&[&str]; 4] = [
            &["with ", "", "", "ed with"],
            &["", "exit ", " exit"],
            &["code", " code", " CODE"],
            &[":", " ", "=: ", ""],
        ];
        let number: [&[&str]; 3] =
            [&["", "", "-"], &["7", "12", "", "99999999999999999999"], &["", "x", "\n", "\nexit code 3", "\nnode"]];
        let line = [&head[..], &code, &number].concat();
        let start: [&[&str]; 3] = [&["", " ", "\u{b}"], &["{", "{ ", "["], &["", "", "\"a\":1,", "\n"]];
        let names = &["exit_code", "exitCode", "exit", "error", "errorMessage", "isError", "is_error", "success", "ok"];
        let value = &["0", "-31", "true", "false", "\"", "\"x", "\"\"", "{", "[", "null", "t", ""];
        let member: [&[&str]; 7] = [
            &["\"", "\"", "\"", ""],
            names,
            &["\"", "\"", "\"", "x"],
            &["", " "],
            &[":", ":", ":", ","],
            &["", "\n "],
            value,
        ];
        let json = [&start[..], &member, &[&["", ","]], &member].concat();
        let mut below = below();
        let mut told = [0; 3];
        for round in 0..20_000 {
            let text = text_of(if round % 2 == 0 { &line } else { &json }, &mut below);
            let text = text.as_bytes();
            let code = |pattern: &Regex| Some(pattern.captures_iter(text).last()?.get(1)?.as_bytes().to_vec());
            let first = EXIT_CODE.captures(text).filter(|found| found.get(0).unwrap().start() == 0);
            let first = first.map(|found| found.get(1).unwrap().as_bytes());
            assert_eq!(code_of_line(text), first, "{:?}", String::from_utf8_lossy(text));
            let json = text.first() == Some(&b'{');
            let code = if json { code(&JSON_EXIT_CODE) } else { code(&EXIT_CODE) };
            let is_looked_at = json || memchr::memmem::find(text, b"ode").is_some();
            let parsed = code.filter(|_| is_looked_at).and_then(|code| String::from_utf8(code).unwrap().parse().ok());
            assert_eq!(exit_code(text), parsed, "{:?}", String::from_utf8_lossy(text));
            let is_failure = JSON_FAILURE.is_match(text);
            assert_eq!(is_json_failure(without_blanks(text)), is_failure, "{:?}", String::from_utf8_lossy(text));
            told[0] += usize::from(first.is_some());
            told[1] += usize::from(parsed.is_some());
            told[2] += usize::from(is_failure);
        }
        assert!(told.iter().all(|&count| count > 100), "{told:?}");
    }

    #[test]
    fn places_of_errors_are_those_of_patterns() {
        let in_cases = |word: &&str| {
            let (first, rest) = word.split_at(1);
            format!("{word}|{}{rest}|{}", first.to_uppercase(), word.to_uppercase())
        };
        let line = compiled(&ERROR_WORDS.iter().map(in_cases).collect::<Vec<_>>().join("|"));
        let before = compiled(r"(?i)(?:^|[^0-9.,a-z])(?:0|no|zero|without)(?: [a-z]+)? $");
        let after = compiled(r"(?i)^[a-z]* ?[:=] ?(?:0|none)(?:[^0-9.]|$)");
        let none: &[&str] = &["0", "no", "No", "zero", "without", "none", "10", ".0", ""];
        let ahead: [&[&str]; 4] = [&[" ", "", "x", "\n", "1"], none, &[" ", "", "  "], &["tests ", "", "x", "é "]];
        let after_it: [&[&str]; 5] =
            [&["s", "ed", ""], &[":", " =", "=", " ", ""], &[" ", ""], none, &[".", "1", "\n", "", "s"]];
        let mut below = below();
        let (mut count, mut all) = (0, 0);
        for round in 0..20_000 {
            let mut text = String::new();
            for _ in 0..round % 4 {
                let (first, rest) = ERROR_WORDS[below(ERROR_WORDS.len())].split_at(1);
                let capital = first.to_uppercase();
                let word = [first, &capital, ""][below(3)].to_owned() + rest;
                text += &text_of(&ahead, &mut below);
                text += &if below(4) == 0 { word.to_uppercase() } else { word };
                text += &text_of(&after_it, &mut below);
            }
            let text = text.as_bytes();
            let told = line.find_iter(text).filter(|at| {
                let (near, far) = (at.start().saturating_sub(24), text.len().min(at.end() + 24));
                all += 1;
                !before.is_match(&text[near..at.start()]) && !after.is_match(&text[at.end()..far])
            });
            let expected: Vec<usize> = told.map(|at| at.start()).collect();
            count += expected.len();
            assert_eq!(error_places(text).collect::<Vec<_>>(), expected, "{:?}", String::from_utf8_lossy(text));
        }
        assert!(count > 5_000 && all - count > 2_000, "{count} of {all}");
    }

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
