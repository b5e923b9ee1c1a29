//! The user's answers in place of tool results. Agents ask before they run a tool, and pass on the answer as the result: that the
//! user rejected the call and, often in the user's own words, what to do instead.

use std::ops::Range;
use std::sync::LazyLock;

use super::said::Outcome;
use crate::forms::{Automaton, Needles, automaton, is_blank, is_of_word, past_all};
use palimpsest_text::json::string_end;
use palimpsest_text::{Text, class};

/// Length of the start of a result in which forms are searched, in UTF-16 code units.
const WINDOW: usize = 600;

/// The user's answer to a call, passed on as its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the tool did not run, or was stopped.
    pub is_refusal: bool,
    /// Range of the user's own words, in UTF-16 code units, if any.
    pub words: Option<Range<usize>>,
}

/// Words one of which each form contains. Most results contain none of them near their start.
static SIGNS: LazyLock<Needles> = LazyLock::new(|| {
    let words = ["User", "user", "rejected", "denied", "not approved", "Cancelled", "<answer>"];
    Needles::new(&words.map(str::to_owned))
});
static LEAD: Automaton = automaton!("lead");
static JSON_LEAD: Automaton = automaton!("json_lead");
static REFUSAL: Automaton = automaton!("refusal");
static ACT: Automaton = automaton!("act");
static NOUN: Automaton = automaton!("noun");
static REMARK: Automaton = automaton!("remark");
static INTRODUCTION: Automaton = automaton!("introduction");
/// Form before the model's plan, which is not the user's words.
const PLAN: &[u8] = b"The agent proposed";
/// Form of Cline before the output so far, which the user's words follow.
const RUNNING: &[u8] = b"Command is still running in the user's terminal";
/// Form of OpenHands after the user's words.
const LAST_ACTION: &[u8] = b"[Last action has been rejected by the user]";

/// Returns whether a text starts with what the user did to what, near it: "The user rejected this tool call".
fn names_act(text: &[u8]) -> bool {
    const NEAR: usize = 60;
    let noun = ACT.end(text).and_then(|act| Some((act, NOUN.end_from(text, act)?)));
    noun.is_some_and(|(act, end)| {
        text[act..end].iter().rposition(|&byte| !is_of_word(byte)).is_some_and(|before| before < NEAR)
    })
}

/// Returns the user's answer that a tool's result passes on, if the user rejected, interrupted or approved the call, or was asked
/// by it. The form has to be at the start of the result: a quoted answer does not count. Reads the first 600 code units,
/// and more only if they contain a form.
pub fn users_answer(text: Text<'_>) -> Option<Answer> {
    let bytes = text.bytes();
    let window = &bytes[..bytes.len().min(WINDOW)];
    if bytes.ends_with(LAST_ACTION) {
        let start = LEAD.end(window).unwrap_or(0).min(bytes.len() - LAST_ACTION.len());
        return Some(Answer { is_refusal: true, words: trimmed(bytes, start..bytes.len() - LAST_ACTION.len()) });
    }
    SIGNS.find(window, 0)?;
    let json = if window.starts_with(b"{") || window.starts_with(b"[{") { JSON_LEAD.end(window) } else { None };
    let start = json.unwrap_or_else(|| LEAD.end(window).unwrap_or(0));
    let window = &window[start..];
    if window.starts_with(RUNNING) {
        return remark_at_end(bytes).map(|words| Answer { is_refusal: false, words: Some(words) });
    }
    let is_refusal = REFUSAL.is_at_start(window) || names_act(window);
    if !is_refusal && !REMARK.is_at_start(window) {
        return None;
    }
    let introduced = if window.starts_with(PLAN) { None } else { INTRODUCTION.end(window) };
    let words = introduced.and_then(|at| {
        let start = start + at;
        let end = if json.is_some() { string_end(bytes, start) } else { bytes.len() };
        trimmed(bytes, start..end)
    });
    Some(Answer { is_refusal, words })
}

/// Returns the range between the last pair of feedback tags, if the text ends with it.
fn remark_at_end(bytes: &[u8]) -> Option<Range<usize>> {
    let opening = b"The user provided the following feedback:\n<feedback>";
    let end = bytes.trim_ascii_end().strip_suffix(b"</feedback>")?.len();
    let start = memchr::memmem::rfind(&bytes[..end], opening)? + opening.len();
    trimmed(bytes, start..end)
}

