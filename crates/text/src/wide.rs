//! The code units of texts that are not all ASCII.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use super::block::BLOCK;
use super::simd::case_masks;

/// Units for each that is not ASCII, from which on a text keeps those few alone. With a quarter of them they would take as much memory as
/// all; copying all is faster than keeping more than these.
const SPARSE: usize = 16;

/// The units of a text, beside its folded bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Wide<'a> {
    /// All are ASCII, and equal the bytes.
    #[default]
    None,
    /// All of them.
    All(&'a [u16]),
    /// Those that are not ASCII.
    Few(Few<'a>),
}

/// The units of a text that are not ASCII, as a part of it sees them.
#[derive(Clone, Copy)]
pub(super) struct Few<'a> {
    all: &'a Folded,
    /// Number of the text among those with few.
    number: u32,
    /// Where the part starts in the text.
    start: u32,
}

/// The folded bytes of many texts, one after the other, and the units of those that are nearly all ASCII.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub bytes: Vec<u8>,
    /// The units that are not ASCII, with their places in their texts.
    units: Vec<(u32, u16)>,
    /// The texts that they belong to.
    texts: Vec<Sparse>,
}

/// A text of which few units are not ASCII.
#[derive(Debug)]
struct Sparse {
    bytes: Range<usize>,
    /// Where its units start.
    first: usize,
    /// All of its units, from the first time on that they are asked for.
    in_full: OnceLock<Box<[u16]>>,
}

impl Folded {
    /// Keeps the units of the last text that are not ASCII, if they are few. The text's bytes start at `start`. Returns false, and keeps none, if
    /// they are many.
    pub(crate) fn keep_few(&mut self, start: usize, units: &[u16]) -> bool {
        let first = self.units.len();
        let most = first + units.len() / SPARSE;
        let (blocks, rest) = self.bytes[start..].as_chunks();
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        for (number, block) in blocks.iter().chain([&last]).enumerate() {
            let mut wide = case_masks(block).wide;
            if self.units.len() + wide.count_ones() as usize > most {
                self.units.truncate(first);
                return false;
            }
            while wide != 0 {
                let place = BLOCK * number + wide.trailing_zeros() as usize;
                self.units.push((place as u32, units[place]));
                wide &= wide - 1;
            }
        }
        self.texts.push(Sparse { bytes: start..self.bytes.len(), first, in_full: OnceLock::new() });
        true
    }

    /// The few units of the text with a number.
    pub(crate) fn few(&self, number: u32) -> Few<'_> {
        Few { all: self, number, start: 0 }
    }

    /// Number of texts of which few units are kept.
    pub(crate) fn few_count(&self) -> u32 {
        self.texts.len() as u32
    }

    /// Removes everything after the first bytes, and after the first texts of which few units are kept.
    pub(crate) fn truncate(&mut self, bytes: usize, few_count: u32) {
        self.bytes.truncate(bytes);
        if let Some(text) = self.texts.get(few_count as usize) {
            self.units.truncate(text.first);
            self.texts.truncate(few_count as usize);
        }
    }
}

impl<'a> Few<'a> {
    /// What the part of this part sees that starts at `start`.
    pub(crate) fn from(self, start: usize) -> Self {
        Few { start: self.start + start as u32, ..self }
    }

    /// The units that are not ASCII from the start of the part on, with their places in the text.
    fn rest(self) -> &'a [(u32, u16)] {
        let first = self.text().first;
        let end = self.all.texts.get(self.number as usize + 1).map_or(self.all.units.len(), |next| next.first);
        let units = &self.all.units[first..end];
        &units[units.partition_point(|&(place, _)| place < self.start)..]
    }

    fn text(self) -> &'a Sparse {
        &self.all.texts[self.number as usize]
    }

    /// The units that are not ASCII in a part of `length` units, with their places in it.
    pub(crate) fn places(self, length: usize) -> impl Iterator<Item = (usize, u16)> + 'a {
        let relative = move |&(place, unit): &(u32, u16)| ((place - self.start) as usize, unit);
        self.rest().iter().map(relative).take_while(move |&(place, _)| place < length)
    }

    /// The unit at `at` of the part, which is not ASCII.
    pub(crate) fn unit(self, at: usize) -> u16 {
        self.from(at).rest()[0].1
    }

    /// Appends all units of the part that has these bytes.
    pub(crate) fn append_to(self, units: &mut Vec<u16>, bytes: &[u8]) {
        let start = units.len();
        units.extend(bytes.iter().map(|&byte| u16::from(byte)));
        self.places(bytes.len()).for_each(|(place, unit)| units[start + place] = unit);
    }

    /// All units of the part, of `length` units. The first call stores those of the text.
    pub(crate) fn in_full(self, length: usize) -> &'a [u16] {
        let text = self.text();
        let units = text.in_full.get_or_init(|| {
            let bytes = &self.all.bytes[text.bytes.clone()];
            let mut units = Vec::with_capacity(bytes.len());
            Few { start: 0, ..self }.append_to(&mut units, bytes);
            units.into()
        });
        &units[self.start as usize..][..length]
    }

    /// Whether two parts of `length` units that have the same bytes have the same units.
    pub(crate) fn are_equal(self, other: Few<'_>, length: usize) -> bool {
        self.places(length).eq(other.places(length))
    }

    /// Whether a part has these units. Their bytes are the same.
    pub(crate) fn equals(self, units: &[u16]) -> bool {
        self.places(units.len()).all(|(place, unit)| units[place] == unit)
    }
}

impl fmt::Debug for Few<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the other texts.
        formatter.debug_struct("Few").field("start", &self.start).field("units", &self.rest()).finish()
    }
}
