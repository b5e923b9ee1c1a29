//! Collections of texts that are kept for long.

use std::ops::Range;

use super::fold::fold_into;
use super::view::Text;

/// Units for each that is not ASCII, from which on a text stores those few alone.
const SPARSE: usize = 4;
/// Units that are looked at together.
const STRETCH: usize = 16;

/// Many texts in few allocations. One that is nearly all ASCII takes little more than a byte for each code unit, though it has an arrow in each
/// line.
#[derive(Debug, Default)]
pub struct SparseTexts {
    folded: Vec<u8>,
    ends: Vec<End>,
    /// All units of the texts with many that are not ASCII.
    units: Vec<u16>,
    /// The units of other texts that are not ASCII, with their places in them.
    wide: Vec<(u32, u16)>,
}

/// Where the lists end behind a text.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    folded: usize,
    units: usize,
    wide: usize,
}

impl SparseTexts {
    /// Makes room for texts of `units` code units altogether, beside those that are there.
    pub fn reserve(&mut self, units: usize) {
        self.folded.reserve(units);
    }

    /// Adds a text.
    pub fn push_units(&mut self, units: &[u16]) {
        let start = self.folded.len();
        if !fold_into(units, &mut self.folded) && !self.push_wide(units, start) {
            self.units.extend_from_slice(units);
        }
        self.ends.push(End { folded: self.folded.len(), units: self.units.len(), wide: self.wide.len() });
    }

    /// Stores the units that are not ASCII, of a text that starts at `start`. Returns false, and stores none, if they are many.
    fn push_wide(&mut self, units: &[u16], start: usize) -> bool {
        let before = self.wide.len();
        for (number, stretch) in self.folded[start..].chunks(STRETCH).enumerate() {
            // Nearly all are.
            if stretch.is_ascii() {
                continue;
            }
            let places = (number * STRETCH..).zip(stretch).filter(|(_, byte)| !byte.is_ascii());
            self.wide.extend(places.map(|(place, _)| (place as u32, units[place])));
            if SPARSE * (self.wide.len() - before) > units.len() {
                self.wide.truncate(before);
                return false;
            }
        }
        true
    }

    /// Removes all texts but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        let end = self.ends.last().copied().unwrap_or_default();
        self.folded.truncate(end.folded);
        self.units.truncate(end.units);
        self.wide.truncate(end.wide);
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the folded bytes of the text at `index`.
    pub fn bytes(&self, index: usize) -> &[u8] {
        &self.folded[self.start_of(index).folded..self.ends[index].folded]
    }

    /// Returns the text at `index`. `buffer` may get its units.
    pub fn whole<'a>(&'a self, index: usize, buffer: &'a mut Vec<u16>) -> Text<'a> {
        self.slice(index, 0..self.bytes(index).len(), buffer)
    }

    /// Returns the part of the text at `index` that is in `range`. `buffer` may get its units.
    pub fn slice<'a>(&'a self, index: usize, range: Range<usize>, buffer: &'a mut Vec<u16>) -> Text<'a> {
        let (start, end) = (self.start_of(index), self.ends[index]);
        let folded = &self.bytes(index)[range.clone()];
        if folded.is_ascii() {
            return Text { folded, units: None };
        }
        if start.units < end.units {
            return Text { folded, units: Some(&self.units[start.units..end.units][range]) };
        }
        buffer.clear();
        buffer.extend(folded.iter().map(|&byte| u16::from(byte)));
        let wide = &self.wide[start.wide..end.wide];
        let first = wide.partition_point(|&(place, _)| (place as usize) < range.start);
        for &(place, unit) in wide[first..].iter().take_while(|&&(place, _)| (place as usize) < range.end) {
            buffer[place as usize - range.start] = unit;
        }
        Text { folded, units: Some(buffer) }
    }

    fn start_of(&self, index: usize) -> End {
        index.checked_sub(1).map_or_else(End::default, |before| self.ends[before])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    #[test]
    fn parts_of_texts_are_as_they_were_pushed() {
        let dense = "故宫 is 京".to_owned();
        let given = ["", "plain", "  12→fn main()\n  13→}", &dense, "\u{1F600} and more", "é", "last"];
        let mut texts = SparseTexts::default();
        for (number, text) in given.iter().enumerate() {
            texts.push_units(&text.encode_utf16().collect::<Vec<_>>());
            // What was removed leaves nothing behind.
            for gone in [&dense, "gone → for good"] {
                texts.push_units(&gone.encode_utf16().collect::<Vec<_>>());
            }
            texts.truncate(number + 1);
        }
        assert!(texts.units.len() < texts.folded.len() / 2 && texts.wide.len() == 4, "both ways are taken");
        let mut buffer = Vec::new();
        for (index, text) in given.into_iter().enumerate() {
            let whole = TextBuf::from(text);
            assert_eq!(texts.bytes(index), whole.as_text().bytes());
            for start in 0..=whole.len() {
                for end in start..=whole.len() {
                    let part = texts.slice(index, start..end, &mut buffer);
                    assert_eq!(part, whole.as_text().slice(start..end), "{text}");
                }
            }
        }
        assert_eq!(texts.len(), given.len());
    }
}
