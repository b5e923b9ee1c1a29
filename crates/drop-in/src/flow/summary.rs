//! Labels and summaries of chains.

use super::chains::ChainKind;
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Length of the excerpt in a label, in UTF-16 code units.
const LABEL_LENGTH: usize = 50;

/// Returns the label of a chain of `kind`. `text` is that of its first message, or of its second for corrections.
pub fn chain_label(kind: ChainKind, text: Text<'_>) -> TextBuf {
    let mut label = TextBuf::from(match kind {
        ChainKind::Answer => "Q&A: ",
        ChainKind::Action => "Request: ",
        ChainKind::Correction => "Correction: ",
        ChainKind::Acknowledgment => "Ack: ",
    });
    push_on_one_line(text.prefix(LABEL_LENGTH).trim(), &mut label);
    label
}

/// Summarises a chain of `kind` whose first two texts are `first` and `second`.
pub fn chain_summary(kind: ChainKind, first: Text<'_>, second: Text<'_>, is_confirmed: bool) -> TextBuf {
    let mut summary = TextBuf::new();
    match kind {
        ChainKind::Answer => {
            summary.push_str("Q: ");
            push_cut(first, 80, &mut summary);
            summary.push_str(" \u{2192} A: ");
            push_cut(second, 120, &mut summary);
            summary.push_str(if is_confirmed { " (confirmed)" } else { "" });
        }
        ChainKind::Action => {
            summary.push_str("Request: ");
            push_cut(first, 80, &mut summary);
            summary.push_str(" \u{2192} ");
            push_cut(second, 120, &mut summary);
            summary.push_str(if is_confirmed { " \u{2192} confirmed" } else { "" });
        }
        ChainKind::Correction => {
            summary.push_str("Correction: ");
            push_cut(second, 150, &mut summary);
        }
        ChainKind::Acknowledgment => {
            push_cut(first, 150, &mut summary);
            summary.push_str(" (acknowledged)");
        }
    }
    summary
}

/// Appends `text`, trimmed and on one line; if it is longer than `limit`, its beginning and `...`.
fn push_cut(text: Text<'_>, limit: usize, summary: &mut TextBuf) {
    let mut cut = TextBuf::new();
    cut.push_shortened(text.trim(), limit);
    push_on_one_line(cut.as_text(), summary);
}

/// Appends `text` with a space in place of each LF.
fn push_on_one_line(text: Text<'_>, line: &mut TextBuf) {
    for (start, end) in lf_lines(text.bytes()) {
        line.push_str(if start == 0 { "" } else { " " });
        line.push(text.slice(start..end));
    }
}
