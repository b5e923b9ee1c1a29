//! Cline and Roo, which write what came of a command above what it printed.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;
use serde_json::Value;

use super::rejection::{CLINE, refusal};
use super::rest::{Line, Rest};
use super::said::{Directory, Outcome, Place, Said, exited};
use crate::json::json;
use crate::known::Known;

/// Cline before its SDK: `Command executed successfully (exit code 0).`, `Output:`.
pub(super) fn cline(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    if rest.take("[execute_command for '") {
        rest.take_to("'] Result:\n")?;
    }
    let line = rest.first();
    let starts = |form: &str| line.bytes().starts_with(form.as_bytes());
    let code = line
        .number("Command executed successfully (exit code ", ").")
        .or(line.number("Command failed with exit code ", "."));
    let outcome = if let Some(code) = code {
        exited(code, status, false)
    } else if line.is("Command executed.") {
        Known::Unknown
    } else if starts("Command timed out after ") && starts_running(line) {
        Known::Certain(Outcome::Running)
    } else if starts("Command is still running in the user's terminal.") {
        Known::Certain(Outcome::Running)
    } else {
        let outcome = refusal(text, CLINE)?;
        return Some(Said::only(outcome, line.range()));
    };
    rest.take_first(|_| Some(()));
    let is_below = rest.take_first(|line| line.is("Output:").then_some(())).is_some();
    let said = Said::of(outcome, rest.range()).told_by(line.range());
    // Of what still runs, the harness says more, and the user may, too. Whether the output was cut isn't known.
    let is_whole = is_below && !outcome.is_certain_and(|outcome| outcome == Outcome::Running);
    let printed = if is_whole || rest.is_empty() { said.printed } else { Known::Unknown };
    Some(Said { printed, is_cut: Known::Unknown, ..said })
}

fn starts_running(line: Line<'_>) -> bool {
    memchr::memmem::find(line.bytes(), b" seconds. Running in background.").is_some()
}

/// Cline's SDK: a list of objects, one for each command. A call of several failed if one of them did.
pub(super) fn list(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let refused = || Some(Said::only(refusal(text, CLINE)?, Rest::new(bytes).first().range()));
    if !bytes.starts_with(b"[") {
        return refused();
    }
    let Some(Value::Array(items)) = json(text).filter(|value| value.as_array().is_some_and(|items| !items.is_empty()))
    else {
        return refused();
    };
    let mut has_failed = false;
    for item in &items {
        let members = item.as_object()?;
        let is_known = members.keys().all(|name| matches!(name.as_str(), "query" | "result" | "success" | "error"));
        let (Some(_), Some(success)) = (members.get("query"), members.get("success").and_then(Value::as_bool)) else {
            return None;
        };
        if !is_known {
            return None;
        }
        has_failed |= !success;
    }
    let outcome = exited(i64::from(has_failed), status, false);
    // What was printed is in strings, with escapes.
    Some(Said { printed: Known::Unknown, is_cut: Known::Unknown, ..Said::of(outcome, 0..0) })
}

/// Roo: `Command executed in terminal within working directory '…'. Exit code: 0`, `Output:`.
pub(super) fn roo(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let first = rest.first();
    let is_over = rest.take("Command executed in terminal");
    let is_running = !is_over && rest.take("Command is still running in terminal");
    if is_running {
        return Some(Said {
            printed: Known::Unknown,
            is_cut: Known::Unknown,
            ..Said::of(Known::Certain(Outcome::Running), 0..0)
        });
    }
    if !is_over {
        let late = first.between("The command was terminated after exceeding a user-configured ", "s timeout.");
        let outcome = if late.is_some() { Outcome::TimedOut } else { refusal(text, CLINE)? };
        return Some(Said { printed: Known::Unknown, ..Said::only(outcome, first.range()) });
    }
    while rest.take(" ") {}
    rest.take("within working directory '").then_some(())?;
    // A directory may have a quote in its name, but no line end.
    let line = rest.first();
    let quote = memchr::memmem::rfind(line.bytes(), b"'.")?;
    let path = line.range().start..line.range().start + quote;
    rest.take_to("'.").filter(|before| *before == path)?;
    if !rest.take(" ") {
        rest.take("\n");
    }
    rest.take_first(|line| {
        line.is("Command execution was not successful, inspect the cause and adjust as needed.").then_some(())
    });
    let line = rest.first();
    let code = rest.take_first(|line| line.number("Exit code: ", ""));
    let outcome = match code {
        Some(code) => exited(code, status, false),
        None => {
            let killed = rest.take_first(|line| line.between("Process terminated by signal ", ""));
            if killed.is_none() {
                rest.take_first(|line| line.between("Exit code: <", ""))?;
            }
            killed.map(|_| Outcome::Failed).into()
        }
    };
    let said = Said { directory: Some(Directory { path, at: Place::End }), ..Said::of(outcome, 0..0) };
    while !rest.is_empty() && rest.take_first(|line| line.is("Output:").then_some(())).is_none() {
        // Between the exit and what was printed there may be a line on signals or core dumps.
        rest.take_first(|line| line.bytes().starts_with(b"Signal").then_some(()))?;
    }
    let cut = cut(rest.bytes());
    Some(Said { printed: Known::Certain(rest.range()), is_cut: cut, ..said }.told_by(line.range()))
}

/// Returns whether what Roo shows is a part: it says so above what it shows, or between lines, where a program may print the same.
fn cut(printed: &[u8]) -> Known<bool> {
    let first = Rest::new(printed).first().bytes();
    if first.starts_with(b"Output (") && memchr::memmem::find(first, b" persisted. Artifact ID: ").is_some() {
        return Known::Certain(true);
    }
    if memchr::memmem::find(printed, b" lines omitted...]").is_some() { Known::Unknown } else { Known::Certain(false) }
}
