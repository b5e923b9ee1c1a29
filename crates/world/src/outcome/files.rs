//! Tools that read and change files. What they say themselves is at the start of a result. A read shows the file there, so words count as the
//! tool's only where the agent's layout of a file begins otherwise.

use palimpsest_history::transcript::Status;
use palimpsest_text::Text;

use super::rejection::{self, Form, refusal};
use super::rest::Rest;
use super::said::{Outcome, Said};
use crate::known::Known;
use crate::lines::line_number;
use crate::tools::{Report, Reports, ToolKind};

/// The words of an agent's file tools.
struct Words {
    report: Report,
    /// What a change begins with that succeeded.
    succeeded: &'static [&'static str],
    /// What any call begins with that failed.
    failed: &'static [&'static str],
    /// What a file begins with that is shown, if it isn't the file itself.
    shown: Shown,
    refusals: &'static [Form],
}

/// How a file that is shown begins.
#[derive(Clone, Copy)]
enum Shown {
    /// With its first line.
    Bare,
    /// With the number of the first line, or with one of these.
    After(&'static [&'static str]),
}

const AGENTS: [Words; 14] = [
    Words {
        report: Report::ClaudeCodeFiles,
        succeeded: &[
            "The file ",
            "File created successfully at: ",
            "Applied ",
            "Updated cell ",
            "Inserted cell ",
            "Deleted cell ",
        ],
        failed: &["<tool_use_error>", "File does not exist.", "EISDIR: illegal operation on a directory"],
        shown: Shown::After(&["<system-reminder>"]),
        refusals: rejection::CLAUDE_CODE,
    },
    Words {
        report: Report::CodexFiles,
        succeeded: &["Success. Updated the following files:"],
        failed: &["apply_patch verification failed: "],
        shown: Shown::Bare,
        refusals: rejection::CODEX,
    },
    Words {
        report: Report::GeminiFiles,
        succeeded: &[
            "Successfully modified file: ",
            "Successfully created and wrote to new file: ",
            "Successfully overwrote file: ",
            "Created new file: ",
            "The file: ",
        ],
        failed: &[],
        shown: Shown::Bare,
        refusals: rejection::GEMINI,
    },
    Words {
        report: Report::OpencodeFiles,
        succeeded: &["Edit applied successfully.", "Wrote file successfully.", "Success. Updated the following files:"],
        failed: &["apply_patch verification failed: "],
        shown: Shown::After(&["<path>", "<file>"]),
        refusals: rejection::OPENCODE,
    },
    Words {
        report: Report::PiFiles,
        succeeded: &["Successfully replaced ", "Successfully wrote "],
        failed: &[],
        shown: Shown::Bare,
        refusals: &[],
    },
    Words {
        report: Report::CrushFiles,
        succeeded: &["<result>"],
        failed: &[],
        shown: Shown::After(&["<file>"]),
        refusals: rejection::CRUSH,
    },
    Words {
        report: Report::ClineFiles,
        succeeded: &["The content was successfully saved to ", "Changes successfully applied to "],
        failed: &["The tool execution failed", "<error>"],
        shown: Shown::Bare,
        refusals: rejection::CLINE,
    },
    Words {
        report: Report::GooseFiles,
        succeeded: &["Edited ", "Created ", "Wrote "],
        failed: &[],
        shown: Shown::Bare,
        refusals: rejection::GOOSE,
    },
    Words {
        report: Report::OpenHandsFiles,
        succeeded: &["The file ", "File created successfully at: ", "Last edit to "],
        failed: &["ERROR:", "[An error occurred during execution.]", "No replacement was performed"],
        shown: Shown::After(&["Here's the "]),
        refusals: rejection::OPEN_HANDS,
    },
    Words {
        report: Report::SweAgentFiles,
        succeeded: &["Replaced ", "Text replaced.", "File updated.", "[File: "],
        failed: &[
            "Your proposed edit has introduced new syntax error",
            "[Your proposed edit has introduced new syntax error",
            "Text not found",
        ],
        shown: Shown::After(&["[File: "]),
        refusals: &[],
    },
    Words {
        report: Report::VsCodeFiles,
        succeeded: &["The following files were successfully edited:"],
        failed: &["ERROR while calling tool: "],
        shown: Shown::Bare,
        refusals: rejection::EDITORS,
    },
    Words { report: Report::ZedFiles, succeeded: &[], failed: &[], shown: Shown::Bare, refusals: rejection::EDITORS },
    Words {
        report: Report::CopilotFiles,
        succeeded: &["File ", "Created file "],
        failed: &[],
        shown: Shown::Bare,
        refusals: rejection::EDITORS,
    },
    Words {
        report: Report::DeepAgentsFiles,
        succeeded: &["Successfully replaced ", "Updated file "],
        failed: &[],
        shown: Shown::After(&[]),
        refusals: rejection::EDITORS,
    },
];

