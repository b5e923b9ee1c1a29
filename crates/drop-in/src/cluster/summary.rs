//! Labels and summaries of clusters.

use super::MAX_LABELLED;
use palimpsest_text::{Text, TextBuf};

/// Maximum length of the excerpt of a message, in UTF-16 code units.
const MAX_LENGTH: usize = 100;

/// Returns the label of a cluster that shares the entities `shared`; `first` is the position of its first message.
pub fn cluster_label<'a>(shared: impl Iterator<Item = Text<'a>>, first: usize) -> TextBuf {
    let mut label = TextBuf::new();
    for entity in shared.take(MAX_LABELLED) {
        label.push_str(if label.is_empty() { "" } else { ", " });
        label.push(entity);
    }
    if label.is_empty() {
        label.push_str(&format!("cluster-{first}"));
    }
    label
}

/// Summarises a cluster that shares the entities `shared`.
pub fn cluster_summary<'a>(
    shared: impl Iterator<Item = Text<'a>>,
    texts: impl ExactSizeIterator<Item = Text<'a>>,
) -> TextBuf {
    let count = texts.len();
    let mut summary = TextBuf::new();
    for entity in shared.take(MAX_LABELLED) {
        summary.push_str(if summary.is_empty() { "[" } else { ", " });
        summary.push(entity);
    }
    summary.push_str(if summary.is_empty() { "" } else { "] " });
    for (place, text) in texts.enumerate() {
        summary.push_str(if place == 0 { "" } else { " \u{2192} " });
        summary.push_shortened(text, MAX_LENGTH);
    }
    summary.push_str(&format!(" ({count} messages)"));
    summary
}
