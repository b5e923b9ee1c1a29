//! Owned texts.

use super::fold::fold_into;
use super::lowercase::lowercase;
use super::view::Text;
use super::wide::Wide;

/// An owned text that grows at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextBuf {
    folded: Vec<u8>,
    /// The code units; empty as long as all of the text is ASCII.
    units: Vec<u16>,
}

impl TextBuf {
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes everything, and keeps the memory.
    pub fn clear(&mut self) {
        self.folded.clear();
        self.units.clear();
    }

    /// Removes everything but `text` in lowercase, which it keeps instead, and the memory.
    pub fn set_lowercase(&mut self, text: Text<'_>) {
        self.clear();
        match text.in_full(&mut Vec::new()).units() {
            None => {
                self.folded.extend_from_slice(text.folded);
                self.folded.make_ascii_lowercase();
            }
            Some(units) => {
                lowercase(units, &mut self.units);
                if fold_into(&self.units, &mut self.folded) {
                    self.units.clear();
                }
            }
        }
    }

    /// Returns `text` in lowercase if this turns other letters into ASCII: the Kelvin sign becomes `k`, and `İ` becomes `i` and a mark. `None` for all
    /// other texts: their folded bytes have the ASCII letters already.
    pub fn lowercase_in_ascii(&mut self, text: Text<'_>) -> Option<Text<'_>> {
        const KELVIN: u16 = 0x212A;
        const DOTTED: u16 = 0x130;
        let is_there = |units: &[u16]| units.iter().any(|&unit| unit == KELVIN || unit == DOTTED);
        if !text.in_full(&mut Vec::new()).units().is_some_and(is_there) {
            return None;
        }
        self.set_lowercase(text);
        Some(self.as_text())
    }

    /// Reserves room for `count` more code units.
    pub fn reserve(&mut self, count: usize) {
        self.folded.reserve(count);
    }

    /// Returns a view of the whole text.
    pub fn as_text(&self) -> Text<'_> {
        let wide = if self.units.is_empty() { Wide::None } else { Wide::All(&self.units) };
        Text { folded: &self.folded, wide }
    }

    /// Returns the length in UTF-16 code units.
    pub fn len(&self) -> usize {
        self.folded.len()
    }

    pub fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    /// Appends `text`.
    pub fn push(&mut self, text: Text<'_>) {
        if !text.is_ascii() {
            self.widen();
        }
        match text.wide {
            Wide::All(units) => self.units.extend_from_slice(units),
            Wide::Few(few) => few.append_to(&mut self.units, text.folded),
            Wide::None if !self.units.is_empty() => self.units.extend(text.folded.iter().map(|&byte| u16::from(byte))),
            Wide::None => {}
        }
        self.folded.extend_from_slice(text.folded);
    }

    /// Appends `text` or, if it is longer than `limit` code units, its beginning and `...`, `limit` code units in all.
    pub fn push_shortened(&mut self, text: Text<'_>, limit: usize) {
        if text.len() <= limit {
            return self.push(text);
        }
        self.push(text.prefix(limit - 3));
        self.push_str("...");
    }

    /// Appends `text`.
    pub fn push_str(&mut self, text: &str) {
        if text.is_ascii() {
            return self.push(Text::from_ascii(text.as_bytes()));
        }
        self.widen();
        let start = self.units.len();
        self.units.extend(text.encode_utf16());
        fold_into(&self.units[start..], &mut self.folded);
    }

    /// Appends `units`.
    pub fn push_units(&mut self, units: &[u16]) {
        let before = self.folded.len();
        if fold_into(units, &mut self.folded) {
            if !self.units.is_empty() {
                self.units.extend_from_slice(units);
            }
        } else {
            let added = self.folded.split_off(before);
            self.widen();
            self.folded.extend(added);
            self.units.extend_from_slice(units);
        }
    }

    /// Starts to store the code units in addition to the folded bytes.
    fn widen(&mut self) {
        if self.units.is_empty() {
            // The units will need as much room as the bytes.
            self.units.reserve(self.folded.capacity());
            self.units.extend(self.folded.iter().map(|&byte| u16::from(byte)));
        }
    }
}

impl From<Text<'_>> for TextBuf {
    fn from(text: Text<'_>) -> Self {
        let mut buffer = TextBuf::new();
        buffer.push(text);
        buffer
    }
}

impl From<&str> for TextBuf {
    fn from(text: &str) -> Self {
        let mut buffer = TextBuf::new();
        buffer.push_str(text);
        buffer
    }
}
