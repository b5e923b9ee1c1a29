//! Harnesses that add nothing to what a successful command printed, or next to nothing.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{CRUSH, GOOSE, OPENCODE, refusal};
use super::rest::Rest;
use super::said::{Directory, Outcome, Place, Said, exited};
use crate::known::Known;

/// A tool that the caller describes.
pub(super) fn described(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let nothing = Said::nothing(status);
    Some(Said { printed: Known::Certain(0..text.len()), ..nothing })
}

/// opencode and Kilo. The exit is not in the text, and the format's flag tells only that the tool itself failed.
pub(super) fn opencode(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    if status != Some(Status::Ok)
        && let Some(outcome) = refusal(text, OPENCODE)
    {
        return Some(Said::only(outcome, rest.first().range()));
    }
    let mut said = Said::nothing(status);
    for (opening, closing) in [("<shell_metadata>", "\n</shell_metadata>"), ("<bash_metadata>", "\n</bash_metadata>")] {
        let mut before = rest;
        if !before.take_end(closing) {
            continue;
        }
        let Some(at) = memchr::memmem::rfind(before.bytes(), [opening, "\n"].concat().as_bytes()) else { continue };
        let note = &before.bytes()[at + opening.len() + 1..];
        let line = at + opening.len() + 1..before.range().end;
        let is_late = memchr::memmem::find(note, b"terminated command after exceeding timeout").is_some();
        let is_stopped = memchr::memmem::find(note, b"User aborted the command").is_some();
        if !is_late && !is_stopped {
            continue;
        }
        let outcome = if is_late { Outcome::TimedOut } else { Outcome::Interrupted };
        said = Said { outcome: Known::Certain(outcome), ..said }.told_by(line);
        rest = Rest::new(&text.bytes()[..at]);
        rest.take_end("\n\n");
        break;
    }
    let all = rest.range();
    let is_cut = rest.take("...output truncated...\n\nFull output saved to: ");
    if is_cut {
        rest.take_first(|_| Some(()));
        rest.take("\n");
    } else if rest.bytes() == b"(no output)" {
        rest.take("(no output)");
    }
    let is_other_cut =
        memchr::memmem::find(rest.bytes(), b"The tool call succeeded but the output was truncated.").is_some();
    let printed = if is_cut { rest.range() } else { all.start.max(rest.range().start)..all.end };
    let is_cut = match (is_cut, is_other_cut) {
        (true, _) => Known::Certain(true),
        (false, true) => Known::Unknown,
        (false, false) => Known::Certain(false),
    };
    Some(Said { printed: Known::Certain(printed), is_cut, ..said })
}

/// pi, whose flag is set when a command failed.
pub(super) fn pi(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    below(text, status, "\n\n")
}

/// goose, whose flag is set when a command failed.
pub(super) fn goose(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    if let Some(outcome) = refusal(text, GOOSE).filter(|_| status != Some(Status::Ok)) {
        return Some(Said::only(outcome, Rest::new(text.bytes()).first().range()));
    }
    below(text, status, "\n")
}

/// Reads the line below, which `space` separates from what was printed.
fn below(text: Text<'_>, status: Option<Status>, space: &str) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let line = rest.last();
    let code = line.number("Command exited with code ", "").filter(|&code| code != 0);
    let is_late = line.between("Command timed out after ", " seconds").is_some();
    let is_stopped = line.is("Command aborted");
    let told = if is_late {
        Some(Outcome::TimedOut)
    } else if is_stopped {
        Some(Outcome::Interrupted)
    } else {
        code.map(|_| Outcome::Failed)
    };
    // The line stands alone, or apart from what was printed.
    let before = &text.bytes()[..line.range().start];
    let told = told.filter(|_| before.is_empty() || before.ends_with(space.as_bytes()));
    let outcome = match (told, status) {
        // The flag says that the program printed this.
        (Some(_), Some(Status::Ok)) => {
            return Some(Said { printed: Known::Unknown, is_cut: Known::Unknown, ..Said::nothing(status) });
        }
        (Some(told), _) => Known::Certain(told),
        (None, Some(Status::Error)) => Known::Certain(Outcome::Failed),
        (None, _) => Known::Certain(Outcome::Succeeded),
    };
    if told.is_some() {
        rest.take_last(|_| Some(()));
        rest.take_end(&space[1..]);
    }
    let said = Said::of(outcome, 0..0).told_by(line.range());
    let said = if told.is_some() { said } else { Said { line: None, ..said } };
    let note = rest.last().bytes();
    let is_cut = (note.starts_with(b"[Showing lines ") && memchr::memmem::find(note, b"Full output: ").is_some())
        || (note.starts_with(b"[Output exceeded ") && memchr::memmem::find(note, b"Full output saved to ").is_some());
    if is_cut {
        rest.take_last(|_| Some(()));
        rest.take_end("\n");
    } else if rest.bytes() == b"(no output)" {
        rest.take("(no output)");
    }
    let is_by_silence = told.is_none() && status.is_none();
    Some(Said { printed: Known::Certain(rest.range()), is_by_silence, ..said }.cut_if(is_cut))
}

/// Crush: `Exit code 1` below what was printed, and below that the directory in which the call started.
pub(super) fn crush(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let path = rest.take_last(|line| line.between("<cwd>", "</cwd>"));
    let Some(path) = path else {
        let outcome = refusal(text, CRUSH)?;
        return Some(Said::only(outcome, rest.first().range()));
    };
    if !rest.take_end("\n") && !rest.is_empty() {
        return None;
    }
    let line = rest.last();
    let code = rest.take_last(|line| line.number("Exit code ", "").filter(|&code| code != 0));
    let is_stopped = code.is_none()
        && rest.take_last(|line| line.is("Command was aborted before completion").then_some(())).is_some();
    let outcome =
        if is_stopped { Known::Certain(Outcome::Interrupted) } else { exited(code.unwrap_or(0), status, false) };
    if rest.bytes() == b"no output" {
        rest.take("no output");
    }
    let is_cut = has_count(rest.bytes());
    let said = Said { directory: Some(Directory { path, at: Place::Start }), ..Said::of(outcome, rest.range()) };
    // A program may print the same mark.
    let is_cut = if is_cut { Known::Unknown } else { Known::Certain(false) };
    Some(Said { is_cut, ..said }.told_by(line.range()))
}

/// Returns whether a text has Crush's mark of a cut: `... [12 lines truncated] ...`.
fn has_count(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b" lines truncated] ...")
        .any(|at| text[..at].last().is_some_and(u8::is_ascii_digit))
}
