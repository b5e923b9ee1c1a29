//! Codex. Its header is above every result, so what is below it is the program's, whatever it says. The items hold no flag.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{CODEX, refusal};
use super::rest::{Line, Rest, is_decimal};
use super::said::{Outcome, Said, exited};
use crate::json::json;
use crate::known::Known;

/// `exec_command` and `write_stdin`.
pub(super) fn exec(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    rest.take_first(|line| line.between("Chunk ID: ", ""));
    if rest.take_first(took).is_none() {
        return stopped(text);
    }
    let line = rest.first();
    let code = rest.take_first(|line| line.number("Process exited with code ", ""));
    let outcome = match code {
        Some(code) => exited(code, status, false),
        None => {
            rest.take_first(|line| line.number("Process running with session ID ", ""))?;
            Known::Certain(Outcome::Running)
        }
    };
    let count = rest.take_first(|line| line.between("Original token count: ", ""));
    rest.take_first(|line| line.is("Output:").then_some(()))?;
    let count = count.map(|count| &text.bytes()[count]);
    Some(below(&mut rest, count, Said::of(outcome, 0..0)).told_by(line.range()))
}

/// `shell`, `shell_command` and `apply_patch`.
pub(super) fn shell(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let line = rest.first();
    let Some(code) = rest.take_first(|line| line.number("Exit code: ", "")) else {
        return stopped(text).or_else(|| in_json(text, status));
    };
    rest.take_first(took)?;
    let total = rest.take_first(|line| line.number("Total output lines: ", ""));
    rest.take_first(|line| line.is("Output:").then_some(()))?;
    let is_late = |line: Line<'_>| line.number("command timed out after ", " milliseconds");
    let late = if code == 0 { None } else { rest.take_first(is_late) };
    let outcome = if late.is_some() { Known::Certain(Outcome::TimedOut) } else { exited(code, status, false) };
    Some(below(&mut rest, None, Said::of(outcome, 0..0)).cut_if(total.is_some()).told_by(line.range()))
}

/// A script that calls the other tools: what it says of itself. What the tools' commands came to is in what it prints, if at all.
pub(super) fn script(text: Text<'_>, _: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let line = rest.first();
    let outcome = rest.take_first(|line| {
        Some(match line.bytes() {
            b"Script completed" => Known::Unknown,
            b"Script failed" => Known::Certain(Outcome::Failed),
            b"Script terminated" => Known::Certain(Outcome::Interrupted),
            _ => Known::Certain(line.number("Script running with cell ID ", "").map(|_| Outcome::Running)?),
        })
    });
    let Some(outcome) = outcome else { return stopped(text) };
    rest.take_first(|line| line.between("Wall time ", " seconds").filter(|at| is_decimal(&text.bytes()[at.clone()])))?;
    rest.take_first(|line| line.is("Output:").then_some(()))?;
    Some(Said { printed: Known::Unknown, is_cut: Known::Unknown, ..Said::of(outcome, 0..0) }.told_by(line.range()))
}

/// Reads the line that says how long it took.
fn took(line: Line<'_>) -> Option<()> {
    let at = line.between("Wall time: ", " seconds")?;
    let time = &line.bytes()["Wall time: ".len()..][..at.len()];
    is_decimal(time).then_some(())
}

/// Reads what is below `Output:`. A cut output begins with lines of its own, and has a mark where it was cut; a program may print either, but
/// the number in the first line is that of the header.
fn below(rest: &mut Rest<'_>, count: Option<&[u8]>, said: Said) -> Said {
    let all = rest.range();
    let warned = rest.take_first(|line| {
        let at = line.between("Warning: truncated output (original token count: ", ")")?;
        let start = at.start - line.range().start;
        count.is_none_or(|count| &line.bytes()[start..start + at.len()] == count).then_some(())
    });
    let total = rest.take_first(|line| line.number("Total output lines: ", ""));
    let is_above = total.is_some() && rest.take("\n") && (warned.is_some() || count.is_some());
    let is_marked = has_mark(rest.bytes());
    match (is_above, is_marked) {
        (true, true) => Said { printed: Known::Certain(rest.range()), is_cut: Known::Certain(true), ..said },
        (false, false) => Said { printed: Known::Certain(all), ..said },
        // The program printed the words of one of them.
        _ => Said { printed: Known::Certain(all), is_cut: Known::Unknown, ..said },
    }
}

/// Returns whether a text has the mark of a cut: `…12 tokens truncated…`, or `[... omitted 3 of 40 lines ...]`.
fn has_mark(text: &[u8]) -> bool {
    let counted = |words: &str, is: fn(Option<&u8>) -> bool| {
        memchr::memmem::find_iter(text, words.as_bytes()).any(|at| is(text[..at].last()))
    };
    counted(" tokens truncated", |before| before.is_some_and(u8::is_ascii_digit))
        || counted("[... omitted ", |before| before.is_none_or(|&byte| byte == b'\n'))
}

/// Results without a header: `aborted by user after 3.2s`, `exec command rejected by user`.
fn stopped(text: Text<'_>) -> Option<Said> {
    let bytes = text.bytes();
    let first = Rest::new(bytes).first().range();
    if let Some(outcome) = refusal(text, CODEX) {
        return Some(Said::only(outcome, first));
    }
    let failed = [&b"exec_command failed"[..], b"execution error: ", b"failed to parse function arguments: "];
    failed.iter().any(|form| bytes.starts_with(form)).then(|| Said::only(Outcome::Failed, first))
}

/// The older form: `{"output": "…", "metadata": {"exit_code": 1, "duration_seconds": 0.1}}`.
fn in_json(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    if !text.bytes().starts_with(b"{\"") {
        return None;
    }
    let value = json(text)?;
    let members = value.as_object().filter(|members| members.len() == 2)?;
    members.get("output")?.as_str()?;
    let metadata = members.get("metadata")?.as_object().filter(|members| members.len() == 2)?;
    metadata.get("duration_seconds")?.as_f64()?;
    let code = metadata.get("exit_code")?.as_i64()?;
    // What was printed is in a string, with escapes.
    Some(Said { printed: Known::Unknown, is_cut: Known::Unknown, ..Said::of(exited(code, status, false), 0..0) })
}
