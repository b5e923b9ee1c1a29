//! What programs send as the user's text: rules of the project, skills, summaries of what was said before, notices.

use std::ops::Range;

use crate::fit::policy::policy;
use palimpsest_text::Text;
use palimpsest_text::lines::lf_lines;

/// What a stretch of a user's text is, that no person wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fit) enum Source {
    /// Standing instructions: of the project, of an editor, of a skill.
    Rules,
    /// A summary in the place of what was said before.
    Summary,
    /// Anything else: the end of a task in the background, an interruption.
    Notice,
    /// A result of a tool.
    Result,
}

/// A stretch of a user's text that no person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::fit) struct Injected {
    /// In UTF-16 code units.
    pub range: Range<usize>,
    pub source: Source,
}

/// Beginnings of texts that are all a program's.
const HEADS: [(&[u8], Source); 20] = [
    (b"# AGENTS.md", Source::Rules),
    (b"# CLAUDE.md", Source::Rules),
    (b"# GEMINI.md", Source::Rules),
    (b"# claudeMd", Source::Rules),
    (b"Base directory for this skill:", Source::Rules),
    (b"Contents of /", Source::Rules),
    (b"Instructions from: ", Source::Rules),
    (b"# Project Context", Source::Rules),
    (b"--- Newly Discovered Project Context", Source::Rules),
    (b"--- Context from: ", Source::Rules),
    (b"This is the Gemini CLI.", Source::Rules),
    (b"This session is being continued", Source::Summary),
    (b"The conversation history before this point was compacted", Source::Summary),
    (b"Another language model started to solve this problem", Source::Summary),
    (b"You are in the middle of a conversation that has been summarized", Source::Summary),
    (b"## Conversation Summary", Source::Summary),
    (b"Caveat: ", Source::Notice),
    (b"[Request interrupted", Source::Notice),
    (b"[TASK RESUMPTION]", Source::Notice),
    (b"[SYSTEM", Source::Notice),
];

/// Names of elements that programs put into a user's text, beside what the user says. An element ends with its tag, or with the text.
const ELEMENTS: [(&[u8], Source); 37] = [
    (b"system-reminder", Source::Rules),
    (b"system_reminder", Source::Rules),
    (b"INSTRUCTIONS", Source::Rules),
    (b"user_instructions", Source::Rules),
    (b"permissions", Source::Rules),
    (b"collaboration_mode", Source::Rules),
    (b"multi_agent_mode", Source::Rules),
    (b"model_switch", Source::Rules),
    (b"skills_instructions", Source::Rules),
    (b"plugins_instructions", Source::Rules),
    (b"apps_instructions", Source::Rules),
    (b"environment_context", Source::Rules),
    (b"environment_info", Source::Rules),
    (b"workspace_info", Source::Rules),
    (b"skill", Source::Rules),
    (b"available_skills", Source::Rules),
    (b"loaded_context", Source::Rules),
    (b"project_context", Source::Rules),
    (b"session_context", Source::Rules),
    (b"hook_context", Source::Rules),
    (b"custom_instruction", Source::Rules),
    (b"custom_instructions", Source::Rules),
    (b"reminderInstructions", Source::Rules),
    (b"user_rules", Source::Rules),
    (b"project_rules", Source::Rules),
    (b"agent_memory", Source::Rules),
    (b"REPO_CONTEXT", Source::Rules),
    (b"state_snapshot", Source::Summary),
    (b"conversation-summary", Source::Summary),
    (b"conversation-checkpoint", Source::Summary),
    (b"environment_details", Source::Notice),
    (b"local-command-caveat", Source::Notice),
    (b"local-command-stdout", Source::Notice),
    (b"returncode", Source::Result),
    (b"observation", Source::Result),
    (b"tool_result", Source::Result),
    (b"function_results", Source::Result),
];

/// Names of elements in which agents pass on what the user says.
const SPOKEN: [&[u8]; 10] = [
    b"answer",
    b"feedback",
    b"prompt",
    b"query",
    b"question",
    b"task",
    b"userRequest",
    b"user_input",
    b"user_message",
    b"user_query",
];

