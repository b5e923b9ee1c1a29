//! Canonical texts, which are the same for values that are equal as JSON, and their fingerprints.
//!
//! `lib/agent/canonical.ts` lists their pieces, and they are put together here: V8 copies a text that JavaScript joined before the engine
//! can read it.

use std::ops::Range;

use napi::bindgen_prelude::{Error, Result, Uint32Array};

use super::strings::{StringArray, StringReader, Units};
use crate::layout::canonical_piece as piece;
use palimpsest_history::restore::fingerprint::{LENGTH, fingerprint};
use palimpsest_text::index::to_usize;

/// Returns the fingerprint of each text that pieces (`CANONICAL_PIECE`) and their strings make. The short ones are joined: to hand over a
/// string takes as long as copying hundreds of its units.
pub fn fingerprints_of(pieces: &Uint32Array, short: &Units, strings: &StringArray<'_>) -> Result<Vec<[u8; LENGTH]>> {
    let (short, strings) = (&short.0[..], strings.reader());
    let mut texts = CanonicalTexts { short, strings, text: Vec::new(), known: KnownPieces::default() };
    let mut prints = Vec::new();
    for &piece in pieces.iter() {
        let (kind, number) = (piece & piece::KIND_MASK, piece >> piece::KIND_BITS);
        match kind {
            piece::KNOWN => texts.text.extend_from_slice(texts.known.get(number)?),
            piece::TEXT => texts.remember(|texts| texts.quote(number))?,
            piece::LONG_TEXT => texts.quote(number)?,
            piece::SCALAR => texts.remember(|texts| texts.append(number))?,
            piece::RAW => texts.append(number)?,
            piece::OBJECT => push_number(&mut texts.text, number, b'{'),
            piece::ARRAY => push_number(&mut texts.text, number, b'['),
            _ => {
                prints.push(fingerprint(&texts.text));
                texts.text.clear();
            }
        }
    }
    Ok(prints)
}

struct CanonicalTexts<'a> {
    /// The next short strings.
    short: &'a [u16],
    strings: StringReader<'a>,
    /// The text that is being written.
    text: Vec<u16>,
    known: KnownPieces,
}

impl CanonicalTexts<'_> {
    /// Appends the next string, of that length.
    fn append(&mut self, length: u32) -> Result<()> {
        if length > piece::MAX_SHORT {
            return self.strings.append_next(&mut self.text, to_usize(length));
        }
        let string = self.short.split_off(..to_usize(length));
        self.text.extend_from_slice(string.ok_or_else(|| Error::from_reason("a short text is missing"))?);
        Ok(())
    }

    /// Appends the next string as a text.
    fn quote(&mut self, length: u32) -> Result<()> {
        push_number(&mut self.text, length, b'"');
        self.append(length)
    }

    /// Gives what `write` appends a number.
    fn remember(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let start = self.text.len();
        write(self)?;
        self.known.push(&self.text[start..]);
        Ok(())
    }
}

/// What stood in the texts before, by its number.
#[derive(Default)]
struct KnownPieces {
    units: Vec<u16>,
    places: Vec<Range<usize>>,
}

impl KnownPieces {
    fn push(&mut self, units: &[u16]) {
        let start = self.units.len();
        self.units.extend_from_slice(units);
        self.places.push(start..self.units.len());
    }

    fn get(&self, number: u32) -> Result<&[u16]> {
        let place = self.places.get(to_usize(number)).cloned();
        place.and_then(|place| self.units.get(place)).ok_or_else(|| Error::from_reason("a piece has no such number"))
    }
}

/// Appends a number in decimal digits, and the letter after it.
fn push_number(text: &mut Vec<u16>, mut number: u32, after: u8) {
    let mut digits = [0; 10];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = u16::from(b'0') + (number % 10) as u16;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
    text.push(u16::from(after));
}