/// Trims white space and tags around the words.
fn trimmed(bytes: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let (mut start, mut end) = class::trim(bytes, range.start, range.end);
    if bytes[start..end].starts_with(b"<feedback>") {
        start += b"<feedback>".len();
    }
    // The user may write such a tag too, so only the last one counts.
    for closing in [&b"</feedback>"[..], b"</answer>", b"</user_message>", b"</tool_use_error>", b"</error>"] {
        if let Some(rest) = bytes[start..end].strip_suffix(closing) {
            end = start + rest.len();
        }
    }
    let (start, end) = class::trim(bytes, start, end);
    (start < end).then_some(start..end)
}

/// Returns the range of the user's own words in a tool's result, in UTF-16 code units; see [`users_answer`].
pub fn users_words(text: Text<'_>) -> Option<Range<usize>> {
    users_answer(text)?.words
}

/// A form in which a harness says that a call was refused or stopped: how it begins, what else its first line has, and what it says. It is all
/// that there is if it [`ENDS`].
pub(super) type Form = (&'static str, &'static str, Outcome);

use Outcome::{Interrupted, Refused};

/// Nothing follows the form.
const ENDS: &str = "\n";

pub(super) const CLAUDE_CODE: &[Form] = &[
    ("The user doesn't want to proceed with this tool use.", "", Refused),
    ("The user doesn't want to take this action right now.", "", Refused),
    ("Permission for this action was denied by the Claude Code auto mode classifier.", "", Refused),
    ("Permission to use ", " has been denied.", Refused),
    ("PreToolUse:", " hook error: ", Refused),
    ("claude-", " is temporarily unavailable, so auto mode cannot determine the safety of ", Refused),
    ("[Request interrupted by user", "", Interrupted),
];
pub(super) const CODEX: &[Form] = &[
    ("exec command rejected by user", "", Refused),
    ("patch rejected by user", "", Refused),
    ("rejected by user", "", Refused),
    ("user rejected MCP tool call", "", Refused),
    ("aborted by user", "", Interrupted),
];
pub(super) const GEMINI: &[Form] = &[
    ("[Operation Cancelled] Reason: ", "", Interrupted),
    ("Tool execution denied by policy.", "", Refused),
    ("Plan rejected. User feedback: ", "", Refused),
    ("Command was cancelled by user", "", Interrupted),
    ("User cancelled tool execution.", "", Interrupted),
];
pub(super) const OPENCODE: &[Form] = &[
    ("The user rejected permission to use this specific tool call.", ENDS, Refused),
    ("The user rejected permission to use this specific tool call with the following feedback: ", "", Refused),
    ("The user has specified a rule which prevents", "", Refused),
    ("The user dismissed this question", ENDS, Refused),
    ("[Tool execution was interrupted]", ENDS, Interrupted),
    ("Tool execution aborted", ENDS, Interrupted),
];
pub(super) const CRUSH: &[Form] = &[
    ("User denied permission", ENDS, Refused),
    ("user cancelled assistant tool calling", ENDS, Interrupted),
    ("Command was aborted before completion", ENDS, Interrupted),
];
pub(super) const GOOSE: &[Form] = &[("The user has declined to run this tool.", "", Refused)];
/// Cline and Roo.
pub(super) const CLINE: &[Form] = &[
    ("The user denied this operation.", ENDS, Refused),
    ("The user denied this operation and provided the following feedback", "", Refused),
    ("Tool \"", "\" was not approved", Refused),
    ("Task was interrupted before this tool call could be completed.", "", Interrupted),
];
/// OpenHands and mini-swe-agent.
pub(super) const OPEN_HANDS: &[Form] = &[
    ("Action rejected: ", "", Refused),
    ("The action has been rejected by the user", "", Refused),
    ("User rejected the tool call for ", "", Refused),
    ("Interrupted by user: ", "", Interrupted),
    ("Commands not executed. The user rejected", "", Refused),
];
/// Zed, Copilot, Continue, Cursor and deepagents.
pub(super) const EDITORS: &[Form] = &[
    ("The user stopped this command.", "", Interrupted),
    ("The user cancelled the tool call.", "", Refused),
    ("The user cancelled this tool call.", "", Refused),
    ("The user rejected this tool call.", "", Refused),
    ("Permission denied by user", ENDS, Refused),
    ("Command blocked by security policy", "", Refused),
    ("User chose to skip this command", ENDS, Refused),
    ("Tool call ", " was cancelled - another message came in", Interrupted),
];

/// Tags and lines that may precede a form.
const LEADS: [&str; 5] = ["<tool_use_error>", "<error>", "OBSERVATION:\n", "Error: ", "ERROR: "];

