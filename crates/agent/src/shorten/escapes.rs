//! What a program wrote for a terminal: colours, movements of the cursor, and states of a line that it wrote over.

use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Text, TextBuf};

const ESCAPE: u8 = 0x1B;
const BELL: u8 = 0x07;

/// The text of a program as the terminal shows it in the end. Links stay, because they say where they lead.
pub(super) fn shown(text: Text<'_>) -> Option<TextBuf> {
    written(text, true)
}

/// The text without control sequences, where it isn't known whether carriage returns lead back to the start of a line.
pub(super) fn bare(text: Text<'_>) -> Option<TextBuf> {
    written(text, false)
}

fn written(text: Text<'_>, returns: bool) -> Option<TextBuf> {
    let bytes = text.bytes();
    // Most texts have neither.
    memchr::memchr2(ESCAPE, if returns { b'\r' } else { ESCAPE }, bytes)?;
    let mut written = Line { returns, ..Line::default() };
    let mut shorter = TextBuf::new();
    let mut from = 0;
    for (start, end) in lf_lines(bytes) {
        // A carriage return before the line end belongs to that.
        let last = end - bytes[start..end].iter().rev().take_while(|&&byte| byte == b'\r').count();
        let line = text.slice(start..last);
        if memchr::memchr2(ESCAPE, b'\r', line.bytes()).is_none() || !written.write(line) {
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

/// A line of a terminal.
#[derive(Default)]
struct Line {
    /// Whether carriage returns lead back to its start.
    returns: bool,
    units: Vec<u16>,
    /// Where the next character goes.
    at: usize,
}

impl Line {
    /// Writes a line anew, and returns whether it is shorter than what was written. Linear in its length.
    fn write(&mut self, line: Text<'_>) -> bool {
        self.units.clear();
        self.at = 0;
        let bytes = line.bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\r' if self.returns => {
                    self.at = 0;
                    at += 1;
                }
                ESCAPE => {
                    let end = sequence_end(bytes, at);
                    match end.filter(|&end| !is_link(&bytes[at..end])) {
                        Some(end) => {
                            if self.returns && bytes[at + 1] == b'[' && bytes[end - 1] == b'K' {
                                self.erase(&bytes[at + 2..end - 1]);
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
        self.units.len() < bytes.len()
    }

    fn put(&mut self, unit: u16) {
        match self.units.get_mut(self.at) {
            Some(there) => *there = unit,
            None => self.units.push(unit),
        }
        self.at += 1;
    }

    /// Erases what stands behind the cursor, or all of the line, by the parameter of the sequence.
    fn erase(&mut self, parameter: &[u8]) {
        match parameter {
            b"" | b"0" => self.units.truncate(self.at),
            b"2" if self.at == 0 || self.at == self.units.len() => {
                self.units.clear();
                self.at = 0;
            }
            _ => {}
        }
    }
}

/// The end of the control sequence that begins at `at` (ECMA-48): `ESC [ … letter`, `ESC ] … BEL`, `ESC letter`. None where it doesn't end.
fn sequence_end(bytes: &[u8], at: usize) -> Option<usize> {
    let run = |from: usize, first: u8, last: u8| {
        from + bytes[from..].iter().take_while(|byte| (first..=last).contains(byte)).count()
    };
    match bytes.get(at + 1)? {
        b'[' => {
            let end = run(run(at + 2, b'0', b'?'), b' ', b'/');
            matches!(bytes.get(end), Some(b'@'..=b'~')).then_some(end + 1)
        }
        b']' => {
            let end = at + 2 + memchr::memchr2(BELL, ESCAPE, &bytes[at + 2..])?;
            match bytes[end] {
                BELL => Some(end + 1),
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
            ("10%\r55%\r100%\ndone", "100%\ndone"),
            ("Fetching → all\rDone", "Donehing → all"),
            ("Fetching all\r\x1B[KDone", "Done"),
            ("Fetching all\x1B[2K\rDone\r\n", "Done\r\n"),
            ("a\r\nb\x1B[0m\r\n", "a\r\nb\r\n"),
        ] {
            assert_eq!(read(shown, before), after);
        }
    }

    #[test]
    fn carriage_returns_stay_where_no_terminal_is() {
        assert_eq!(read(bare, "one\rtwo\r\x1B[1mthree\x1B[K\x1B[0m\r\n"), "one\rtwo\rthree\r\n");
        assert_eq!(read(bare, "one\rtwo"), "one\rtwo");
    }

    #[test]
    fn what_is_no_sequence_stays() {
        for text in [
            "",
            "a\r\nb\r\n",
            "\x1B",
            "a\x1B[31",
            "\x1B]0;no end",
            "\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\",
            "x\x1B\x07",
        ] {
            assert_eq!(read(shown, text), text);
        }
    }
}
