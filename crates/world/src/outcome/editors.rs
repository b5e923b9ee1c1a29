//! Agents of editors and of command lines, each with a line of its own above or below what was printed.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{EDITORS, refusal};
use super::rest::Rest;
use super::said::{Outcome, Said, exited};
use crate::known::Known;

fn refused(text: Text<'_>) -> Option<Said> {
    Some(Said::only(refusal(text, EDITORS)?, Rest::new(text.bytes()).first().range()))
}

/// Continue in an editor: `[Status: Command completed]` below.
pub(super) fn continue_editor(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let line = rest.last();
    let outcome = rest.take_last(|line| {
        if line.is("[Status: Command completed]") {
            return Some(exited(0, status, false));
        }
        if let Some(code) = line.number("[Status: Command failed with exit code ", "]") {
            return Some(exited(code, status, false));
        }
        line.between("[Status: ", "]").map(|_| Known::Unknown)
    });
    let Some(outcome) = outcome else { return refused(text) };
    Some(Said::of(outcome, rest.range()).told_by(line.range()))
}

/// Continue's command line: `Error (exit code 1): ` before what was printed.
pub(super) fn continue_line(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let mut rest = Rest::new(bytes);
    let first = rest.first();
    // Claude Code's tool has the same name. Its header stands for itself.
    if first.number("Exit code ", "").is_some_and(|code| code != 0) || bytes.starts_with(b"<persisted-output>\n") {
        return None;
    }
    if rest.take("Error (exit code ") {
        let code = rest.take_to("): ").and_then(|at| super::rest::number(&bytes[at]));
        if let Some(code) = code.filter(|&code| code != 0) {
            let head = first.range().start..rest.range().start;
            return Some(Said::of(exited(code, status, false), rest.range()).told_by(head));
        }
        rest = Rest::new(bytes);
    }
    if status != Some(Status::Ok)
        && let Some(said) = refused(text)
    {
        return Some(said);
    }
    let late = rest.last().between("[Command timed out after ", " seconds of no output]").is_some();
    if late {
        let line = rest.last().range();
        rest.take_last(|_| Some(()));
        return Some(Said::of(Known::Certain(Outcome::TimedOut), rest.range()).told_by(line));
    }
    let is_cut = memchr::memmem::find(first.bytes(), b" lines truncated)").is_some();
    let outcome = if status == Some(Status::Error) { Outcome::Failed } else { Outcome::Succeeded };
    let said = Said { is_by_silence: status.is_none(), ..Said::of(Known::Certain(outcome), rest.range()) };
    Some(if is_cut { Said { is_cut: Known::Unknown, ..said } } else { said })
}

/// Zed: what was printed is in a fence, and above it what came of a command that failed.
pub(super) fn zed(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let mut rest = Rest::new(bytes);
    if bytes == b"Command executed successfully." {
        return Some(Said::of(exited(0, status, false), bytes.len()..bytes.len()));
    }
    let first = rest.first();
    if bytes.starts_with(b"The user stopped this command.") {
        return Some(Said { printed: Known::Unknown, ..Said::only(Outcome::Interrupted, first.range()) });
    }
    let mut outcome = exited(0, status, false);
    let mut line = None;
    if rest.take("Command \"") {
        // The command may have several lines. What follows it ends the header.
        let failed = memchr::memmem::find(bytes, b"\" failed with exit code ");
        let late = memchr::memmem::find(bytes, b"\" timed out.");
        let (at, form, is_late) = match (failed, late) {
            (Some(failed), Some(late)) if late < failed => (late, "\" timed out.", true),
            (Some(failed), _) => (failed, "\" failed with exit code ", false),
            (None, late) => (late?, "\" timed out.", true),
        };
        let from = at + form.len();
        rest = Rest::new(bytes);
        rest.take_to(form)?;
        if !is_late {
            let code = rest.take_to(".")?;
            super::rest::number(&bytes[code]).filter(|&code| code != 0)?;
        }
        outcome = Known::Certain(if is_late { Outcome::TimedOut } else { Outcome::Failed });
        line = Some(first.range().start..from.max(rest.range().start));
    }
    while rest.take("\n") {}
    let is_cut = rest.take("Command output too long. The first ");
    if is_cut {
        rest.take_first(|_| Some(()));
        while rest.take("\n") {}
    }
    let has_fence = rest.take("```\n");
    if !has_fence && !rest.is_empty() {
        return refused(text);
    }
    if !has_fence && line.is_none() {
        return refused(text);
    }
    let is_closed = rest.take_end("\n```");
    let said = Said::of(outcome, rest.range()).cut_if(is_cut);
    let said = if has_fence && !is_closed { Said { printed: Known::Unknown, ..said } } else { said };
    Some(match line {
        Some(line) => said.told_by(line),
        None => said,
    })
}

