//! Failures of tools, and the line that tells the reason.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::text::class;
use crate::text::lines::lf_lines;
use crate::transcript::Status;

/// Maximum length of the line that is kept of a failed result, in UTF-16 code units.
pub const LINE_LIMIT: usize = 200;

/// Compiles a constant pattern of this file; a test compiles each.
fn compiled(pattern: &str) -> Regex {
    // Texts are folded to bytes, and Unicode's tables are left out of this build.
    Regex::new(&format!("(?-u){pattern}")).expect("valid constant pattern")
}

/// An exit code on a line of its own, as Claude Code, Codex, Gemini CLI, OpenHands and others write it.
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
/// Start of a failure report by a tool, as opposed to the program that it runs. Compiling a pattern takes a process longer than reading a
/// hundred results.
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
/// Any of these words: in lowercase, capitalised, or in capitals. Such a list is searched several times faster than a
/// case-insensitive pattern.
static ERROR_LINE: LazyLock<Regex> = LazyLock::new(|| {
    let in_cases = |word: &&str| {
        let (first, rest) = word.split_at(1);
        format!("{word}|{}{rest}|{}", first.to_uppercase(), word.to_uppercase())
    };
    compiled(&ERROR_WORDS.iter().map(in_cases).collect::<Vec<_>>().join("|"))
});
/// Of such lines, those that tell where or what failed, not only that something did.
static TELLING_LINE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)--- FAIL|^FAIL\S* \S|panic:|error(?:\[\w+\])?: \S|:[0-9]+(?::[0-9]+)?[: ]|exception|not found|no such file|undefined|denied|cannot|fatal:",
    )
});
/// "0 failed", "no errors", "0 tests failed", "without exception".
static NONE_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i)(?:^|[^0-9.,a-z])(?:0|no|zero|without)(?: [a-z]+)? $"));
/// "failed: 0", "errors=0".
static NONE_BEHIND: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)^[a-z]* ?[:=] ?(?:0|none)(?:[^0-9.]|$)"));

/// Returns the positions at which `pattern` matches, unless `text` says that there was none of it.
fn places<'a>(pattern: &'static LazyLock<Regex>, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    const NEAR: usize = 24;
    let told = pattern.find_iter(text).filter(move |at| {
        let before = &text[at.start().saturating_sub(NEAR)..at.start()];
        let behind = &text[at.end()..text.len().min(at.end() + NEAR)];
        let is_none = before.ends_with(b" ") && NONE_BEFORE.is_match(before);
        !is_none && !NONE_BEHIND.is_match(behind)
    });
    told.map(|at| at.start())
}

/// Returns whether there is such a position.
fn says(pattern: &'static LazyLock<Regex>, text: &[u8]) -> bool {
    places(pattern, text).next().is_some()
}

/// Returns the positions of words in `text` that make a line look like an error, in order.
pub fn error_places(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    places(&ERROR_LINE, text)
}

/// Returns whether a number stands behind the word "code", as in every match of [`EXIT_CODE`].
fn has_numbered_code(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'd', b'D', text).any(|at| {
        let is_code = at >= 2 && text.get(at - 2..at + 2).is_some_and(|word| word.eq_ignore_ascii_case(b"code"));
        let behind = text.get(at + 2..).filter(|_| is_code).unwrap_or_default();
        let gap = behind.iter().take_while(|unit| b":= ".contains(unit)).count();
        let number = &behind[gap..];
        gap > 0 && number.strip_prefix(b"-").unwrap_or(number).first().is_some_and(u8::is_ascii_digit)
    })
}

/// Returns the exit code that a result names in its first or last lines.
fn exit_code(text: &[u8]) -> Option<i64> {
    const WINDOW: usize = 300;
    let read = |pattern: &LazyLock<Regex>, text: &[u8]| {
        let code = pattern.captures_iter(text).last()?.get(1)?.as_bytes();
        std::str::from_utf8(code).ok()?.parse().ok()
    };
    // These searches are far cheaper than the patterns, and most texts contain no exit code.
    if text.first() == Some(&b'{') {
        let names: [&[u8]; 2] = [b"\"exit_code\"", b"\"exitCode\""];
        return names
            .iter()
            .find_map(|name| memchr::memmem::find(text, name))
            .and_then(|_| read(&JSON_EXIT_CODE, text));
    }
    let read = |text: &[u8]| {
        let is_likely = memchr::memmem::find(text, b"ode").is_some() && has_numbered_code(text);
        if is_likely { read(&EXIT_CODE, text) } else { None }
    };
    let head = &text[..text.len().min(WINDOW)];
    let tail = &text[text.len().saturating_sub(WINDOW)..];
    // A tail may begin in the middle of a line.
    let tail =
        if tail.len() < text.len() { memchr::memchr(b'\n', tail).map_or(&[][..], |at| &tail[at..]) } else { tail };
    read(head).or_else(|| read(tail))
}

/// Returns a text without the blanks before it: what `\s` means to a pattern for bytes.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|unit| matches!(unit, b'\t'..=b'\r' | b' ')).count();
    &text[blanks..]
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
        || (start.first() == Some(&b'{') && JSON_FAILURE.is_match(window))
        || (!runs_program && begins(&FILE_TOOL_FORMS))
        || (runs_program && by_words && says(&WORDS, text))
}

/// Returns whether a line looks like an error.
pub fn is_error_line(line: &[u8]) -> bool {
    says(&ERROR_LINE, line)
}

/// Returns the line that tells best what failed: the first that looks like an error and tells where or what, else the first that
/// looks like an error, else the last non-blank line. It is trimmed, and cut to [`LINE_LIMIT`] UTF-16 code units.
pub fn decisive_line(text: &[u8]) -> Option<Range<usize>> {
    let (mut last, mut error) = (None, None);
    for (start, end) in lf_lines(text) {
        let (start, end) = class::trim(text, start, end);
        let line = &text[start..end];
        if line.is_empty() || EXIT_CODE.is_match(line) {
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

    #[test]
    fn every_pattern_compiles() {
        let all = [
            &EXIT_CODE,
            &JSON_EXIT_CODE,
            &JSON_FAILURE,
            &WORDS,
            &ERROR_LINE,
            &TELLING_LINE,
            &NONE_BEFORE,
            &NONE_BEHIND,
        ];
        assert!(all.iter().all(|pattern| !pattern.as_str().is_empty()));
    }

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
