//! What in a text says that it was written for a terminal.

use super::sequence::{Csi, Reader, Sequence};
use super::{BACKSPACE, ESCAPE, progress};
use palimpsest_text::Text;

/// What it takes to write a text as it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Whether the cursor leaves its line, or something stays set behind it.
    pub screen: bool,
    /// Whether there are colours.
    pub has_colours: bool,
}

/// What a text needs. None where it has half of a sequence, or one that nobody knows.
pub(super) fn needs(text: Text<'_>) -> Option<Needs> {
    let bytes = text.bytes();
    let mut reader = Reader::default();
    let mut needs = Needs::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(ESCAPE, &bytes[at..]) {
        let (sequence, end) = reader.read(bytes, at + found)?;
        needs.screen |= leaves_line(sequence);
        needs.has_colours |= matches!(sequence, Sequence::Csi(csi) if csi.is_colour());
        at = end;
    }
    // Some terminals obey these, too.
    let has_other_controls = !text.is_ascii() && (0..text.len()).any(|at| (0x80..0xA0).contains(&text.unit(at)));
    (!has_other_controls).then_some(needs)
}

fn leaves_line(sequence: Sequence) -> bool {
    match sequence {
        Sequence::Csi(csi) => !is_in_line(csi),
        Sequence::Esc { intermediate, letter } => {
            !matches!((intermediate, letter), (0, b'=' | b'>' | b'\\') | (b'(' | b')', b'B') | (b'%', b'G'))
        }
        Sequence::Link | Sequence::Silent => false,
    }
}

fn is_in_line(csi: Csi) -> bool {
    match (csi.private, csi.letter) {
        (
            0,
            b'C' | b'D' | b'G' | b'K' | b'P' | b'X' | b'@' | b'`' | b'a' | b'b' | b'm' | b'n' | b'c' | b't' | b'q'
            | b'I' | b'Z',
        ) => true,
        (0, _) => false,
        (b'?', b'h' | b'l') => csi.parameters().iter().all(|mode| !matches!(mode, 6 | 7 | 1049)),
        _ => true,
    }
}

/// Whether a line has what says that its carriage returns and backspaces lead back: a sequence that moves the cursor, erases or hides it, or the
/// form of progress. An erased rest of the line right behind a colour says nothing: programs that only mark words write that.
pub(super) fn leads_back(line: Text<'_>) -> bool {
    let bytes = line.bytes();
    let mut reader = Reader::default();
    let mut visible = Vec::new();
    let mut coloured_to = None;
    let mut at = 0;
    while at < bytes.len() {
        let end = memchr::memchr(ESCAPE, &bytes[at..]).map_or(bytes.len(), |found| at + found);
        progress::units_of(line.slice(at..end), &mut visible);
        if end == bytes.len() {
            break;
        }
        let Some((sequence, after)) = reader.read(bytes, end) else { return false };
        match sequence {
            Sequence::Csi(csi) if csi.is_colour() => coloured_to = Some(after),
            Sequence::Csi(csi) if csi.letter == b'K' && coloured_to == Some(end) => {}
            Sequence::Csi(csi) if moves(csi) => return true,
            Sequence::Esc { intermediate: 0, letter: b'7' | b'8' | b'D' | b'E' | b'M' } => return true,
            _ => {}
        }
        at = after;
    }
    let can_be = visible.contains(&u16::from(b'\r')) || visible.contains(&u16::from(BACKSPACE));
    can_be && progress::is_progress(&visible)
}

fn moves(csi: Csi) -> bool {
    match (csi.private, csi.intermediate) {
        (0, 0) => {
            matches!(csi.letter, b'@'..=b'M' | b'P' | b'S' | b'T' | b'X' | b'Z' | b'`' | b'a' | b'd'..=b'f' | b'r' | b's' | b'u')
        }
        (b'?', 0) => {
            matches!(csi.letter, b'h' | b'l') && csi.parameters().iter().any(|&mode| mode == 25 || mode == 1049)
        }
        _ => false,
    }
}