/// Copilot in VS Code: the exit is nowhere in the text. Notes above it tell of another command than that of the call.
pub(super) fn vs_code(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let rest = Rest::new(text.bytes());
    if let Some(said) = refused(text) {
        return Some(said);
    }
    let is_note = |form: &str| text.bytes().starts_with(form.as_bytes());
    if is_note("ERROR while calling tool: ") {
        return Some(Said::only(Outcome::Failed, rest.first().range()));
    }
    if is_note("Note: This terminal execution was moved to the background using the ID") {
        return Some(Said { printed: Known::Unknown, ..Said::only(Outcome::Running, rest.first().range()) });
    }
    let is_other_command =
        ["Note: The tool simplified the command to", "Note: The user manually edited the command to"]
            .iter()
            .any(|form| is_note(form));
    let printed = if is_other_command { Known::Unknown } else { Known::Certain(rest.range()) };
    Some(Said { printed, is_other_command, ..Said::nothing(status) })
}

/// Copilot's command line: `<shellId: 4 completed with exit code 0>` below.
pub(super) fn copilot(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let mut rest = Rest::new(bytes);
    let line = rest.last();
    let completed = rest.take_last(|line| {
        let at = line.between("<shellId: ", ">")?;
        let words = &bytes[at];
        let space = memchr::memchr(b' ', words)?;
        super::rest::number(words[space..].strip_prefix(b" completed with exit code ")?)
    });
    if let Some(code) = completed {
        return Some(Said::of(exited(code, status, false), rest.range()).told_by(line.range()));
    }
    let running = line.between("<command with shellId: ", ">");
    if running.is_some_and(|at| memchr::memmem::find(&bytes[at], b" is still running after ").is_some()) {
        rest.take_last(|_| Some(()));
        return Some(Said::of(Known::Certain(Outcome::Running), rest.range()));
    }
    let first = rest.first();
    if first.bytes().starts_with(b"Output too large to read at once (") {
        return Some(Said { is_cut: Known::Certain(true), ..Said::nothing(status) });
    }
    refused(text)
}

/// deepagents: `[Command failed with exit code 1]` below. On the user's own machine `Exit code: 1` is above it.
pub(super) fn deep_agents(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let mut rest = Rest::new(bytes);
    let first = rest.first();
    if first.between("Error: Command timed out after ", "").is_some_and(|_| first.range() == rest.range()) {
        return Some(Said::only(Outcome::TimedOut, first.range()));
    }
    if bytes.starts_with(b"Tool result too large, ") {
        return Some(Said { is_cut: Known::Certain(true), ..Said::nothing(status) });
    }
    let is_cut = rest.take_last(|line| line.is("[Output was truncated due to size limits]").then_some(())).is_some();
    let line = rest.last();
    let code = rest.take_last(|line| {
        line.number("[Command succeeded with exit code ", "]").or(line.number("[Command failed with exit code ", "]"))
    });
    let Some(code) = code else { return refused(text) };
    rest.take_last(|line| line.number("Exit code: ", "").filter(|&own| own == code && code != 0));
    Some(Said::of(exited(code, status, false), rest.range()).cut_if(is_cut).told_by(line.range()))
}

/// Cursor's older terminal: `Exit code: 1`, `Command output:` above.
pub(super) fn cursor(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let line = rest.first();
    let Some(code) = rest.take_first(|line| line.number("Exit code: ", "")) else { return refused(text) };
    rest.take("\nCommand output:\n\n").then_some(())?;
    Some(Said { is_cut: Known::Unknown, ..Said::of(exited(code, status, false), rest.range()) }.told_by(line.range()))
}
