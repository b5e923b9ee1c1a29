//! Control sequences of terminals (ECMA-48, DEC, xterm), read by `vte`.

use vte::{Params, Parser, Perform};

use super::ESCAPE;

/// Maximum number of parameters that are kept. What has more is not known.
const MAX_PARAMETERS: usize = 24;

/// A whole control sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sequence {
    /// `ESC [ … letter`.
    Csi(Csi),
    /// `ESC … letter`, with what stands between, or 0.
    Esc { intermediate: u8, letter: u8 },
    /// `ESC ] 8 ; …`: where a link begins or ends.
    Link,
    /// A command or an answer that changes nothing on the screen, such as a title.
    Silent,
}

/// A sequence that begins with `ESC [`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Csi {
    /// `?`, `>`, `<`, `=`, or 0.
    pub private: u8,
    /// What stands before the letter, or 0.
    pub intermediate: u8,
    pub letter: u8,
    parameters: [u16; MAX_PARAMETERS],
    count: usize,
    /// Whether a parameter has parts, as in `4:3`.
    pub has_parts: bool,
}

impl Csi {
    /// The parameters; one that is not given is 0.
    pub(super) fn parameters(&self) -> &[u16] {
        &self.parameters[..self.count]
    }

    /// The parameter at `at`; 0 where there is none.
    pub(super) fn parameter(&self, at: usize) -> usize {
        self.parameters().get(at).copied().unwrap_or(0).into()
    }

    /// The parameter at `at` as a count or a place, which is 1 where it is not given.
    pub(super) fn number(&self, at: usize) -> usize {
        self.parameter(at).max(1)
    }

    /// Whether it is only about colours and the like.
    pub(super) fn is_colour(&self) -> bool {
        (self.private, self.intermediate, self.letter) == (0, 0, b'm')
    }
}

/// Reads sequences one by one.
#[derive(Default)]
pub(super) struct Reader {
    parser: Parser,
}

impl Reader {
    /// The sequence that begins at `at`, and its end. None where it doesn't end, or is not known. After that the reader is of no use.
    pub(super) fn read(&mut self, bytes: &[u8], at: usize) -> Option<(Sequence, usize)> {
        debug_assert_eq!(bytes[at], ESCAPE);
        match *bytes.get(at + 1)? {
            b']' => self.command(bytes, at),
            b'P' => answer(bytes, at),
            // Strings of applications, images among them.
            b'X' | b'^' | b'_' => None,
            _ => {
                let mut found = Found::default();
                let length = self.parser.advance_until_terminated(&mut found, &bytes[at..]);
                let end = at + length;
                // Emulators differ in what a control character inside of a sequence does.
                let is_plain = bytes[at + 1..end].iter().all(|byte| (b' '..=b'~').contains(byte));
                Some((found.sequence.filter(|_| is_plain)?, end))
            }
        }
    }

    fn command(&mut self, bytes: &[u8], at: usize) -> Option<(Sequence, usize)> {
        let (said, end) = string(bytes, at)?;
        let number = said.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = said.get(number..)?;
        let sequence = match &said[..number] {
            b"8" if rest.starts_with(b";") => Sequence::Link,
            // Titles, the directory, colours, the clipboard, the parts of a prompt.
            b"0" | b"1" | b"2" | b"4" | b"7" | b"10" | b"11" | b"12" | b"52" | b"104" | b"110" | b"111" | b"112"
            | b"133" | b"633" => Sequence::Silent,
            // Progress in the task bar. Anything else is a message for the user.
            b"9" if rest.starts_with(b";4;") => Sequence::Silent,
            _ => return None,
        };
        Some((sequence, end))
    }
}

/// What a string says that begins with `ESC` and a letter at `at`, and its end: that of `BEL`, or of `ESC \`.
fn string(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    const BELL: u8 = 0x07;
    let end = at + 2 + bytes[at + 2..].iter().position(|byte| *byte < b' ')?;
    let said = &bytes[at + 2..end];
    match bytes[end] {
        BELL if bytes[at + 1] == b']' => Some((said, end + 1)),
        ESCAPE if bytes.get(end + 1) == Some(&b'\\') => Some((said, end + 2)),
        _ => None,
    }
}

