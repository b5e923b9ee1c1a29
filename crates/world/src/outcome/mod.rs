//! What came of a call, as its harness says it: in the field of the format, or in the lines that it writes above and below what the
//! program printed. What a program prints is never read for it.
//!
//! Agents share the names of tools, so a result may have several forms. What is certain is what all forms say that the text may have; see
//! [`Reports`].

mod claude_code;
mod cline;
mod codex;
mod editors;
mod files;
mod gemini;
mod openhands;
mod raw;
pub mod rejection;
mod rest;
mod said;
pub mod words;

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::known::Known;
use super::tools::{Report, Reports, ToolKind};
pub use said::{Directory, Exit, Outcome, Place, Said};

/// Reads the forms of commands, in the order of [`Report`].
const COMMANDS: [(Report, Reader); 24] = [
    (Report::Described, raw::described),
    (Report::ClaudeCode, claude_code::read),
    (Report::CodexExec, codex::exec),
    (Report::CodexShell, codex::shell),
    (Report::CodexScript, codex::script),
    (Report::Gemini, gemini::gemini),
    (Report::Qwen, gemini::qwen),
    (Report::Opencode, raw::opencode),
    (Report::Pi, raw::pi),
    (Report::Goose, raw::goose),
    (Report::Crush, raw::crush),
    (Report::Cline, cline::cline),
    (Report::ClineList, cline::list),
    (Report::Roo, cline::roo),
    (Report::ContinueEditor, editors::continue_editor),
    (Report::Continue, editors::continue_line),
    (Report::OpenHands, openhands::openhands),
    (Report::SweAgent, openhands::swe_agent),
    (Report::Mini, openhands::mini),
    (Report::Zed, editors::zed),
    (Report::VsCode, editors::vs_code),
    (Report::Copilot, editors::copilot),
    (Report::DeepAgents, editors::deep_agents),
    (Report::Cursor, editors::cursor),
];

/// Reads a result in one form. `None` if the harness writes no such text.
type Reader = fn(Text<'_>, Option<Status>) -> Option<Said>;

/// Returns what the harness says of a call with the result `text` and the format's own `status`, given the forms that the result may have and
/// what the tool does.
pub fn said(text: Text<'_>, status: Option<Status>, reports: Reports, kind: ToolKind) -> Said {
    let readers = COMMANDS.iter().filter(|(report, _)| reports.has(*report)).map(|&(_, reader)| reader);
    let commands = readers.filter_map(|reader| reader(text, status));
    let files = files::read(text, status, reports, kind);
    let silent = reports.has(Report::Silent).then(|| files::any(text, status, kind));
    let found = commands.chain(files).chain(silent).reduce(Said::agreed);
    let said = found.unwrap_or_else(|| files::any(text, status, kind));
    if status != Some(Status::Error) && !said.outcome.is_certain() && files::does_as_asked(text, kind) {
        return Said { outcome: Known::Certain(Outcome::Succeeded), is_by_silence: true, ..said };
    }
    said
}

/// Returns what came of a call; see [`said`].
pub fn outcome(text: Text<'_>, status: Option<Status>, reports: Reports, kind: ToolKind) -> Known<Outcome> {
    said(text, status, reports, kind).outcome
}

#[cfg(test)]
mod examples;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
