//! Colours that say more than the words: what is old and what is new.

use super::sequence::{Csi, Reader, Sequence};
use super::{ESCAPE, next_control};
use palimpsest_text::Text;

/// What a colour says of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Hue {
    #[default]
    Other,
    Old,
    New,
}

/// How characters are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Look {
    text: Hue,
    /// A background of more than the eight basic colours, with which some programs show lines of a diff.
    ground: Hue,
    is_inverse: bool,
    is_struck: bool,
}

impl Look {
    fn hue(self) -> Hue {
        if self.text == Hue::Other { self.ground } else { self.text }
    }

    fn obey(&mut self, csi: &Csi) {
        let given = csi.parameters();
        let mut at = 0;
        while let Some(&parameter) = given.get(at) {
            at += 1;
            match parameter {
                0 => *self = Look::default(),
                7 => self.is_inverse = true,
                27 => self.is_inverse = false,
                9 => self.is_struck = true,
                29 => self.is_struck = false,
                31 | 91 => self.text = Hue::Old,
                32 | 92 => self.text = Hue::New,
                30..=37 | 39 | 90..=97 => self.text = Hue::Other,
                40..=47 | 49 | 100..=107 => self.ground = Hue::Other,
                38 | 48 => {
                    let (hue, length) = long_colour(&given[at..]);
                    at += length;
                    *(if parameter == 38 { &mut self.text } else { &mut self.ground }) = hue;
                }
                _ => {}
            }
        }
    }
}

/// The hue of `5;n` or `2;r;g;b`, and the number of parameters.
fn long_colour(given: &[u16]) -> (Hue, usize) {
    match *given {
        [5, number, ..] => {
            let cube = number.saturating_sub(16);
            let hue = match number {
                1 | 9 => Hue::Old,
                2 | 10 => Hue::New,
                16..232 => hue_of(cube / 36, cube / 6 % 6, cube % 6),
                _ => Hue::Other,
            };
            (hue, 2)
        }
        [2, red, green, blue, ..] => (hue_of(red, green, blue), 4),
        _ => (Hue::Other, given.len()),
    }
}

fn hue_of(red: u16, green: u16, blue: u16) -> Hue {
    match () {
        () if red > green.max(blue) * 3 / 2 => Hue::Old,
        () if green > red.max(blue) * 3 / 2 => Hue::New,
        () => Hue::Other,
    }
}

/// A line that is being read.
#[derive(Default)]
struct Line {
    /// Its beginning, as far as it is needed to know what it is.
    start: Vec<u8>,
    /// The number of visible characters.
    length: usize,
    /// The text of one hue at its end.
    run: Run,
    /// Blanks behind that.
    blanks: usize,
    /// Whether a part of it has the ground of what is old, of what is new.
    has_ground: [bool; 2],
    /// Whether a part of it, beside the sign that it begins with, is old, new, inverse.
    has_part: bool,
    has_inverse: bool,
}

/// A run of characters of one hue.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    hue: Hue,
    /// Whether it has a letter or digit that is no sign of a test runner.
    has_word: bool,
}

/// Whether colours of the text, beside those that all programs use, say what its words don't: a diff without signs, words that are struck
/// through, two columns of old and new.
pub(super) fn says_more(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    let mut reader = Reader::default();
    let (mut look, mut line) = (Look::default(), Line::default());
    let mut diff = Diff::default();
    let mut grounds = [false; 2];
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            ESCAPE => {
                let Some((sequence, end)) = reader.read(bytes, at) else { return false };
                if let Sequence::Csi(csi) = sequence
                    && csi.is_colour()
                {
                    look.obey(&csi);
                }
                at = end;
            }
            b'\n' => {
                if diff.ends(&line) {
                    return true;
                }
                (0..2).for_each(|hue| grounds[hue] |= line.has_ground[hue]);
                line = Line::default();
                at += 1;
            }
            b'\r' | 0x08 => {
                line = Line::default();
                at += 1;
            }
            control if control < b' ' && control != b'\t' => at += 1,
            _ => {
                let end = next_control(bytes, at);
                if line.add(&bytes[at..end], look) {
                    return true;
                }
                at = end;
            }
        }
    }
    diff.ends(&line) || (0..2).all(|hue| grounds[hue] || line.has_ground[hue])
}

impl Line {
    /// Adds characters. Returns whether they say by their colour what nothing else says.
    fn add(&mut self, bytes: &[u8], look: Look) -> bool {
        const START: usize = 32;
        let is_blank = bytes.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        let had = self.length;
        self.length += bytes.len();
        self.start.extend_from_slice(&bytes[..bytes.len().min(START.saturating_sub(self.start.len()))]);
        if is_blank {
            self.blanks += bytes.len();
            return false;
        }
        let is_sign = had == 0 && matches!(bytes[0], b'+' | b'-');
        let hue = look.hue();
        let begins_with_sign = matches!(self.start.first(), Some(b'+' | b'-'));
        self.has_part |= hue != Hue::Other && !(is_sign || begins_with_sign && self.run.hue == hue);
        self.has_inverse |= look.is_inverse;
        if look.ground != Hue::Other && !begins_with_sign {
            self.has_ground[usize::from(look.ground == Hue::New)] = true;
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() && !b"FEsxXpP".contains(byte) || !byte.is_ascii();
        let run = Run { hue, has_word: bytes.iter().any(is_word) };
        // Columns stand further apart than words of one line.
        let is_beside = self.blanks == 0 || self.blanks >= 3;
        let is_pair = self.run.hue == Hue::Old && hue == Hue::New && is_beside;
        let is_told = is_pair && self.run.has_word && run.has_word && !begins_with_sign;
        let has_word = run.has_word || self.run.hue == hue && self.run.has_word;
        (self.run, self.blanks) = (Run { hue, has_word }, 0);
        look.is_struck || is_told
    }
}

/// Where a diff is.
#[derive(Default)]
struct Diff {
    is_hunk: bool,
}

impl Diff {
    /// Whether the line that ends is one of a hunk that has words of another colour.
    fn ends(&mut self, line: &Line) -> bool {
        let start = &line.start[..];
        if start.starts_with(b"@@") {
            self.is_hunk = true;
            return false;
        }
        if [&b"diff "[..], b"commit ", b"index ", b"--- a/", b"+++ b/"].iter().any(|head| start.starts_with(head)) {
            self.is_hunk = false;
            return false;
        }
        self.is_hunk && !start.starts_with(b"\\") && (line.has_part || line.has_inverse)
    }
}
