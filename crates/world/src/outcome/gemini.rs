//! Gemini CLI and Qwen Code, whose lines are above and below what was printed. The format's flag tells only that the tool was stopped.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{GEMINI, refusal};
use super::rest::{Line, Rest};
use super::said::{Outcome, Said, exited};
use crate::known::Known;

/// `Output: …`, then `Error: …`, `Exit Code: 1`, `Signal: …`, `Background PIDs: …` where they apply, and `Process Group PGID: 4242`.
pub(super) fn gemini(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    if !rest.take("Output: ") {
        return stopped(text, status);
    }
    rest.take_last(|line| line.number("Process Group PGID: ", ""))?;
    rest.take_last(|line| line.between("Background PIDs: ", ""));
    let signal = rest.last();
    let killed = rest.take_last(|line| line.between("Signal: ", ""));
    let line = rest.last();
    let code = rest.take_last(|line| line.number("Exit Code: ", "").filter(|&code| code != 0));
    let line = if code.is_some() { line } else { signal };
    let outcome =
        if killed.is_some() { Known::Certain(Outcome::Failed) } else { exited(code.unwrap_or(0), status, false) };
    if outcome.is_certain_and(Outcome::is_failure) {
        rest.take_last(|line| line.between("Error: ", ""));
    }
    empty(&mut rest);
    let is_cut = cut(rest.bytes());
    Some(Said::of(outcome, rest.range()).cut_if(is_cut).told_by(line.range()))
}

/// `Command: …`, `Directory: …`, `Output: …`, `Error: …`, `Exit Code: 0`, `Signal: …`, `Process Group PGID: …`.
pub(super) fn qwen(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    if !rest.take("Command: ") {
        return stopped(text, status);
    }
    rest.take_to("\nDirectory: ")?;
    rest.take_first(|_| Some(()))?;
    let is_whole = if rest.take("Output: ") {
        true
    } else if rest.take("Stdout: ") {
        false
    } else {
        return None;
    };
    let value = |name: &'static str| move |line: Line<'_>| line.between(name, "");
    rest.take_last(value("Process Group PGID: "));
    rest.take_last(value("Background PIDs: "));
    let signal = rest.take_last(value("Signal: "))?;
    let line = rest.last();
    let code = rest.take_last(value("Exit Code: "))?;
    let is_none = |at: &std::ops::Range<usize>| &text.bytes()[at.clone()] == b"(none)";
    let code = if is_none(&code) { None } else { Some(super::rest::number(&text.bytes()[code])?) };
    let outcome = match code {
        _ if !is_none(&signal) && &text.bytes()[signal.clone()] != b"0" => Known::Certain(Outcome::Failed),
        Some(code) => exited(code, status, false),
        None => Known::Unknown,
    };
    // An error of several lines is not told from what was printed.
    let is_told = rest.take_last(value("Error: ")).is_some() && is_whole;
    empty(&mut rest);
    let is_cut = cut(rest.bytes());
    let said = Said::of(outcome, rest.range()).cut_if(is_cut).told_by(line.range());
    Some(if is_told { said } else { Said { printed: Known::Unknown, is_cut: Known::Unknown, ..said } })
}

fn empty(rest: &mut Rest<'_>) {
    if rest.bytes() == b"(empty)" {
        rest.take("(empty)");
    }
}

/// Returns whether what was printed was cut: the harness says so above it.
fn cut(printed: &[u8]) -> bool {
    printed.starts_with(b"Output too large. Showing first ")
        || printed.starts_with(b"Tool output was too large and has been truncated")
        || printed.starts_with(b"<persisted-output>")
        || printed.starts_with(b"<tool_output_masked>")
}

fn stopped(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let first = Rest::new(bytes).first();
    let starts = |form: &str| bytes.starts_with(form.as_bytes());
    if starts("Command was automatically cancelled because it exceeded the timeout of ") {
        return Some(late(text, first));
    }
    if starts("Command timed out after ") && first.bytes().ends_with(b"before it could complete.") {
        return Some(late(text, first));
    }
    if let Some(outcome) = refusal(text, GEMINI) {
        return Some(Said { printed: Known::Unknown, ..Said::only(outcome, first.range()) });
    }
    // What is cut is all there is, with the lines above and below.
    let is_cut = cut(bytes);
    is_cut.then(|| {
        let said = Said::nothing(status);
        Said { is_cut: Known::Certain(true), ..said }
    })
}

fn late(_: Text<'_>, line: Line<'_>) -> Said {
    Said { printed: Known::Unknown, ..Said::only(Outcome::TimedOut, line.range()) }
}
