//! Strings in JSON, such as what a command printed in `{ "stdout": "…" }`, or the content of an MCP tool: each is written as a result that says it.

use std::borrow::Cow;

use super::{RULES, Written};
use crate::fit::{Node, read};
use palimpsest_text::json::string_end;
use palimpsest_text::{Text, TextBuf};

/// Minimum length of a string that is worth a look, in UTF-16 code units, as of a result.
const MIN_LENGTH: usize = 24;

/// Names of members that hold what a command printed: in objects that tools make of it, and in the content of MCP tools.
const PRINTED: [&[u8]; 6] = [b"content", b"output", b"result", b"stderr", b"stdout", b"text"];

/// A JSON text with what `write` makes of its strings; `may` says of which, by the name of the member, empty in an array. One that it changes
/// is spelled as `JSON.stringify` spells it.
pub(super) fn shorter(text: Text<'_>, may: impl Fn(&[u8]) -> bool, write: impl Fn(Text<'_>) -> Written) -> Written {
    let mut all = Written::default();
    let Some(tree) = read(text) else { return all };
    let mut from = 0;
    for Node { element, start, end, .. } in tree.nodes {
        if text.bytes()[start] != b'"' || end - start < MIN_LENGTH || !may(name(text, element)) {
            continue;
        }
        let said = characters(text.slice(start..end)).and_then(|string| serde_json::from_str::<String>(&string).ok());
        let Some(said) = said.map(|said| TextBuf::from(&*said)).filter(|said| said.len() >= MIN_LENGTH) else {
            continue;
        };
        let Written { text: Some(written), saved } = write(said.as_text()) else { continue };
        let Some(spelled) = characters(written.as_text()).and_then(|string| serde_json::to_string(&string).ok()) else {
            continue;
        };
        let spelled = TextBuf::from(&*spelled);
        if spelled.len() >= end - start {
            continue;
        }
        let shorter = all.text.get_or_insert_with(TextBuf::new);
        shorter.push(text.slice(from..start));
        shorter.push(spelled.as_text());
        from = end;
        (0..RULES).for_each(|rule| all.saved[rule] += saved[rule]);
    }
    if let Some(shorter) = &mut all.text {
        shorter.push(text.slice(from..text.len()));
    }
    all
}

/// Whether a member of that name holds what a command printed.
pub(super) fn is_printed(name: &[u8]) -> bool {
    PRINTED.contains(&name)
}

/// Whether a JSON text is what tools make of an output: `{ "stdout": … }`, `{ "output": …, "exit_code": 0 }`, or `{ "content": [{ "type": "text", … }] }`
/// of MCP. Other JSON is what the command itself printed, and what is in its strings no terminal has shown.
pub(super) fn is_envelope(text: Text<'_>) -> bool {
    let Some(tree) = read(text).filter(|_| text.trim().bytes().starts_with(b"{")) else { return false };
    let named =
        |wanted: &[&[u8]]| tree.children(0).find(|&member| wanted.contains(&name(text, tree.nodes[member].element)));
    let is_text = |item: usize| {
        let mut members = tree.children(item);
        members.any(|member| {
            let Node { element, start, end, .. } = tree.nodes[member];
            name(text, element) == b"type" && &text.bytes()[start..end] == b"\"text\""
        })
    };
    named(&[b"stdout"]).is_some()
        || named(&[b"output"]).and(named(&[b"metadata", b"returncode", b"exit_code", b"exitCode"])).is_some()
        || named(&[b"content"]).is_some_and(|content| {
            text.bytes()[tree.nodes[content].start] == b'[' && tree.children(content).all(is_text)
        })
}

/// The name of a member that begins at `element`; empty for an element of an array.
fn name(text: Text<'_>, element: usize) -> &[u8] {
    let bytes = text.bytes();
    if bytes.get(element) != Some(&b'"') {
        return b"";
    }
    &bytes[element + 1..string_end(bytes, element + 1)]
}

/// A text of whole characters; none of one that holds half of a surrogate pair.
fn characters(text: Text<'_>) -> Option<Cow<'_, str>> {
    match text.in_full(&mut Vec::new()).units() {
        Some(units) => String::from_utf16(units).ok().map(Cow::Owned),
        None => str::from_utf8(text.bytes()).ok().map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::super::{Content, written};
    use super::*;

    fn made(text: &str) -> String {
        shown(|text| shorter(text, |_| true, |string| written(string, Content::Terminal, false)).text, text)
    }

    #[test]
    fn each_string_is_written_as_it_would_be_alone() {
        let waiting = r#"\u001b[1mwaiting\u001b[0m for the \"lock\" → \ud83d\ude00\n"#;
        let before = format!(
            r#"{{ "a\/b": "{}", "b": ["as it \/ is spelled, and short", 1.50], "c": "{waiting}" }}"#,
            waiting.repeat(4)
        );
        let line = r#"waiting for the \"lock\" → 😀\n"#;
        let after =
            r#"{ "a\/b": "LINE[… 3 more times]\n", "b": ["as it \/ is spelled, and short", 1.50], "c": "LINE" }"#;
        assert_eq!(made(&before), after.replace("LINE", line));
    }

    #[test]
    fn what_tools_make_of_an_output() {
        let is = |text: &str| is_envelope(TextBuf::from(text).as_text());
        for text in [
            r#"{"stdout":"a"}"#,
            r#" {"output":"a","metadata":{"exit_code":0}}"#,
            r#"{"content":[{"type":"text","text":"a"}],"isError":false}"#,
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            r#"{"output":"a"}"#,
            r#"[{"stdout":"a"}]"#,
            r#"{"in":{"stdout":"a"}}"#,
            r#"{"content":"a"}"#,
            r#"{"content":[{"text":"a"}]}"#,
            r#"{"stdout":"a""#,
        ] {
            assert!(!is(text), "{text}");
        }
    }

    #[test]
    fn names_short_strings_and_what_the_user_said_stay() {
        let line = r#"     1→let a = 1;\n"#;
        let said = r#"The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"#;
        for text in [
            format!(r#"{{"{line}":1}}"#),
            r#"["   1→x\n   2→y"]"#.to_owned(),
            format!(r#"["{said}{}"]"#, line.repeat(3)),
            format!(r#""{line}""#),
        ] {
            assert_eq!(made(&text), text);
        }
    }

    #[test]
    fn escapes_are_read_and_written_as_javascript_does() {
        let line = r#"\f\t\"\\\/\u001F\u00e9\ud83d\uDE00 \r\n"#;
        let after = format!(r#"["{}[… 3 more times]\n"]"#, r#"\f\t\"\\/\u001fé😀 \r\n"#);
        assert_eq!(made(&format!(r#"["{}"]"#, line.repeat(4))), after);
    }

    #[test]
    fn half_of_a_surrogate_pair_stays() {
        let text = format!(r#"["{}"]"#, r#"waiting for the lock \ud800\n"#.repeat(9));
        assert_eq!(made(&text), text);
    }
}
