//! Collections of texts.

use super::fold::fold_into;
use super::view::Text;
use super::wide::{Folded, Wide};

/// Many texts in few allocations, so that a history of 20,000 messages does not need 20,000.
#[derive(Debug, Default)]
pub struct Texts {
    folded: Folded,
    /// The units of texts that keep all of theirs.
    units: Vec<u16>,
    ends: Vec<End>,
    /// Expected number of code units of all texts.
    expected: usize,
    /// Whether texts that are nearly all ASCII keep only the units that are not.
    is_compact: bool,
}

/// Spare units after a text that is appended: a string copied out of JavaScript ends with a zero, and one more shows that it is too long.
const ROOM: usize = 2;

/// Where the lists end after a text.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// End of its bytes.
    folded: usize,
    /// End in `units`.
    units: usize,
    /// Number of texts up to here that keep few units.
    few: u32,
}

impl Texts {
    /// Creates an empty collection with room for `count` texts of `units` code units altogether.
    pub fn with_capacity(count: usize, units: usize) -> Self {
        let mut texts = Texts { ends: Vec::with_capacity(count), expected: units, ..Texts::default() };
        texts.reserve(units);
        texts
    }

    /// Creates an empty collection with room for `count` texts, in which one that is nearly all ASCII takes little more than a byte for each
    /// of its code units, though it has an arrow in each line.
    pub fn compact(count: usize, units: usize) -> Self {
        Texts { is_compact: true, ..Texts::with_capacity(count, units) }
    }

    /// Makes room for texts of `units` code units altogether, beside those that are there.
    pub fn reserve(&mut self, units: usize) {
        self.folded.bytes.reserve(units);
    }

    /// Removes all texts, and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Adds a text.
    pub fn push(&mut self, text: Text<'_>) {
        let start = self.units();
        self.folded.bytes.extend_from_slice(text.folded);
        if let Some(units) = text.in_full(&mut Vec::new()).units() {
            self.keep(start, units);
        }
        self.end();
    }

    /// Adds a text.
    pub fn push_units(&mut self, units: &[u16]) {
        let start = self.units();
        let is_ascii = fold_into(units, &mut self.folded.bytes);
        if !is_ascii {
            self.keep(start, units);
        }
        self.end();
    }

    /// Adds a text whose code units `append` puts after those that are there: where all of them are kept, they are not copied again.
    ///
    /// # Errors
    /// If `append` fails.
    // Only exports read strings.
    pub fn push_appended<E>(&mut self, append: impl FnOnce(&mut Vec<u16>) -> Result<(), E>) -> Result<(), E> {
        self.reserve_units(ROOM);
        let (start, first) = (self.units(), self.units.len());
        append(&mut self.units)?;
        let is_ascii = fold_into(&self.units[first..], &mut self.folded.bytes);
        if is_ascii || self.is_compact && self.folded.keep_few(start, &self.units[first..]) {
            self.units.truncate(first);
        }
        self.end();
        Ok(())
    }

    /// Stores the code units of the last text, whose bytes start at `start`. Apart from [`Texts::push`], because most texts are ASCII.
    #[inline(never)]
    fn keep(&mut self, start: usize, units: &[u16]) {
        if self.is_compact && self.folded.keep_few(start, units) {
            return;
        }
        self.reserve_units(units.len());
        self.units.extend_from_slice(units);
    }

    /// Makes room for the first units that are stored, `last` of which belong to the last text, and for those of all texts to come, so that
    /// nothing moves later. Memory that is never written to costs nothing.
    fn reserve_units(&mut self, last: usize) {
        if self.units.is_empty() {
            self.units.reserve(last + self.expected.saturating_sub(self.folded.bytes.len()));
        }
    }

    fn end(&mut self) {
        self.ends.push(End { folded: self.folded.bytes.len(), units: self.units.len(), few: self.folded.few_count() });
    }

    /// Removes the last text.
    pub fn pop(&mut self) {
        self.truncate(self.len().saturating_sub(1));
    }

