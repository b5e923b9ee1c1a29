//! A text whose cursor never leaves its line.

use super::feed::{Feed, Lost};
use super::terminal::Terminal;
use super::{BACKSPACE, ESCAPE, mark};
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

/// Writes each line as it is shown, where that is certain and shorter.
pub(super) fn shown(text: Text<'_>) -> Option<TextBuf> {
    let bytes = text.bytes();
    let mut shorter = TextBuf::new();
    let mut from = 0;
    let mut units = Vec::new();
    let mut terminal = Terminal::default();
    // The states that went of adjacent lines, and the end of the last.
    let (mut states, mut states_to) = (0, 0);
    for (start, end) in lf_lines(bytes) {
        // A carriage return before the line end belongs to that.
        let last = end - bytes[start..end].iter().rev().take_while(|&&byte| byte == b'\r').count();
        let line = text.slice(start..last);
        if memchr::memchr3(ESCAPE, b'\r', BACKSPACE, line.bytes()).is_none() {
            continue;
        }
        terminal.clear();
        match Feed::new(line).all(&mut terminal) {
            Ok(()) => {}
            Err(Lost::Here) => continue,
            Err(Lost::All) => return None,
        }
        let row = &terminal.rows()?[0];
        units.clear();
        row.write(&mut units);
        if units.len() >= line.len() {
            continue;
        }
        if start > states_to + 1 || row.states == 0 {
            write_mark(&mut shorter, &mut states);
        }
        shorter.push(text.slice(from..start));
        shorter.push_units(&units);
        from = last;
        states += row.states;
        states_to = end;
    }
    write_mark(&mut shorter, &mut states);
    if from == 0 {
        return None;
    }
    shorter.push(text.slice(from..text.len()));
    (shorter.len() < text.len()).then_some(shorter)
}

/// Writes the mark of the lines above, of which the last one's end is not written yet.
fn write_mark(shorter: &mut TextBuf, states: &mut usize) {
    if let Some(mark) = mark(std::mem::take(states)) {
        shorter.push_str(&mark);
    }
}
