//! OpenHands, SWE-agent and mini-swe-agent.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{OPEN_HANDS, refusal};
use super::rest::Rest;
use super::said::{Directory, Outcome, Place, Said, exited};
use crate::json::json;
use crate::known::Known;

/// OpenHands: below what was printed `[The command completed with exit code 0.]`, `[Current working directory: …]`, `[Python interpreter: …]`
/// and `[Command finished with exit code 0]`, the first and the last of which agree.
pub(super) fn openhands(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    let again = rest.take_last(|line| line.number("[Command finished with exit code ", "]"));
    rest.take_last(|line| line.between("[Python interpreter: ", "]"));
    let directory = rest
        .take_last(|line| line.between("[Current working directory: ", "]"))
        .map(|path| Directory { path, at: Place::End });
    let line = rest.last();
    let code = rest.take_last(|line| {
        let before = "[The command completed with exit code ";
        line.number(before, ".]").or(line.number(before, ". CTRL+C was sent.]"))
    });
    let is_waiting = code.is_none()
        && rest
            .take_last(|line| {
                line.between("[The command has no new output after ", "]")
                    .or(line.between("[The command timed out after ", "]"))
            })
            .is_some();
    let outcome = match (code, again) {
        _ if is_waiting => Known::Certain(Outcome::Running),
        (Some(-1), _) | (None, Some(-1)) => Known::Certain(Outcome::Running),
        (Some(code), Some(again)) if code != again => Known::Unknown,
        (Some(code), _) | (None, Some(code)) => exited(code, status, false),
        (None, None) if directory.is_none() => {
            return Some(Said::only(refusal(text, OPEN_HANDS)?, Rest::new(text.bytes()).first().range()));
        }
        (None, None) => Known::Unknown,
    };
    rest.take("[An error occurred during execution.]\n");
    rest.take("[Below is the output of the previous command.]\n");
    // The clip may take lines of the harness with it, but it stands in the middle.
    let is_clipped = memchr::memmem::find(rest.bytes(), b"<response clipped><NOTE>").is_some();
    let is_cut = if is_clipped { Known::Unknown } else { Known::Certain(false) };
    Some(Said { directory, is_cut, ..Said::of(outcome, rest.range()) }.told_by(line.range()))
}

/// SWE-agent: the exit is nowhere. Some configurations write the state below.
pub(super) fn swe_agent(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let mut rest = Rest::new(text.bytes());
    rest.take("OBSERVATION:\n");
    let prompt = rest.take_last(|line| matches!(line.bytes(), b"bash-$" | b"bash-$ ").then_some(()));
    let directory =
        rest.take_last(|line| line.between("(Current directory: ", ")")).map(|path| Directory { path, at: Place::End });
    if directory.is_some() {
        rest.take_last(|line| line.between("(Open file: ", ")"));
    } else if prompt.is_some() {
        rest = Rest::new(text.bytes());
    }
    let is_clipped = memchr::memmem::find(rest.bytes(), b"<response clipped><NOTE>").is_some();
    let is_old = rest.bytes().starts_with(b"Old environment output: (");
    let is_cut = if is_clipped || is_old { Known::Unknown } else { Known::Certain(false) };
    Some(Said { directory, printed: Known::Certain(rest.range()), is_cut, ..Said::nothing(status) })
}

/// mini-swe-agent: `{"returncode": 0, "output": "…"}`, or the same in tags.
pub(super) fn mini(text: Text<'_>, status: Option<Status>) -> Option<Said> {
    let bytes = text.bytes();
    let mut rest = Rest::new(bytes);
    if let Some(code) = rest.take_first(|line| line.number("<returncode>", "</returncode>")) {
        let is_cut =
            memchr::memmem::find(rest.bytes(), b"<output_head>\n").is_some() && !rest.bytes().starts_with(b"<output>");
        let outcome = outcome(code, status);
        if !is_cut {
            rest.take("<output>").then_some(())?;
            rest.take("\n");
            rest.take_end("\n");
            rest.take_end("</output>").then_some(())?;
        }
        let said = Said::of(outcome, rest.range())
            .cut_if(is_cut)
            .told_by(0..bytes.len().min(Rest::new(bytes).first().range().end));
        return Some(if is_cut { Said { printed: Known::Unknown, ..said } } else { said });
    }
    if !bytes.starts_with(b"{") {
        return Some(Said::only(refusal(text, OPEN_HANDS)?, rest.first().range()));
    }
    let value = json(text)?;
    let members = value.as_object()?;
    let names =
        ["returncode", "output", "output_head", "output_tail", "elided_chars", "warning", "exception_info", "extra"];
    members.keys().all(|name| names.contains(&name.as_str())).then_some(())?;
    let code = members.get("returncode")?.as_i64()?;
    let is_cut = members.contains_key("elided_chars");
    (is_cut || members.get("output")?.is_string()).then_some(())?;
    // What was printed is in a string, with escapes.
    Some(Said { printed: Known::Unknown, ..Said::of(outcome(code, status), 0..0).cut_if(is_cut) })
}

/// A code of -1 stands for an exception, mostly that the command took too long.
fn outcome(code: i64, status: Option<Status>) -> Known<Outcome> {
    exited(code, status, false)
}
