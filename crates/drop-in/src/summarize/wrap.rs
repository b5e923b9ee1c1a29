//! Wrapping of summaries.

use memchr::memmem;

use palimpsest_text::{Text, TextBuf};

/// The text around a summary.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping<'a> {
    /// The summary's id, if it is embedded in the text.
    pub id: Option<&'a str>,
    /// Number of messages that the summary stands for.
    pub merged: usize,
}

/// Text before the entities.
const ENTITIES: &str = " | entities: ";

/// Returns the summary in a text that [`wrap`] wrote.
pub fn unwrap(text: Text<'_>) -> Text<'_> {
    let bytes = text.bytes();
    let start = memmem::find(bytes, b": ").map_or(0, |at| at + 2);
    let end = memmem::rfind(bytes, ENTITIES.as_bytes()).unwrap_or(bytes.len().saturating_sub(1));
    text.slice(start.min(end)..end)
}

/// Writes a wrapped summary to `text`: `[summary: … (2 messages merged) | entities: a, b]`.
pub fn wrap(inner: Text<'_>, wrapping: Wrapping<'_>, entities: Option<Text<'_>>, text: &mut TextBuf) {
    text.clear();
    text.reserve(inner.len() + entities.map_or(0, Text::len) + 100);
    match wrapping.id {
        Some(id) => {
            text.push_str("[summary#");
            text.push_str(id);
            text.push_str(": ");
        }
        None => text.push_str("[summary: "),
    }
    text.push(inner);
    if wrapping.merged > 1 {
        text.push_str(&format!(" ({} messages merged)", wrapping.merged));
    }
    if let Some(entities) = entities.filter(|entities| !entities.is_empty()) {
        text.push_str(ENTITIES);
        text.push(entities);
    }
    text.push_str("]");
}
