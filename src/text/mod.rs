//! The text model: a text is a sequence of UTF-16 code units, as in JavaScript. Every length, position and budget of
//! the engine counts them. A lone surrogate is a unit like any other.

pub mod class;
pub mod eights;
mod fold;
pub mod hashing;
mod interner;
pub mod json;
pub mod lexicon;
pub mod lines;
mod lowercase;
pub mod masks;
pub mod names;
pub mod patterns;
pub mod phrases;
pub mod rolling;
mod shared;
pub(crate) mod simd;
pub mod words;

pub use fold::{BULLET, LEFT_QUOTE, MATH, RIGHT_QUOTE, THEREFORE, WIDE_LINE_END, WIDE_SPACE, fold_into, fold_unit};

pub use interner::Interner;
pub use lowercase::lowercase;
pub use shared::SharedText;

use std::ops::Range;

/// A view of a text: one folded byte per code unit (see [`fold_unit`]) and, unless all of it is ASCII, the units
/// themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'a> {
    folded: &'a [u8],
    units: Option<&'a [u16]>,
}

impl<'a> Text<'a> {
    /// A text of ASCII characters.
    ///
    /// # Panics
    /// In debug builds, if one of them isn't ASCII.
    pub(crate) fn from_ascii(bytes: &'a [u8]) -> Self {
        debug_assert!(bytes.is_ascii());
        Text { folded: bytes, units: None }
    }

    /// The text's folded bytes: what the rules read.
    pub fn bytes(self) -> &'a [u8] {
        self.folded
    }

    /// The length in UTF-16 code units.
    pub fn len(self) -> usize {
        self.folded.len()
    }

    /// The unit at `at`.
    ///
    /// # Panics
    /// If there is none.
    pub fn unit(self, at: usize) -> u16 {
        self.units.map_or_else(|| u16::from(self.folded[at]), |units| units[at])
    }

    /// Whether the text has no unit at all.
    pub fn is_empty(self) -> bool {
        self.folded.is_empty()
    }

    /// The units themselves, or `None` where all are ASCII and equal the folded bytes.
    pub fn units(self) -> Option<&'a [u16]> {
        self.units
    }

    /// The part of the text at `range`.
    pub fn slice(self, range: Range<usize>) -> Text<'a> {
        let folded = &self.folded[range.clone()];
        // A part without a folded code is ASCII, and then the units say nothing that the bytes do not.
        let units = self.units.filter(|_| !folded.is_ascii()).map(|units| &units[range]);
        Text { folded, units }
    }

    /// The text without the white space at both ends.
    pub fn trim(self) -> Text<'a> {
        let (start, end) = class::trim(self.folded, 0, self.len());
        self.slice(start..end)
    }

    /// Orders two texts by their UTF-16 code units, as JavaScript does.
    pub fn cmp_units(self, other: Text<'_>) -> std::cmp::Ordering {
        match (self.units, other.units) {
            (None, None) => self.folded.cmp(other.folded),
            (Some(a), Some(b)) => a.cmp(b),
            (Some(a), None) => a.iter().copied().cmp(other.folded.iter().map(|&byte| u16::from(byte))),
            (None, Some(_)) => other.cmp_units(self).reverse(),
        }
    }

    /// The first `count` units, or all where there are fewer. May cut a surrogate pair, as `slice` does in JavaScript.
    pub fn prefix(self, count: usize) -> Text<'a> {
        self.slice(0..count.min(self.len()))
    }

    /// Appends the text to `shortened` or, where it is longer than `limit` units, its beginning and `...`, `limit` units in all.
    pub fn push_shortened(self, limit: usize, shortened: &mut TextBuf) {
        if self.len() <= limit {
            return shortened.push(self);
        }
        shortened.push(self.prefix(limit - 3));
        shortened.push_str("...");
    }

    /// The last `count` units, or all where there are fewer.
    pub fn suffix(self, count: usize) -> Text<'a> {
        self.slice(self.len().saturating_sub(count)..self.len())
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.folded == other.folded && (self.units == other.units)
    }
}

impl Eq for Text<'_> {}

impl std::hash::Hash for Text<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // The folded bytes of many Chinese texts are the same, so those don't tell wide texts apart.
        match self.units {
            None => state.write(self.folded),
            Some(units) => {
                let (eights, rest) = units.as_chunks::<8>();
                let mut last = [0; 8];
                last[..rest.len()].copy_from_slice(rest);
                for eight in eights.iter().chain([&last]) {
                    let [a, b, c, d, e, f, g, h] = eight.map(u64::from);
                    let (low, high) = (a | b << 16 | c << 32 | d << 48, e | f << 16 | g << 32 | h << 48);
                    state.write_u128(u128::from(low) | u128::from(high) << 64);
                }
                state.write_usize(units.len());
            }
        }
    }
}

/// An owned text that grows at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextBuf {
    folded: Vec<u8>,
    /// Empty while all of the text is ASCII.
    units: Vec<u16>,
}

impl TextBuf {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes everything out again, and keeps the memory.
    pub fn clear(&mut self) {
        self.folded.clear();
        self.units.clear();
    }

    /// Appends ASCII characters in lowercase.
    pub(crate) fn push_ascii_lowercase(&mut self, bytes: &[u8]) {
        let start = self.folded.len();
        self.push(Text::from_ascii(bytes));
        self.folded[start..].make_ascii_lowercase();
        if !self.units.is_empty() {
            self.units.truncate(start);
            self.units.extend(self.folded[start..].iter().map(|&byte| u16::from(byte)));
        }
    }

