//! What a program wrote for a terminal: colours, movements of the cursor, and states of a line that it wrote over.

use std::ops::RangeInclusive;

use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

const ESCAPE: u8 = 0x1B;
const BELL: u8 = 0x07;
const BACKSPACE: u8 = 0x08;
const BLANK: u16 = 0x20;
/// Characters that take one column beside those of ASCII: of Latin, and arrows, lines, blocks and dots, as bars and spinners have them.
const ONE_COLUMN: [RangeInclusive<u16>; 4] = [0xC0..=0x24F, 0x2190..=0x21FF, 0x2500..=0x259F, 0x2800..=0x28FF];

/// The text of a program as the terminal shows it in the end. Links stay, because they say where they lead.
pub(super) fn shown(text: Text<'_>) -> Option<TextBuf> {
    written(text, true)
}

fn written(text: Text<'_>, returns: bool) -> Option<TextBuf> {
    let bytes = text.bytes();
    // Most texts have none of them.
    find_in(bytes, returns)?;
    let mut written = Line { returns, ..Line::default() };
    let mut shorter = TextBuf::new();
    let mut from = 0;
    for (start, end) in lf_lines(bytes) {
        // A carriage return before the line end belongs to that.
        let last = end - bytes[start..end].iter().rev().take_while(|&&byte| byte == b'\r').count();
        let line = text.slice(start..last);
        if find_in(line.bytes(), returns).is_none() || !written.write(line) {
            continue;
        }
        shorter.push(text.slice(from..start));
        shorter.push_units(&written.units);
        from = last;
    }
    if from == 0 {
        return None;
    }
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

/// The first byte that may not be shown as it is.
fn find_in(bytes: &[u8], returns: bool) -> Option<usize> {
    if returns { memchr::memchr3(ESCAPE, b'\r', BACKSPACE, bytes) } else { memchr::memchr(ESCAPE, bytes) }
}

/// A line of a terminal.
#[derive(Default)]
struct Line {
    /// Whether it is known that carriage returns and the like move the cursor.
    returns: bool,
    units: Vec<u16>,
    /// Where the next character goes.
    at: usize,
    /// Whether one of the characters may take another number of columns than of code units.
    is_wide: bool,
    /// The length of what is written anew. With more columns, the line can't become shorter.
    most: usize,
    /// Whether the line stays as it is: something was written over such characters, or the cursor went too far to the right.
    is_lost: bool,
}

impl Line {
    /// Writes a line anew, and returns whether it is shorter than what was written, and known for sure. Linear in its length.
    fn write(&mut self, line: Text<'_>) -> bool {
        self.units.clear();
        let bytes = line.bytes();
        (self.at, self.most, self.is_wide, self.is_lost) = (0, bytes.len(), false, false);
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\r' if self.returns => {
                    self.obey(b"1", b'G');
                    at += 1;
                }
                BACKSPACE if self.returns => {
                    self.obey(b"1", b'D');
                    at += 1;
                }
                ESCAPE => {
                    let end = sequence_end(bytes, at);
                    match end.filter(|&end| !is_link(&bytes[at..end])) {
                        Some(end) => {
                            if self.returns && bytes[at + 1] == b'[' {
                                self.obey(&bytes[at + 2..end - 1], bytes[end - 1]);
                            }
                            at = end;
                        }
                        // What is no sequence, and a link, is written as it is.
                        None => {
                            let end = end.unwrap_or(at + 1);
                            (at..end).for_each(|at| self.put(line.unit(at)));
                            at = end;
                        }
                    }
                }
                _ => {
                    self.put(line.unit(at));
                    at += 1;
                }
            }
        }
        !self.is_lost && self.units.len() < bytes.len()
    }

    fn put(&mut self, unit: u16) {
        let end = self.units.len();
        let is_wide = self.is_wide || !is_one_column(unit);
        self.is_lost |= is_wide && self.at < end || self.is_wide && self.at > end;
        if self.is_lost {
            return;
        }
        self.is_wide = is_wide;
        // What is not written, or was erased, is blank.
        self.units.resize(end.max(self.at), BLANK);
        match self.units.get_mut(self.at) {
            Some(there) => *there = unit,
            None => self.units.push(unit),
        }
        self.at += 1;
    }

    /// Does what a sequence says that moves the cursor in the line or erases some of it.
    fn obey(&mut self, parameter: &[u8], does: u8) {
        let Some(number) = number_of(parameter).filter(|_| !self.is_lost) else { return };
        let (at, end) = (self.at, self.units.len());
        match (does, number) {
            (b'G', _) => self.at = number.max(1) - 1,
            (b'C', _) => self.at = at.saturating_add(number.max(1)),
            (b'D', _) => self.at = at.saturating_sub(number.max(1)),
            (b'K', 0) => self.units.truncate(at),
            (b'K', 1) if at + 1 >= end => self.units.clear(),
            (b'K', 1) => self.units.iter_mut().take(at + 1).for_each(|unit| *unit = BLANK),
            (b'K', 2) => self.units.clear(),
            _ => return,
        }
        let goes_among = matches!(does, b'C' | b'D') || self.at > 0 && does == b'G' || (does, number) == (b'K', 1);
        self.is_lost |= self.is_wide && goes_among || self.at > self.most;
        self.is_wide &= !(self.units.is_empty() && self.at == 0);
    }
}