/// Returns whether a result is one of the `forms` in which a harness says that a call was refused or stopped. The form has to be where the
/// harness writes it: at the start, or in the member of an object that is there for it.
pub(super) fn refusal(text: Text<'_>, forms: &[Form]) -> Option<Outcome> {
    let bytes = text.bytes();
    let said = if bytes.starts_with(b"{") { member(bytes)? } else { after_lead(bytes) };
    let first = memchr::memchr(b'\n', said).map_or(said, |end| &said[..end]);
    let is = |&&(start, later, _): &&Form| {
        first.strip_prefix(start.as_bytes()).is_some_and(|rest| match later {
            ENDS => {
                [&b""[..], b".", b"</tool_use_error>", b"</error>"].contains(&&said[start.len()..])
                    || rest.starts_with(b"\"")
            }
            later => later.is_empty() || memchr::memmem::find(rest, later.as_bytes()).is_some(),
        })
    };
    forms.iter().find(is).map(|&(.., outcome)| outcome)
}

/// Returns what follows a line of the harness that stands before all it says.
fn after_lead(text: &[u8]) -> &[u8] {
    const TOOK: &[u8] = b"Wall time: ";
    let first = memchr::memchr(b'\n', text).map_or(text, |end| &text[..end]);
    let has_lead = (first.starts_with(b"[") && first.ends_with(b"] Result:")) || first.starts_with(TOOK);
    let text = if has_lead && first.len() < text.len() { &text[first.len() + 1..] } else { text };
    LEADS.iter().find_map(|lead| text.strip_prefix(lead.as_bytes())).unwrap_or(text)
}

