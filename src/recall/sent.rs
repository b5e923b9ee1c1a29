//! What a request contains, so that no passage repeats it.

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::units::{core, for_each_unit};
use crate::text::hashing::text_hash;
use crate::text::{Text, Texts};

/// Separates texts: no byte of UTF-8.
const SEPARATOR: u8 = 0xFF;

/// The texts of a request.
#[derive(Debug, Default)]
pub struct Sent {
    /// Parts of the history that it contains as they are, and which need not be read again.
    pub parts: Vec<u32>,
    /// The hashes of the units of its other texts, which are keyed.
    pub units: FxHashSet<u64>,
    /// Its other texts as UTF-8.
    bytes: Vec<u8>,
}

impl Sent {
    /// Reads the texts of a request, beside those of parts of the history.
    pub fn new(parts: Vec<u32>, texts: &Texts) -> Self {
        let bytes = Vec::with_capacity(texts.units() + texts.len());
        let mut sent = Sent { parts, bytes, ..Sent::default() };
        (0..texts.len()).for_each(|index| sent.push(texts.get(index)));
        sent
    }

    /// Adds a text.
    pub fn push(&mut self, text: Text<'_>) {
        for_each_unit(text, |unit| _ = self.units.insert(text_hash(core(text.slice(unit)))));
        push_utf8(text, &mut self.bytes);
        self.bytes.push(SEPARATOR);
    }

    /// Whether a text stands in one of those that are no parts of the history.
    pub fn contains(&self, text: Text<'_>) -> bool {
        let mut bytes = Vec::new();
        push_utf8(text, &mut bytes);
        memmem::find(&self.bytes, &bytes).is_some()
    }
}

fn push_utf8(text: Text<'_>, bytes: &mut Vec<u8>) {
    let Some(units) = text.units() else { return bytes.extend_from_slice(text.bytes()) };
    let mut at = 0;
    for stretch in text.bytes().chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        let end = at + stretch.len();
        if stretch.is_ascii() {
            bytes.extend_from_slice(stretch);
        } else {
            for letter in char::decode_utf16(units[at..end].iter().copied()) {
                let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        at = end;
    }
}
