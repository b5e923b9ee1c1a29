//! Claude Code's commands. The format's flag is always there, but some formats to which its sessions are converted lose it.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{CLAUDE_CODE, refusal};
use super::rest::Rest;
use super::said::{Directory, Outcome, Place, Said};
use crate::known::Known;

pub(super) fn read(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let mut rest = Rest::new(bytes);
    if status != Some(Status::Ok) {
        let is_error = bytes.starts_with(b"<tool_use_error>") && bytes.ends_with(b"</tool_use_error>");
        if let Some(outcome) = refusal(text, CLAUDE_CODE).or(is_error.then_some(Outcome::Failed)) {
            return Some(Said::only(outcome, rest.first().range()));
        }
    }
    if starts_in_background(bytes) {
        return Some(Said { line: None, ..Said::only(Outcome::Running, 0..bytes.len()) });
    }
    let header = rest.first();
    let code = rest.take_first(|line| line.number("Exit code ", "").filter(|&code| code != 0));
    let timed_out = code.is_some_and(|code| code == 143 || code == 124)
        && rest.take_first(|line| line.bytes().starts_with(b"Command timed out after ").then_some(())).is_some();
    let outcome = match (code, status) {
        // The flag says that the program printed this.
        (Some(_), Some(Status::Ok)) => Known::Unknown,
        (Some(_), _) if timed_out => Known::Certain(Outcome::TimedOut),
        (Some(_), _) | (None, Some(Status::Error)) => Known::Certain(Outcome::Failed),
        (None, _) => Known::Certain(Outcome::SucceededOrBenign),
    };
    let mut directory = None;
    // Each at most once, in any order.
    for _ in 0..2 {
        let moved = rest.take_last(|line| line.between("Shell cwd was reset to ", "").filter(|path| !path.is_empty()));
        directory = directory.or(moved.map(|path| Directory { path, at: Place::End }));
        rest.take_last(|line| line.between("[This command modified ", "]"));
    }
    if ["(Bash completed with no output)", "(PowerShell completed with no output)"]
        .iter()
        .any(|none| rest.first().is(none))
        && rest.first().range() == rest.range()
    {
        rest.take_last(|_| Some(()));
    }
    let is_cut = rest.bytes().starts_with(b"<persisted-output>\nOutput too large (");
    if is_cut {
        rest.take_to("\nPreview (first ").and_then(|_| rest.take_to(":\n"));
        rest.take_end("</persisted-output>");
        rest.take_end("\n...\n");
    }
    let is_uncertain = code.is_some() && status == Some(Status::Ok);
    let is_by_silence = code.is_none() && status.is_none();
    let said = Said { directory, is_by_silence, ..Said::of(outcome, rest.range()) }.cut_if(is_cut);
    let said = if code.is_some() { said.told_by(header.range()) } else { said };
    Some(if is_uncertain { Said { printed: Known::Unknown, ..said } } else { said })
}

/// Returns whether a result only says that the command goes on in the background.
fn starts_in_background(text: &[u8]) -> bool {
    let first = Rest::new(text).first().bytes();
    let says = |form: &[u8]| memchr::memmem::find(first, form).is_some();
    (first.starts_with(b"Command running in background with ID: ")
        || (first.starts_with(b"Command did not complete within its ")
            && says(b" and was moved to the background (ID: ")))
        && says(b"Output is being written to: ")
}
