//! Recognition of JSON.

use serde::de::IgnoredAny;

use super::Text;

/// The place of the quote that ends the string in which `at` stands, or the end of `text`.
pub fn string_end(text: &[u8], at: usize) -> usize {
    let mut at = at.min(text.len());
    while let Some(found) = memchr::memchr2(b'"', b'\\', &text[at..]) {
        at += found;
        if text[at] == b'"' {
            return at;
        }
        at = (at + 2).min(text.len());
    }
    text.len()
}

/// Returns whether `text`, trimmed, is a JSON object or array that `JSON.parse` accepts.
///
/// Checks only the grammar and builds no value, so neither depth nor the size of a number matters. The folded bytes
/// suffice, because any code unit outside of ASCII is allowed in strings and nowhere else.
pub fn is_json_structure(text: Text<'_>) -> bool {
    let bytes = text.trim().bytes();
    matches!(bytes.first(), Some(b'{' | b'[')) && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}