/// The stretches of a user's text that no person wrote, in order. Linear in its length.
pub(in crate::fit) fn injected(text: Text<'_>) -> Vec<Injected> {
    let bytes = text.bytes();
    let start = bytes.len() - bytes.trim_ascii_start().len();
    let is_long = text.trim().len() > policy().speech.short;
    // A short notice is as good as a word of the user's: that they stopped the model.
    let is_head =
        |&&(head, source): &&(&[u8], Source)| bytes[start..].starts_with(head) && (is_long || source != Source::Notice);
    let head = HEADS.iter().find(is_head);
    let mut found = Vec::new();
    let mut end = 0;
    if let Some(&(_, source)) = head {
        // What comes after the instructions of the project may be the user's.
        let tag = b"</INSTRUCTIONS>";
        end = memchr::memmem::find(bytes, tag)
            .filter(|_| source == Source::Rules)
            .map_or(bytes.len(), |at| at + tag.len());
        found.push(Injected { range: start..end, source });
    }
    for (at, _) in lf_lines(bytes) {
        let at = at + bytes[at..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        if at < end {
            continue;
        }
        let Some(name) = element(&bytes[at..]) else { continue };
        let known = ELEMENTS.iter().find(|(other, _)| *other == name).map(|&(_, source)| source);
        let is_all = at <= start && is_long && !SPOKEN.contains(&name);
        let Some(source) = known.or(is_all.then_some(Source::Notice)) else { continue };
        end = match (known, source) {
            (None, _) | (_, Source::Result) => bytes.len(),
            _ => end_of(bytes, at, name),
        };
        found.push(Injected { range: at..end, source });
    }
    found
}

/// The name of the element that begins here.
fn element(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"<")?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    (length > 0 && matches!(rest.get(length), Some(b'>' | b' ' | b'\n'))).then(|| &rest[..length])
}

/// The end of the element with this name that begins at `at`: behind its closing tag, or that of the text.
fn end_of(bytes: &[u8], at: usize, name: &[u8]) -> usize {
    let tag = [b"</", name, b">"].concat();
    memchr::memmem::find(&bytes[at..], &tag).map_or(bytes.len(), |end| at + end + tag.len())
}

/// What two versions of the same instructions have in common: their first lines, and the files that they name.
pub(super) fn key(text: Text<'_>) -> String {
    const LINES: usize = 2;
    let bytes = text.bytes();
    let lines = lf_lines(bytes).filter(|&(start, end)| !bytes[start..end].trim_ascii().is_empty());
    let is_named = |&(number, (start, end)): &(usize, (usize, usize))| {
        number < LINES || bytes[start..end].trim_ascii().starts_with(b"Contents of ")
    };
    let named = lines.enumerate().filter(is_named);
    named.map(|(_, (start, end))| text.slice(start..end).trim().to_string_lossy() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    fn stretches(text: &str) -> Vec<(String, Source)> {
        let found = injected(TextBuf::from(text).as_text());
        found.into_iter().map(|Injected { range, source }| (text[range].to_owned(), source)).collect()
    }

    #[test]
    fn what_a_program_says_is_told_from_the_words_beside_it() {
        let reminder = "<system-reminder>\n# claudeMd\n- Never push.\n</system-reminder>";
        assert_eq!(
            stretches(&format!("{reminder}\n\nMend the export.")),
            [(reminder.to_owned(), Source::Rules)],
            "the request is the user's"
        );
        assert_eq!(
            stretches(&format!("Mend it.\n{reminder}\nToday.\n{reminder}")),
            [(reminder.to_owned(), Source::Rules), (reminder.to_owned(), Source::Rules)]
        );
        let agents = "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n- Use pnpm.\n</INSTRUCTIONS>";
        assert_eq!(stretches(&format!("{agents}\nMend it.")), [(agents.to_owned(), Source::Rules)]);
        assert_eq!(
            stretches("<returncode>0</returncode>\n<output>\nok"),
            [("<returncode>0</returncode>\n<output>\nok".to_owned(), Source::Result)]
        );
        let notice = format!("<task-notification>\n{}", "It ended. ".repeat(40));
        assert_eq!(stretches(&notice), [(notice.clone(), Source::Notice)]);
    }

    #[test]
    fn what_a_person_writes_stays_the_persons() {
        let long = "and this goes on ".repeat(30);
        for text in [
            "Why does <Button> not render?".to_owned(),
            format!("<task>{long}</task>"),
            format!("Look:\n<div>\n{long}\n</div>"),
            "<ul><li>one</li></ul> is what I see".to_owned(),
            format!("a < b\n<skillful>\n{long}"),
            String::new(),
        ] {
            assert_eq!(stretches(&text), [], "{text}");
        }
    }
}