fn is_one_column(unit: u16) -> bool {
    (BLANK..0x7F).contains(&unit) || ONE_COLUMN.iter().any(|range| range.contains(&unit))
}

/// The number in front of a sequence's letter; 0 where there is none.
fn number_of(parameter: &[u8]) -> Option<usize> {
    let digit = |&byte: &u8| byte.is_ascii_digit().then(|| usize::from(byte - b'0'));
    parameter.iter().try_fold(0_usize, |number, byte| Some(number.saturating_mul(10).saturating_add(digit(byte)?)))
}

/// The end of the control sequence that begins at `at` (ECMA-48): `ESC [ … letter`, `ESC ] … BEL`, `ESC P … ESC \`, `ESC letter`. None where it
/// doesn't end.
fn sequence_end(bytes: &[u8], at: usize) -> Option<usize> {
    let run = |from: usize, first: u8, last: u8| {
        from + bytes[from..].iter().take_while(|byte| (first..=last).contains(byte)).count()
    };
    match bytes.get(at + 1)? {
        b'[' => {
            let end = run(run(at + 2, b'0', b'?'), b' ', b'/');
            matches!(bytes.get(end), Some(b'@'..=b'~')).then_some(end + 1)
        }
        // Commands and titles, with all that they say: `ESC ] … BEL`, `ESC P … ESC \`.
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = at + 2 + memchr::memchr2(BELL, ESCAPE, &bytes[at + 2..])?;
            match bytes[end] {
                BELL => (bytes[at + 1] == b']').then_some(end + 1),
                _ => (bytes.get(end + 1) == Some(&b'\\')).then_some(end + 2),
            }
        }
        b' '..=b'~' => {
            let end = run(at + 1, b' ', b'/');
            matches!(bytes.get(end), Some(b'0'..=b'~')).then_some(end + 1)
        }
        _ => None,
    }
}

/// Whether a sequence begins or ends a link.
fn is_link(sequence: &[u8]) -> bool {
    sequence.starts_with(b"\x1B]8;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown as read;
    use super::*;

    #[test]
    fn colours_go_and_a_line_is_as_it_was_last() {
        for (before, after) in [
            ("\x1B[1;31merror\x1B[0m: it → broke\x1B[K\n", "error: it → broke\n"),
            ("\x1B]0;title\x07$ ls\x1B]2;x\x1B\\", "$ ls"),
            ("\x1B(B\x1B[m\x1B=ok", "ok"),
            ("\x1BP1$r0m\x1B\\ok", "ok"),
            ("10%\r55%\r100%\ndone", "100%\ndone"),
            ("Fetching → all\rDone", "Donehing → all"),
            ("Fetching all\r\x1B[KDone", "Done"),
            ("Fetching all\x1B[2K\rDone\r\n", "Done\r\n"),
            ("Fetching all\rlinking\x1B[2K\rDone", "Done"),
            ("Fetching all\rlinking\x1B[2K\x1B[1GDone", "Done"),
            ("Fetching all\x1B[1KDone", "            Done"),
            ("Fetching all\x1B[G\x1B[0KDone", "Done"),
            ("Fetching all\x1B[3D\x1B[1Kit", "         itl"),
            ("50%\x08\x08\x0870%", "70%"),
            ("ok\x1B[4Cdone\x1B[4D\x1B[1CONE", "ok    dONE"),
            ("取 50%\x1B[2K\r取 70%", "取 70%"),
            ("a\r\nb\x1B[0m\r\n", "a\r\nb\r\n"),
        ] {
            assert_eq!(read(shown, before), after);
        }
    }

    #[test]
    fn what_is_no_sequence_stays() {
        for text in [
            "",
            "a\r\nb\r\n",
            "\x1B",
            "a\x1B[31",
            "\x1B]0;no end",
            "\x1BPno end\x07",
            "\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\",
            "x\x1B\x07",
            // Nobody knows how many columns these take.
            "取得取得\rab",
            "取得\x1B[2Dab",
            "取 50%\r取 70%",
            "a\tb\rx",
            "👍👍\rx",
            "x\x1B[99999999999999999999C\x1B[1K\x1B[0m",
            "x\x1B[900Cx\x1B[900Cx",
        ] {
            assert_eq!(read(shown, text), text);
        }
    }
}
