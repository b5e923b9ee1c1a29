//! A conversation with calls of any tools.

use super::input::{buffer, units_of};
use palimpsest_history::transcript::{Kind, Part, PartIndex, Role, Status, Transcript};
use palimpsest_text::{TextBuf, Texts};

/// A conversation that grows by one message at a time.
#[derive(Default)]
pub(crate) struct Talk {
    pub(crate) parts: Vec<Part>,
    pub(crate) texts: Vec<TextBuf>,
    names: Vec<String>,
}

impl Talk {
    /// Reads records of a letter and a text each; the letters are those of [`Talk::push`].
    pub(crate) fn new<'a>(records: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut talk = Talk::default();
        for record in records {
            if let Some((&letter, text)) = record.split_first() {
                talk.push(letter, text);
            }
        }
        talk
    }

    /// Appends a message: of the system (`s`), the user (`u`), a call (`c`), whose first line names the tool, the result of the last one (`r`; `j` if
    /// it is a value, `o` if it succeeded, `e` if it failed, `k` if it is locked), or a text of the assistant (any other letter; `l` if it is locked).
    fn push(&mut self, letter: u8, mut text: &[u8]) {
        let (role, kind) = match letter {
            b's' => (Role::System, Kind::Text),
            b'u' => (Role::User, Kind::Text),
            b'c' => (Role::Assistant, Kind::Call),
            b'r' | b'j' | b'o' | b'e' | b'k' => (Role::Tool, Kind::Result),
            _ => (Role::Assistant, Kind::Text),
        };
        let mut part = Part::new(self.parts.len(), role, kind);
        part.locked = matches!(letter, b'l' | b'k');
        match kind {
            Kind::Call => {
                let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
                let name = String::from_utf8_lossy(&text[..end]).into_owned();
                text = text.get(end + 1..).unwrap_or_default();
                let number = self.names.iter().position(|known| *known == name).unwrap_or(self.names.len());
                if number == self.names.len() {
                    self.names.push(name);
                }
                part.name = Some(number.into());
            }
            Kind::Result => {
                part.call = self.parts.iter().rposition(|part| part.kind == Kind::Call).map(PartIndex::from);
                part.is_value = letter == b'j';
                part.status = match letter {
                    b'o' => Some(Status::Ok),
                    b'e' => Some(Status::Error),
                    _ => None,
                };
            }
            _ => {}
        }
        self.parts.push(part);
        self.texts.push(buffer(&units_of(text)));
    }

    /// The conversation as the engine takes it.
    pub(crate) fn transcript(&self) -> Transcript {
        let mut texts = Texts::default();
        self.texts.iter().for_each(|text| texts.push(text.as_text()));
        Transcript::new(self.parts.len(), self.names.clone(), self.parts.clone(), texts)
    }
}