    /// Removes all texts but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        let End { folded, units, few } = self.start_of(self.len());
        self.folded.truncate(folded, few);
        self.units.truncate(units);
    }

    /// Adds a text.
    pub fn push_str(&mut self, text: &str) {
        self.push_units(&text.encode_utf16().collect::<Vec<_>>());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the total length of the texts, in UTF-16 code units.
    pub fn units(&self) -> usize {
        self.folded.bytes.len()
    }

    /// Returns the length of the text at `index`, in UTF-16 code units.
    #[inline]
    pub fn length(&self, index: usize) -> usize {
        self.ends[index].folded - self.start_of(index).folded
    }

    #[inline]
    pub fn get(&self, index: usize) -> Text<'_> {
        let (start, end) = (self.start_of(index), self.ends[index]);
        let wide = if start.few < end.few {
            Wide::Few(self.folded.few(start.few))
        } else if start.units < end.units {
            Wide::All(&self.units[start.units..end.units])
        } else {
            Wide::None
        };
        Text { folded: &self.folded.bytes[start.folded..end.folded], wide }
    }

    #[inline]
    fn start_of(&self, index: usize) -> End {
        index.checked_sub(1).map_or_else(End::default, |before| self.ends[before])
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;
    use crate::TextBuf;
    use crate::hashing::{sample_hash, text_hash};

    #[test]
    fn removing_the_last_text_leaves_the_others() {
        for mut texts in [Texts::default(), Texts::compact(0, 0)] {
            for text in ["plain", "wide \u{2014}", "", "\u{2714}"] {
                texts.push_str(text);
                for gone in ["\u{2014} gone", "gone", "\u{6771}\u{4EAC}"] {
                    texts.push_str(gone);
                    texts.pop();
                }
            }
            texts.push_str("last");
            let expected = ["plain", "wide \u{2014}", "", "\u{2714}", "last"];
            assert_eq!(texts.len(), expected.len());
            for (index, text) in expected.into_iter().enumerate() {
                assert_eq!(texts.get(index), TextBuf::from(text).as_text());
            }
            assert_eq!(texts.units(), expected.iter().map(|text| text.encode_utf16().count()).sum::<usize>());
        }
    }

    #[test]
    fn a_text_that_is_nearly_all_ascii_keeps_few_units() {
        let given = [
            "an arrow \u{2192} and, behind it, another \u{2192}",
            "plain",
            "\u{6771}\u{4EAC} it is",
            "\u{2192} and so on and on",
        ];
        let mut texts = Texts::compact(0, 0);
        given.iter().for_each(|text| texts.push_str(text));
        let kept: Vec<_> = (0..given.len()).map(|index| texts.get(index).wide).collect();
        assert!(matches!(kept[..], [Wide::Few(_), Wide::None, Wide::All(_), Wide::Few(_)]), "{kept:?}");
    }

    /// Texts with some units outside of ASCII, halves of surrogate pairs among them, and with few different ones so that parts repeat.
    fn given() -> impl Strategy<Value = Vec<Vec<u16>>> {
        let wide =
            prop::sample::select(vec![0xE9, 0x2014, 0x2028, 0x3000, 0x6771, 0x6772, 0xD83D, 0xDE00, 0xFFFF, 0x80]);
        let plain = prop::sample::select(b"ab .\n".to_vec()).prop_map(u16::from);
        let unit = (1u32..60).prop_flat_map(move |share| prop_oneof![share => plain.clone(), 1 => wide.clone()]);
        prop::collection::vec(prop::collection::vec(unit, 0..40), 1..6)
    }

    /// The ranges of a text, or some of those of a long one.
    fn ranges(length: usize) -> impl Iterator<Item = Range<usize>> {
        let step = 1 + length / 12;
        (0..=length).step_by(step).flat_map(move |start| (start..=length).step_by(step).map(move |end| start..end))
    }

    proptest! {
        #[test]
        fn a_text_is_the_same_with_few_and_with_all_units(given in given(), long in 0usize..4) {
            // The first is long enough for samples, and for pieces of it to be told from the whole.
            let given: Vec<Vec<u16>> = given.iter().enumerate()
                .map(|(index, units)| if index == 0 { units.repeat(1 + 3 * long) } else { units.clone() }).collect();
            let (mut all, mut few, mut copied) = (Texts::default(), Texts::compact(0, 0), Texts::compact(0, 0));
            let mut appended = [Texts::default(), Texts::compact(0, 0)];
            for units in &given {
                all.push_units(units);
                few.push_units(units);
                for (texts, expected) in appended.iter_mut().zip([&all, &few]) {
                    let append = |all: &mut Vec<u16>| {
                        all.extend_from_slice(units);
                        Ok::<(), Infallible>(())
                    };
                    texts.push_appended(append).unwrap();
                    let last = texts.len() - 1;
                    prop_assert_eq!(texts.get(last), expected.get(last));
                    prop_assert_eq!((texts.units.len(), texts.units()), (expected.units.len(), expected.units()));
                }
                copied.push(few.get(few.len() - 1));
            }
            let mut written = [TextBuf::new(), TextBuf::new()];
            for (index, units) in given.iter().enumerate() {
                prop_assert_eq!(copied.get(index), few.get(index));
                for range in ranges(units.len()) {
                    let (a, b) = (all.get(index).slice(range.clone()), few.get(index).slice(range.clone()));
                    let expected = &units[range.clone()];
                    prop_assert!((0..b.len()).all(|at| b.unit(at) == expected[at]));
                    prop_assert_eq!(b.is_ascii(), expected.iter().all(|&unit| unit < 0x80));
                    let mut buffer = Vec::new();
                    prop_assert_eq!(b.in_full(&mut buffer).units(), a.units());
                    prop_assert_eq!((a.bytes(), a.trim(), a.prefix(3)), (b.bytes(), b.trim(), b.prefix(3)));
                    prop_assert_eq!((a, b), (b, a));
                    prop_assert_eq!((text_hash(a), sample_hash(a)), (text_hash(b), sample_hash(b)));
                    for (number, other) in given.iter().enumerate() {
                        let (c, d) = (all.get(number), few.get(number).suffix(b.len()));
                        prop_assert_eq!(b == d, a == c.suffix(b.len()));
                        prop_assert_eq!(b.cmp_units(c), expected.cmp(&other[..]));
                        prop_assert_eq!(c.cmp_units(b), other[..].cmp(expected));
                    }
                    for other in ranges(units.len()).filter(|other| other.len() == range.len()) {
                        let is_same = few.get(index).is_same(range.clone(), other.clone());
                        prop_assert_eq!(is_same, *expected == units[other]);
                    }
                    if range.len() % 5 == 1 {
                        for (buffer, text) in written.iter_mut().zip([a, b]) {
                            buffer.push(text);
                        }
                    }
                }
                // Only now, because it stores them.
                let part = units.len() / 3..units.len();
                prop_assert_eq!(few.get(index).slice(part.clone()).units(), all.get(index).slice(part).units());
            }
            prop_assert_eq!(&written[0], &written[1]);
        }
    }
}
