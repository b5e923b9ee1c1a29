//! Blanks between the values of JSON.

use palimpsest_text::json::{is_json_structure, string_end};
use palimpsest_text::{Text, TextBuf};

/// A JSON text without blanks outside of strings. The order of members, and how strings and numbers are spelled, stays.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    if !is_json_structure(text) {
        return None;
    }
    let bytes = text.bytes();
    let mut shorter = TextBuf::new();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = string_end(bytes, at + 1) + 1;
        } else if is_blank(bytes[at]) {
            shorter.push(text.slice(from..at));
            at += bytes[at..].iter().take_while(|&&byte| is_blank(byte)).count();
            from = at;
        } else {
            at += 1;
        }
    }
    if from == 0 {
        return None;
    }
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn blanks_outside_of_strings_go() {
        for (before, after) in [
            ("{\n  \"b\": [1.50, \"a → \\\" b\"],\r\n\t\"a\": {}\n}\n", r#"{"b":[1.50,"a → \" b"],"a":{}}"#),
            (" [1e2 , null]", "[1e2,null]"),
        ] {
            assert_eq!(shown(shorter, before), after);
        }
    }

    #[test]
    fn what_is_no_json_or_has_none_stays() {
        for text in ["", "{ a: 1 }", "[1, 2", "\"a b\"", "1 ", r#"{"a b":[1,"c d"]}"#, "{ \"a\": 1 } and more"] {
            assert_eq!(shown(shorter, text), text);
        }
    }
}
