//! Whether a text is JSON.

use serde::de::IgnoredAny;

use super::Text;

/// Whether `text`, trimmed, is a JSON object or array that `JSON.parse` accepts.
///
/// Checks the grammar only and builds no value, so neither depth nor the size of a number matters. The folded bytes
/// serve as they are: a unit that is not ASCII may stand in a string and nowhere else, whatever it is.
pub fn is_json_structure(text: Text<'_>) -> bool {
    let bytes = text.trim().bytes();
    matches!(bytes.first(), Some(b'{' | b'[')) && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}
