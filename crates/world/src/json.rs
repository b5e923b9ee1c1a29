//! Texts as JSON values.

use serde_json::Value;

use palimpsest_text::Text;

/// Parses `text`. Returns `None` if it is not JSON.
pub(crate) fn json(text: Text<'_>) -> Option<Value> {
    match text.units() {
        None => serde_json::from_slice(text.bytes()).ok(),
        Some(units) => serde_json::from_str(&String::from_utf16(units).ok()?).ok(),
    }
}