    /// Makes room for `count` more units.
    pub fn reserve(&mut self, count: usize) {
        self.folded.reserve(count);
    }

    /// A view of the whole text.
    pub fn as_text(&self) -> Text<'_> {
        Text { folded: &self.folded, units: (!self.units.is_empty()).then_some(&self.units[..]) }
    }

    /// The length in UTF-16 code units.
    pub fn len(&self) -> usize {
        self.folded.len()
    }

    /// Whether the text has no unit at all.
    pub fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    /// Appends `text`.
    pub fn push(&mut self, text: Text<'_>) {
        match text.units {
            Some(units) => {
                self.widen();
                self.units.extend_from_slice(units);
            }
            None if !self.units.is_empty() => self.units.extend(text.folded.iter().map(|&byte| u16::from(byte))),
            None => {}
        }
        self.folded.extend_from_slice(text.folded);
    }

    /// Appends `text`.
    pub fn push_str(&mut self, text: &str) {
        if text.is_ascii() {
            self.push(Text { folded: text.as_bytes(), units: None });
        } else {
            self.push_units(&text.encode_utf16().collect::<Vec<_>>());
        }
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

    /// Starts to keep the units beside the folded bytes.
    fn widen(&mut self) {
        if self.units.is_empty() {
            // What there is room for on one side will be needed on the other.
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

/// Many texts in two allocations, so that a history of 20,000 messages costs no 20,000 allocations.
#[derive(Debug, Default)]
pub struct Texts {
    folded: Vec<u8>,
    units: Vec<u16>,
    ends: Vec<End>,
    /// The units of all texts that are to come, as far as that is known.
    expected: usize,
}

#[derive(Clone, Copy, Debug)]
struct End {
    /// Where the text ends in `folded`.
    folded: usize,
    /// Where it starts in `units`; [`ASCII`] if it is not there.
    units: usize,
}

const ASCII: usize = usize::MAX;

impl Texts {
    /// An empty collection with room for `count` texts of `units` code units altogether.
    pub fn with_capacity(count: usize, units: usize) -> Self {
        Texts { folded: Vec::with_capacity(units), units: Vec::new(), ends: Vec::with_capacity(count), expected: units }
    }

    /// Adds a text.
    pub fn push(&mut self, text: Text<'_>) {
        self.folded.extend_from_slice(text.folded);
        let units = text.units.map_or(ASCII, |units| self.push_wide(units));
        self.ends.push(End { folded: self.folded.len(), units });
    }

    /// Adds a text.
    pub fn push_units(&mut self, units: &[u16]) {
        let is_ascii = fold_into(units, &mut self.folded);
        let units = if is_ascii { ASCII } else { self.push_wide(units) };
        self.ends.push(End { folded: self.folded.len(), units });
    }

    /// Puts `others` in the place of the texts at their indices, in order, none of which may be longer than what stood there.
    pub fn shorten(&mut self, others: &[(usize, TextBuf)]) {
        let Some(&(first, _)) = others.first() else { return };
        let mut others = others.iter().peekable();
        let mut start = if first == 0 { 0 } else { self.ends[first - 1].folded };
        let mut written = start;
        for index in first..self.len() {
            let end = self.ends[index].folded;
            if let Some((_, other)) = others.next_if(|(at, _)| *at == index) {
                let Text { folded, units } = other.as_text();
                self.folded[written..written + folded.len()].copy_from_slice(folded);
                self.ends[index].units = units.map_or(ASCII, |units| self.push_wide(units));
                written += folded.len();
            } else {
                self.folded.copy_within(start..end, written);
                written += end - start;
            }
            self.ends[index].folded = written;
            start = end;
        }
        self.folded.truncate(written);
    }

    /// Keeps the units of the text that is folded already, and tells where.
    fn push_wide(&mut self, units: &[u16]) -> usize {
        let start = self.units.len();
        if start == 0 {
            // Memory that is never written to costs nothing, and so nothing has to move later.
            self.units.reserve(units.len() + self.expected.saturating_sub(self.folded.len()));
        }
        self.units.extend_from_slice(units);
        start
    }

    /// Adds a text.
    pub fn push_str(&mut self, text: &str) {
        self.push_units(&text.encode_utf16().collect::<Vec<_>>());
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The length of all texts together, in UTF-16 code units.
    pub fn units(&self) -> usize {
        self.folded.len()
    }

    /// The text at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Text<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1].folded };
        let End { folded: end, units } = self.ends[index];
        let wide = (units != ASCII).then(|| &self.units[units..units + (end - start)]);
        Text { folded: &self.folded[start..end], units: wide }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_texts_stand_among_the_others_as_they_were() {
        let given = ["first", "second \u{2014} wide", "", "third, plain", "\u{2714} fourth", "fifth"];
        let shorter = [(1, "now plain"), (3, "wide \u{2014}"), (5, "")];
        let mut texts = Texts::default();
        given.iter().for_each(|text| texts.push_str(text));
        texts.shorten(&shorter.map(|(index, text)| (index, TextBuf::from(text))));
        let mut expected = given;
        shorter.iter().for_each(|(index, text)| expected[*index] = text);
        for (index, text) in expected.into_iter().enumerate() {
            assert_eq!(texts.get(index), TextBuf::from(text).as_text());
        }
        assert_eq!(texts.units(), expected.iter().map(|text| text.encode_utf16().count()).sum::<usize>());
    }
}
