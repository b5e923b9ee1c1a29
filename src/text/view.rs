//! Borrowed texts.

use std::ops::Range;

use super::class;

/// A view of a text: one folded byte per code unit (see [`super::fold_unit`]) and, unless all of it is ASCII, the units
/// themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'a> {
    pub(super) folded: &'a [u8],
    pub(super) units: Option<&'a [u16]>,
}

impl<'a> Text<'a> {
    /// Creates a text of ASCII characters.
    ///
    /// # Panics
    /// In debug builds, if one of them is not ASCII.
    pub(crate) fn from_ascii(bytes: &'a [u8]) -> Self {
        debug_assert!(bytes.is_ascii());
        Text { folded: bytes, units: None }
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
    pub fn unit(self, at: usize) -> u16 {
        self.units.map_or_else(|| u16::from(self.folded[at]), |units| units[at])
    }

    /// Returns whether the text is empty.
    pub fn is_empty(self) -> bool {
        self.folded.is_empty()
    }

    /// Returns the code units, or `None` if all are ASCII and thus equal to the folded bytes.
    pub fn units(self) -> Option<&'a [u16]> {
        self.units
    }

    /// Returns the part of the text at `range`.
    pub fn slice(self, range: Range<usize>) -> Text<'a> {
        let folded = &self.folded[range.clone()];
        // A part without a folded code is ASCII, so its code units equal the bytes.
        let units = self.units.filter(|_| !folded.is_ascii()).map(|units| &units[range]);
        Text { folded, units }
    }

    /// Returns whether the parts at two ranges are equal.
    #[inline]
    pub fn is_same(self, one: Range<usize>, other: Range<usize>) -> bool {
        let (a, b) = (&self.folded[one.clone()], &self.folded[other.clone()]);
        // Most parts differ in their first bytes, which takes no call to compare.
        a.len() == b.len()
            && a.first() == b.first()
            && a == b
            && self.units.is_none_or(|units| units[one] == units[other])
    }

    /// Returns the text without white space at both ends.
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
        self.folded == other.folded && (self.units == other.units)
    }
}

impl Eq for Text<'_> {}

impl std::hash::Hash for Text<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Many Chinese texts have the same folded bytes, so wide texts are hashed by their code units.
        match self.units {
            None => state.write(self.folded),
            Some(units) => {
                let (chunks, rest) = units.as_chunks::<8>();
                let mut last = [0; 8];
                last[..rest.len()].copy_from_slice(rest);
                for chunk in chunks.iter().chain([&last]) {
                    let [a, b, c, d, e, f, g, h] = chunk.map(u64::from);
                    let (low, high) = (a | b << 16 | c << 32 | d << 48, e | f << 16 | g << 32 | h << 48);
                    state.write_u128(u128::from(low) | u128::from(high) << 64);
                }
                state.write_usize(units.len());
            }
        }
    }
}
