//! Recognition of JSON.

use serde::de::IgnoredAny;

use super::Text;

/// Returns whether `text`, trimmed, is a JSON object or array that `JSON.parse` accepts.
///
/// Checks only the grammar and builds no value, so neither depth nor the size of a number matters. The folded bytes
/// suffice, because any code unit outside of ASCII is allowed in strings and nowhere else.
pub fn is_json_structure(text: Text<'_>) -> bool {
    let bytes = text.trim().bytes();
    matches!(bytes.first(), Some(b'{' | b'[')) && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}
