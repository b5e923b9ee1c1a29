//! Strings in JSON, such as what a command printed in `{ "stdout": "…" }`, or the content of an MCP tool: each is written as a result that says it.

use std::borrow::Cow;

use super::{RULES, Written};
use crate::fit::{Node, read};
use palimpsest_text::{Text, TextBuf};

/// Minimum length of a string that is worth a look, in UTF-16 code units, as of a result.
const MIN_LENGTH: usize = 24;

/// A JSON text with what `write` makes of its strings. One that it changes is spelled as `JSON.stringify` spells it.
pub(super) fn shorter(text: Text<'_>, write: impl Fn(Text<'_>) -> Written) -> Written {
    let mut all = Written::default();
    let Some(tree) = read(text) else { return all };
    let mut from = 0;
    for Node { start, end, .. } in tree.nodes {
        if text.bytes()[start] != b'"' || end - start < MIN_LENGTH {
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

    fn made(text: &str) -> String {
        shown(|text| written(text, Content::Terminal, true).text, text)
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
