//! A text whose cursor goes up and down.

use super::feed::Feed;
use super::mark;
use super::terminal::Terminal;
use palimpsest_text::{Text, TextBuf};

/// Writes the rows of the screen, where all of it is certain.
pub(super) fn shown(text: Text<'_>) -> Option<TextBuf> {
    let mut terminal = Terminal::default();
    Feed::new(text).all(&mut terminal).ok()?;
    let rows = terminal.rows()?;
    let used = rows.len() - rows.iter().rev().take_while(|row| row.is_blank()).count();
    let mut units = Vec::new();
    let mut states = 0;
    let mut end = "";
    for (index, row) in rows.iter().enumerate() {
        if index < used {
            if states > 0 && row.states == 0 {
                push_mark(&mut units, &mut states);
            }
            units.extend(end.encode_utf16());
            row.write(&mut units);
            end = if row.has_return { "\r\n" } else { "\n" };
        }
        states += row.states;
    }
    push_mark(&mut units, &mut states);
    if text.bytes().ends_with(b"\n") || terminal.row >= used {
        units.extend(end.encode_utf16());
    }
    let mut shorter = TextBuf::new();
    shorter.push_units(&units);
    Some(shorter)
}

/// Writes the mark of the rows above.
fn push_mark(units: &mut Vec<u16>, states: &mut usize) {
    units.extend(mark(std::mem::take(states)).unwrap_or_default().encode_utf16());
}
