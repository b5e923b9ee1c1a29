//! What a request contains, so that no passage repeats it.

use rustc_hash::FxHashSet;

use super::units::{core, for_each_unit};
use crate::text::hashing::text_hash;
use crate::text::{Text, Texts};

/// Separates texts: no byte of UTF-8.
const SEPARATOR: u8 = 0xFF;

/// The texts of a request.
#[derive(Debug, Default)]
pub struct Sent {
    /// The hashes of their units, which are keyed.
    units: FxHashSet<u64>,
    /// The texts as UTF-8.
    bytes: Vec<u8>,
}

impl Sent {
    /// Reads the texts of a request.
    pub fn new(texts: &Texts) -> Self {
        let mut sent = Sent { bytes: Vec::with_capacity(texts.units() + texts.len()), ..Sent::default() };
        for text in (0..texts.len()).map(|index| texts.get(index)) {
            for_each_unit(text, |unit| _ = sent.units.insert(text_hash(core(text.slice(unit)))));
            push_utf8(text, &mut sent.bytes);
            sent.bytes.push(SEPARATOR);
        }
        sent
    }

    /// Whether a unit whose core has this hash was sent.
    pub fn has_unit(&self, hash: u64) -> bool {
        self.units.contains(&hash)
    }

    /// Whether a text stands in one of the texts.
    pub fn contains(&self, text: Text<'_>) -> bool {
        let mut bytes = Vec::new();
        push_utf8(text, &mut bytes);
        memchr::memmem::find(&self.bytes, &bytes).is_some()
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