/// Returns the start of what an object says, in its first member or after its status: `{"error": "…"}`, `{"message": "…"}`,
/// `{"status": "denied", "message": "…"}`.
fn member(object: &[u8]) -> Option<&[u8]> {
    fn after<'a>(text: &'a [u8], token: &str) -> Option<&'a [u8]> {
        past_all(text, is_blank).strip_prefix(token.as_bytes())
    }
    let mut rest = after(object, "{")?;
    if let Some(status) = after(rest, "\"status\"") {
        rest = after(after(after(status, ":")?, "\"denied\"")?, ",")?;
    }
    let value = after(rest, "\"error\"").or_else(|| after(rest, "\"message\""))?;
    after(after(value, ":")?, "\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    /// The user's words in the forms below.
    const SAID: &str =
        "First move <b>build/keep</b>: to /tmp.\nThen “remove” only build/out.\n\nError: never touch 灯台 😀";

    fn words(text: &str) -> Option<String> {
        let text = TextBuf::from(text);
        let range = users_words(text.as_text())?;
        let said = text.as_text().slice(range);
        let ascii = || said.bytes().iter().map(|&byte| u16::from(byte)).collect();
        Some(String::from_utf16(&said.units().map_or_else(ascii, <[u16]>::to_vec)).unwrap())
    }

    fn refused(text: &str) -> bool {
        users_answer(TextBuf::from(text).as_text()).is_some_and(|answer| answer.is_refusal)
    }

    #[test]
    fn the_users_words_in_each_form() {
        let claude = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
        for (form, is_refusal) in [
            (format!("{claude} To tell you how to proceed, the user said:\n{SAID}"), true),
            (format!("{claude} The user provided the following reason for the rejection:  {SAID}"), true),
            (
                format!("<tool_use_error>{claude} To tell you how to proceed, the user said:\n{SAID}</tool_use_error>"),
                true,
            ),
            (
                format!(
                    "The user doesn't want to take this action right now. To tell you how to proceed, the user said:\n{SAID}"
                ),
                true,
            ),
            (
                format!(
                    "The user denied this operation and provided the following feedback:\n<feedback>\n{SAID}\n</feedback>"
                ),
                true,
            ),
            (
                format!(
                    "[execute_command for 'rm -rf build'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\n{SAID}\n</feedback>"
                ),
                true,
            ),
            (
                format!(
                    "The user approved this operation and provided the following context:\n<feedback>\n{SAID}\n</feedback>"
                ),
                false,
            ),
            (
                format!(
                    "The user has provided feedback on the results. Consider their input to continue the task, and then attempt completion again.\n<feedback>\n{SAID}\n</feedback>"
                ),
                false,
            ),
            (
                format!(
                    "Command is still running in the user's terminal.\nHere's the output so far:\nthe user said: no\n\nThe user provided the following feedback:\n<feedback>\n{SAID}\n</feedback>"
                ),
                false,
            ),
            (format!("<answer>\n{SAID}\n</answer>"), false),
            (format!("exec command rejected by user: {SAID}"), true),
            (format!("[Operation Cancelled] Reason: {SAID}"), true),
            (
                format!(
                    "The user rejected permission to use this specific tool call with the following feedback: {SAID}"
                ),
                true,
            ),
            (
                format!(
                    "Error: The user rejected permission to use this specific tool call with the following feedback: {SAID}"
                ),
                true,
            ),
            (format!("Action rejected: {SAID}"), true),
            (format!("OBSERVATION:\n{SAID}\n[Last action has been rejected by the user]"), true),
            (format!("The action has been rejected by the user: {SAID}"), true),
            (format!("User rejected the tool call for `bash` with id call_1. Reason: {SAID}"), true),
            (format!("The user rejected this tool call. User feedback: {SAID}"), true),
            (format!("User has answered your questions: {SAID}"), false),
        ] {
            assert_eq!(words(&form).as_deref(), Some(SAID), "{form}");
            assert_eq!(refused(&form), is_refusal, "{form}");
        }
    }

    #[test]
    fn the_users_words_in_json() {
        let said = serde_json::to_string(SAID).unwrap();
        let inner = &said[1..said.len() - 1];
        for form in [
            format!(
                r#"{{"status":"denied","message":"The user denied this operation and provided the following feedback","feedback":{said}}}"#
            ),
            format!(
                "{{\n  \"status\": \"denied\",\n  \"message\": \"The user denied this operation and provided the following feedback\",\n  \"feedback\": {said}\n}}"
            ),
            format!(r#"{{"error":"[Operation Cancelled] Reason: {inner}"}}"#),
            format!(
                r#"[{{"type":"text","text":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n{inner}"}}]"#
            ),
        ] {
            assert!(words(&form).is_some_and(|words| words.ends_with(inner)), "{form}");
            assert!(refused(&form), "{form}");
        }
    }

    #[test]
    fn rejections_without_words() {
        for form in [
            "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
            "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
            "[Request interrupted by user for tool use]",
            "[Request interrupted by user]",
            "The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode rather than proceed with implementation.\n\nRejected plan:\nmessage: x",
            "The user denied this operation.",
            "exec command rejected by user",
            "patch rejected by user",
            "rejected by user",
            "aborted by user after 3.2s",
            "Wall time: 3.2 seconds\naborted by user",
            "user rejected MCP tool call",
            "Command was cancelled by user before it could complete.",
            "User cancelled tool execution.",
            "The user rejected permission to use this specific tool call.",
            "The user dismissed this question",
            "User rejected the tool call for `book:flight` with id call_1",
            "Tool execution was not approved.",
            "Tool execution denied.",
            "User chose to skip this command",
            "The user has declined to run this tool. DO NOT attempt to call this tool again.",
            r#"{"status":"denied","message":"The user denied this operation."}"#,
        ] {
            assert_eq!(words(form), None, "{form}");
            assert!(refused(form), "{form}");
        }
    }

    #[test]
    fn a_quotation_is_no_answer() {
        let form =
            "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNo.";
        for text in [
            format!("     1\t{form}"),
            format!("1→{form}"),
            format!("src/messages.ts:3: \"{form}\""),
            format!("const REJECTED = \"{form}\";"),
            format!("Exit code 1\n{form}"),
            format!("# Rejections\n\n{form}"),
            format!("diff --git a/x b/x\n+{form}"),
            format!("{}{form}", "x\n".repeat(400)),
            format!(r#"{{"rows":[{{"id":"u","text":"see: {form}"}}]}}"#),
            "User login failed: x".to_owned(),
            "User rejected: bad e-mail".to_owned(),
            "The user denied: x".to_owned(),
            "Users: 3 rejected, 2 denied".to_owned(),
            "The user's words were: x".to_owned(),
            "user rejected".to_owned(),
            "Command is still running in the user's terminal.\nHere's the output so far:\nthe user said: no".to_owned(),
            "x: rejected by user: y".to_owned(),
            String::new(),
        ] {
            assert_eq!(users_answer(TextBuf::from(text.as_str()).as_text()), None, "{text}");
        }
    }

    #[test]
    fn broken_forms_do_no_harm() {
        let forms = [
            r#"{"error":"The user denied this operation: \"#,
            "[Last action has been rejected by the user]",
            "OBSERVATION:\n[Last action has been rejected by the user]",
            "The user denied this operation and provided the following feedback:\n<feedback>",
            "The user denied this operation and provided the following feedback:\n<feedback></feedback>",
            "The user denied this operation:",
        ];
        for form in forms {
            for end in (0..=form.len()).filter(|&end| form.is_char_boundary(end)) {
                words(&form[..end]);
            }
            assert!(words(form).is_none_or(|words| words == "\\"), "{form}");
        }
    }
}