/// What a change begins with that failed, whoever made it: a result of a change begins with the tool's own words.
const CHANGE_FAILED: [&str; 21] = [
    "<tool_use_error>",
    "<tool_error>",
    "<error>",
    "The tool execution failed",
    "apply_patch verification failed",
    "ERROR:",
    "Error:",
    "error:",
    "[ERROR:",
    "[Error:",
    "[error:",
    "Error executing",
    "Error reading",
    "Error writing",
    "Error editing",
    "Failed to ",
    "No replacement was performed",
    "Text not found",
    "File not found",
    "File does not exist",
    "String to replace not found",
];

/// Returns what each agent's tool says whose result it may be.
pub(super) fn read(
    text: Text<'_>,
    status: Option<Status>,
    reports: Reports,
    kind: ToolKind,
) -> impl Iterator<Item = Said> + '_ {
    let agents = AGENTS.iter().filter(move |words| reports.has(words.report));
    // Codex' header is read elsewhere.
    let is_below = move |words: &&Words| words.report == Report::CodexFiles && text.bytes().starts_with(b"Exit code: ");
    agents.filter(move |words| !is_below(words)).map(move |words| said(text, status, words, kind))
}

/// Returns what a result says, whoever's it is.
pub(super) fn any(text: Text<'_>, status: Option<Status>, kind: ToolKind) -> Said {
    let said = Said::nothing(status);
    let begins = CHANGE_FAILED.iter().any(|form| text.bytes().starts_with(form.as_bytes()));
    if status.is_none() && is_change(kind) && begins {
        return Said { outcome: Known::Certain(Outcome::Failed), ..said };
    }
    said
}

/// Parts of words one of which stands in a sentence that tells why a tool did not do what it was asked for.
const DENIALS: [&[u8]; 22] = [
    b"not",
    b"n't",
    b"n\xE2\x80\x99t",
    b"no ",
    b"never",
    b"unable",
    b"fail",
    b"error",
    b"denied",
    b"refus",
    b"invalid",
    b"missing",
    b"unknown",
    b"abort",
    b"reject",
    b"cancel",
    b"skip",
    b"already",
    b"exceed",
    b"limit",
    b"wrong",
    b"?",
];

/// Returns whether a result of a tool for files, whose harness has no flag and no form that is known, is what the tool answers when it does
/// as asked: the first line of a change denies nothing, and a read shows more than a sentence, or one that denies nothing.
pub(super) fn does_as_asked(text: Text<'_>, kind: ToolKind) -> bool {
    /// Length of the longest sentence, in UTF-16 code units.
    const SENTENCE: usize = 400;
    let bytes = text.bytes();
    let begins =
        CHANGE_FAILED.iter().chain(&["Traceback ", "<error", "<tool_"]).any(|form| bytes.starts_with(form.as_bytes()));
    let first = Rest::new(bytes).first().range();
    let denies = || {
        let line = bytes[first.start..first.end.min(first.start + SENTENCE)].to_ascii_lowercase();
        DENIALS.iter().any(|word| memchr::memmem::find(&line, word).is_some())
    };
    match kind {
        _ if begins => false,
        ToolKind::Read => bytes.len() > SENTENCE || line_number(bytes).is_some() || !denies(),
        kind => is_change(kind) && !denies(),
    }
}

fn is_change(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Write | ToolKind::Edit | ToolKind::Patch)
}

fn said(text: Text<'_>, status: Option<Status>, words: &Words, kind: ToolKind) -> Said {
    let bytes = text.bytes();
    let begins = |forms: &[&str]| forms.iter().any(|form| bytes.starts_with(form.as_bytes()));
    let first = Rest::new(bytes).first().range();
    let whole = Said { is_cut: Known::Unknown, ..Said::of(Known::Unknown, 0..bytes.len()) };
    // Of what a bare file begins with, nothing is the tool's.
    let is_own = match (kind, words.shown) {
        (ToolKind::Read, Shown::Bare) => false,
        (ToolKind::Read, Shown::After(forms)) => !begins(forms) && line_number(bytes).is_none(),
        (kind, _) => is_change(kind),
    };
    let tag = bytes.starts_with(b"<tool_use_error>") && bytes.ends_with(b"</tool_use_error>");
    let failed = (is_own && (begins(words.failed) || begins(&CHANGE_FAILED))) || (tag && begins(words.failed));
    let refused = if is_own { refusal(text, words.refusals) } else { None };
    let outcome = match (status, refused.or(failed.then_some(Outcome::Failed))) {
        // The flag says that it is a file that was shown.
        (Some(Status::Ok), Some(_)) => Known::Unknown,
        (_, Some(outcome)) => Known::Certain(outcome),
        (Some(Status::Error), None) => Known::Certain(Outcome::Failed),
        (Some(Status::Ok), None) => Known::Certain(Outcome::Succeeded),
        (None, None) if is_change(kind) && begins(words.succeeded) => Known::Certain(Outcome::Succeeded),
        (None, None) if kind == ToolKind::Read && !is_own && matches!(words.shown, Shown::After(_)) => {
            Known::Certain(Outcome::Succeeded)
        }
        (None, None) => Known::Unknown,
    };
    Said { outcome, ..whole }.told_by(first)
}
