//! Feeds a text to a terminal.

use super::evidence::leads_back;
use super::row::Unsure;
use super::sequence::{Reader, Sequence};
use super::terminal::Terminal;
use super::{BACKSPACE, ESCAPE};
use palimpsest_text::Text;

/// Maximum size of a screen, in cells: characters of the text, and [`ROW`] for each row.
const MAX_CELLS: usize = 1 << 23;
const ROW: usize = 96;

/// Why nobody knows what a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// The result depends on the terminal.
    Here,
    /// There is a sequence that isn't known. It may change what all that follows does.
    All,
}

impl From<Unsure> for Lost {
    fn from(_: Unsure) -> Self {
        Lost::Here
    }
}

/// A text on its way to a terminal.
pub(super) struct Feed<'a> {
    text: Text<'a>,
    reader: Reader,
    at: usize,
    /// Where the line ends of which it is known whether its carriage returns lead back, and what is known.
    known: Option<(usize, bool)>,
}

impl<'a> Feed<'a> {
    pub(super) fn new(text: Text<'a>) -> Self {
        Feed { text, reader: Reader::default(), at: 0, known: None }
    }

    /// Feeds all of it.
    pub(super) fn all(mut self, terminal: &mut Terminal) -> Result<(), Lost> {
        let mut line = 0;
        while self.at < self.text.len() {
            let byte = self.text.bytes()[self.at];
            match byte {
                b'\n' => {
                    let has_return = self.at > 0 && self.text.bytes()[self.at - 1] == b'\r';
                    terminal.line_feed(has_return)?;
                    self.at += 1;
                    line = self.at;
                    if self.text.len() - self.at + terminal.row_count() * ROW > MAX_CELLS {
                        return Err(Lost::Here);
                    }
                }
                b'\r' => {
                    let rest = &self.text.bytes()[self.at..];
                    let count = rest.iter().take_while(|&&byte| byte == b'\r').count();
                    let ends = matches!(rest.get(count), None | Some(b'\n'));
                    if !ends && terminal.may_go_back() && !self.leads_back(line) {
                        return Err(Lost::Here);
                    }
                    terminal.carriage_return();
                    self.at += count;
                }
                BACKSPACE => {
                    if !self.leads_back(line) {
                        return Err(Lost::Here);
                    }
                    terminal.backspace()?;
                    self.at += 1;
                }
                ESCAPE => self.sequence(terminal)?,
                b'\t' => {
                    terminal.tab()?;
                    self.at += 1;
                }
                // The bell, and the usual set of characters.
                0x07 | 0x0F => self.at += 1,
                0..b' ' | 0x7F => return Err(Lost::Here),
                _ => {
                    let (character, length) = self.character();
                    terminal.print(character)?;
                    self.at += length;
                }
            }
        }
        Ok(())
    }

    fn sequence(&mut self, terminal: &mut Terminal) -> Result<(), Lost> {
        let (sequence, end) = self.reader.read(self.text.bytes(), self.at).ok_or(Lost::All)?;
        if sequence == Sequence::Link {
            let text = self.text;
            terminal.link((self.at..end).map(|at| u32::from(text.unit(at))))?;
        } else {
            terminal.obey(sequence).ok_or(Lost::All)??;
        }
        self.at = end;
        Ok(())
    }

    /// The character at this place, as a code point or half of a surrogate pair, and its code units.
    fn character(&self) -> (u32, usize) {
        let unit = self.text.unit(self.at);
        let next = || if self.at + 1 < self.text.len() { self.text.unit(self.at + 1) } else { 0 };
        match unit {
            0xD800..0xDC00 if (0xDC00..0xE000).contains(&next()) => {
                let (high, low) = (u32::from(unit) - 0xD800, u32::from(next()) - 0xDC00);
                (0x10000 + (high << 10 | low), 2)
            }
            _ => (u32::from(unit), 1),
        }
    }

    /// Whether the carriage returns of the line that starts at `line` lead back.
    fn leads_back(&mut self, line: usize) -> bool {
        if let Some((_, leads)) = self.known.filter(|&(end, _)| end > self.at) {
            return leads;
        }
        let bytes = self.text.bytes();
        let end = memchr::memchr(b'\n', &bytes[self.at..]).map_or(bytes.len(), |found| self.at + found);
        let trimmed = end - bytes[line..end].iter().rev().take_while(|&&byte| byte == b'\r').count();
        let leads = leads_back(self.text.slice(line..trimmed.max(line)));
        self.known = Some((end, leads));
        leads
    }
}