/// A question to the terminal or an answer of it: `ESC P $ q …`, `ESC P 1 $ r …`, `ESC P + q …`.
fn answer(bytes: &[u8], at: usize) -> Option<(Sequence, usize)> {
    let (said, end) = string(bytes, at)?;
    let rest = said.strip_prefix(b"0").or_else(|| said.strip_prefix(b"1")).unwrap_or(said);
    matches!(rest, [b'$' | b'+', b'q' | b'r', ..]).then_some((Sequence::Silent, end))
}

/// What the parser found, if it is known.
#[derive(Default)]
struct Found {
    sequence: Option<Sequence>,
    is_over: bool,
}

impl Perform for Found {
    fn print(&mut self, _: char) {
        self.is_over = true;
    }

    fn execute(&mut self, _: u8) {
        self.is_over = true;
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        self.is_over = true;
        let (private, intermediate) = match *intermediates {
            [] => (0, 0),
            [private @ b'<'..=b'?'] => (private, 0),
            [intermediate @ b' '..=b'/'] => (0, intermediate),
            [private @ b'<'..=b'?', intermediate @ b' '..=b'/'] => (private, intermediate),
            _ => return,
        };
        let count = params.iter().count();
        let (Ok(letter), false, true) = (u8::try_from(action), ignore, count <= MAX_PARAMETERS) else { return };
        let mut parameters = [0; MAX_PARAMETERS];
        let mut has_parts = false;
        for (into, parameter) in parameters.iter_mut().zip(params) {
            *into = parameter[0];
            has_parts |= parameter.len() > 1;
        }
        self.sequence = Some(Sequence::Csi(Csi { private, intermediate, letter, parameters, count, has_parts }));
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, letter: u8) {
        self.is_over = true;
        let intermediate = match *intermediates {
            [] => 0,
            [one] => one,
            _ => return,
        };
        self.sequence = (!ignore).then_some(Sequence::Esc { intermediate, letter });
    }

    fn terminated(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Option<(Sequence, usize)> {
        Reader::default().read(text, 0)
    }

    #[test]
    fn whole_and_known_sequences_are_read() {
        let (Some((Sequence::Csi(csi), 6)), Some(_)) = (read(b"\x1B[3;4Hx"), read(b"\x1B[m")) else { panic!() };
        assert_eq!((csi.letter, csi.parameters(), csi.number(7)), (b'H', &[3, 4][..], 1));
        for (text, end) in [
            (&b"\x1B[?25l"[..], 6),
            (b"\x1B[38:2::1:2:3mx", 14),
            (b"\x1B[0 q", 5),
            (b"\x1B(B", 3),
            (b"\x1B7", 2),
            (b"\x1B]0;a title\x07x", 12),
            (b"\x1B]2;a title\x1B\\x", 13),
            (b"\x1B]8;;https://a.b\x1B\\", 18),
            (b"\x1BP1$r0m\x1B\\x", 9),
        ] {
            assert_eq!(read(text).map(|(_, end)| end), Some(end), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn what_is_cut_or_unknown_is_not() {
        for text in [
            &b"\x1B"[..],
            b"\x1B[",
            b"\x1B[31",
            b"\x1B[31\nm",
            b"\x1B[3\x1B[31m",
            b"\x1B\x1B[m",
            b"\x1B\x07",
            b"\x1B[3?1m",
            b"\x1B[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1m",
            b"\x1B]0;no end",
            b"\x1B]0;no\nend\x07",
            b"\x1B]1337;File=:AAAA\x07",
            b"\x1BPq#0;2\x1B\\",
            b"\x1B_Gf=100;AAAA\x1B\\",
            b"\x1B[1 \xFFm",
        ] {
            assert_eq!(read(text), None, "{}", text.escape_ascii());
        }
    }
}
