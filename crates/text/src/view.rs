//! Borrowed texts.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::class;
use super::wide::Wide;

/// A view of a text: one folded byte per code unit (see [`super::fold_unit`]) and, unless all of it is ASCII, the units
/// themselves, or those that are not ASCII.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'a> {
    pub(super) folded: &'a [u8],
    pub(super) wide: Wide<'a>,
}

impl<'a> Text<'a> {
    /// Creates a text of ASCII characters.
    ///
    /// # Panics
    /// In debug builds, if one of them is not ASCII.
    pub fn from_ascii(bytes: &'a [u8]) -> Self {
        debug_assert!(bytes.is_ascii());
        Text { folded: bytes, wide: Wide::None }
    }

    /// Returns the folded bytes, which the rules read.
    pub fn bytes(self) -> &'a [u8] {
        self.folded
    }

    /// Returns the length in UTF-16 code units.
    pub fn len(self) -> usize {
        self.folded.len()
    }

    /// Returns the code unit at `at`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn unit(self, at: usize) -> u16 {
        match self.wide {
            Wide::All(units) => units[at],
            Wide::Few(few) if !self.folded[at].is_ascii() => few.unit(at),
            _ => u16::from(self.folded[at]),
        }
    }

    pub fn is_empty(self) -> bool {
        self.folded.is_empty()
    }

    /// Returns whether all code units are ASCII, and thus equal to the folded bytes.
    #[inline]
    pub fn is_ascii(self) -> bool {
        matches!(self.wide, Wide::None)
    }

    /// Returns the code units, or `None` if all are ASCII and thus equal to the folded bytes.
    ///
    /// Where a text keeps few of them, the first call stores them all for as long as the text lives: [`Text::is_ascii`], [`Text::unit`] and
    /// [`Text::in_full`] do with less memory.
    #[inline]
    pub fn units(self) -> Option<&'a [u16]> {
        match self.wide {
            Wide::None => None,
            Wide::All(units) => Some(units),
            Wide::Few(few) => Some(few.in_full(self.len())),
        }
    }

    /// Returns the text as a string, with replacement characters for lone surrogates.
    pub fn to_string_lossy(self) -> String {
        match self.units() {
            Some(units) => String::from_utf16_lossy(units),
            None => String::from_utf8_lossy(self.bytes()).into_owned(),
        }
    }

    /// Returns the same text with all of its code units, which `buffer` may get.
    #[inline]
    pub fn in_full<'b>(self, buffer: &'b mut Vec<u16>) -> Text<'b>
    where
        'a: 'b,
    {
        let Wide::Few(few) = self.wide else { return self };
        buffer.clear();
        few.append_to(buffer, self.folded);
        Text { folded: self.folded, wide: Wide::All(buffer) }
    }

    /// Returns the part of the text at `range`.
    pub fn slice(self, range: Range<usize>) -> Text<'a> {
        let folded = &self.folded[range.clone()];
        // A part without a folded code is ASCII, so its code units equal the bytes.
        let wide = match self.wide {
            Wide::None => Wide::None,
            _ if folded.is_ascii() => Wide::None,
            Wide::All(units) => Wide::All(&units[range]),
            Wide::Few(few) => Wide::Few(few.from(range.start)),
        };
        Text { folded, wide }
    }

    /// Returns whether the parts at two ranges are equal.
    #[inline]
    pub fn is_same(self, one: Range<usize>, other: Range<usize>) -> bool {
        let (a, b) = (&self.folded[one.clone()], &self.folded[other.clone()]);
        // Most parts differ in their first bytes, which takes no call to compare.
        a.len() == b.len()
            && a.first() == b.first()
            && a == b
            && match self.wide {
                Wide::None => true,
                Wide::All(units) => units[one] == units[other],
                Wide::Few(few) => few.from(one.start).are_equal(few.from(other.start), a.len()),
            }
    }

    /// Returns the text without white space at both ends.
    pub fn trim(self) -> Text<'a> {
        let (start, end) = class::trim(self.folded, 0, self.len());
        self.slice(start..end)
    }

    /// Orders two texts by their UTF-16 code units, as JavaScript does.
    pub fn cmp_units(self, other: Text<'_>) -> Ordering {
        if self.is_ascii() && other.is_ascii() {
            return self.folded.cmp(other.folded);
        }
        (0..self.len()).map(|at| self.unit(at)).cmp((0..other.len()).map(|at| other.unit(at)))
    }

    /// Returns the first `count` code units, or all if there are fewer. May cut a surrogate pair, as `slice` does in
    /// JavaScript.
    pub fn prefix(self, count: usize) -> Text<'a> {
        self.slice(0..count.min(self.len()))
    }

    /// Returns the last `count` code units, or all if there are fewer.
    pub fn suffix(self, count: usize) -> Text<'a> {
        self.slice(self.len().saturating_sub(count)..self.len())
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.folded == other.folded
            && match (self.wide, other.wide) {
                (Wide::None, Wide::None) => true,
                (Wide::All(a), Wide::All(b)) => a == b,
                (Wide::Few(a), Wide::Few(b)) => a.are_equal(b, self.len()),
                (Wide::All(all), Wide::Few(few)) | (Wide::Few(few), Wide::All(all)) => few.equals(all),
                _ => false,
            }
    }
}

impl Eq for Text<'_> {}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Many Chinese texts have the same folded bytes, so wide texts are hashed by their code units.
        match self.wide {
            Wide::None => return state.write(self.folded),
            Wide::All(units) => eights(units, |_, eight| hash_eight(eight, state)),
            Wide::Few(few) => {
                let mut units = few.places(self.len()).peekable();
                eights(self.folded, |number, eight| {
                    let mut eight = eight.map(u16::from);
                    while let Some((place, unit)) = units.next_if(|&(place, _)| place / EIGHT == number) {
                        eight[place % EIGHT] = unit;
                    }
                    hash_eight(eight, state);
                });
            }
        }
        state.write_usize(self.len());
    }
}

const EIGHT: usize = 8;

/// Calls `visit` with each eight of `items` and its number. Zeros fill up the last, which has fewer.
fn eights<T: Copy + Default>(items: &[T], mut visit: impl FnMut(usize, [T; EIGHT])) {
    let (eights, rest) = items.as_chunks();
    let mut last = [T::default(); EIGHT];
    last[..rest.len()].copy_from_slice(rest);
    for (number, eight) in eights.iter().chain([&last]).enumerate() {
        visit(number, *eight);
    }
}

fn hash_eight(units: [u16; EIGHT], state: &mut impl Hasher) {
    let [a, b, c, d, e, f, g, h] = units.map(u64::from);
    let (low, high) = (a | b << 16 | c << 32 | d << 48, e | f << 16 | g << 32 | h << 48);
    state.write_u128(u128::from(low) | u128::from(high) << 64);
}
