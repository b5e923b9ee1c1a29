//! Collections of texts.

use super::fold::fold_into;
use super::view::Text;

/// Many texts in two allocations, so that a history of 20,000 messages does not need 20,000.
#[derive(Debug, Default)]
pub struct Texts {
    folded: Vec<u8>,
    units: Vec<u16>,
    ends: Vec<End>,
    /// Expected number of code units of all texts.
    expected: usize,
}

#[derive(Clone, Copy, Debug)]
struct End {
    /// End of the text in `folded`.
    folded: usize,
    /// Start in `units`; [`ASCII`] if it is not there.
    units: usize,
}

const ASCII: usize = usize::MAX;

impl Texts {
    /// Creates an empty collection with room for `count` texts of `units` code units altogether.
    pub fn with_capacity(count: usize, units: usize) -> Self {
        Texts { folded: Vec::with_capacity(units), units: Vec::new(), ends: Vec::with_capacity(count), expected: units }
    }

    /// Removes all texts, and keeps the memory.
    pub fn clear(&mut self) {
        self.folded.clear();
        self.units.clear();
        self.ends.clear();
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

    /// Removes the last text.
    pub fn pop(&mut self) {
        let Some(End { units, .. }) = self.ends.pop() else { return };
        self.folded.truncate(self.ends.last().map_or(0, |end| end.folded));
        if units != ASCII {
            self.units.truncate(units);
        }
    }

    /// Stores the code units of the text that is already folded, and returns their start.
    fn push_wide(&mut self, units: &[u16]) -> usize {
        let start = self.units.len();
        if start == 0 {
            // Reserves for all texts to come, so that nothing moves later. Memory that is never written to costs
            // nothing.
            self.units.reserve(units.len() + self.expected.saturating_sub(self.folded.len()));
        }
        self.units.extend_from_slice(units);
        start
    }

    /// Adds a text.
    pub fn push_str(&mut self, text: &str) {
        self.push_units(&text.encode_utf16().collect::<Vec<_>>());
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the total length of the texts, in UTF-16 code units.
    pub fn units(&self) -> usize {
        self.folded.len()
    }

    /// Returns the text at `index`.
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
    use crate::text::TextBuf;

    #[test]
    fn removing_the_last_text_leaves_the_others() {
        let mut texts = Texts::default();
        for text in ["plain", "wide \u{2014}", "", "\u{2714}"] {
            texts.push_str(text);
            texts.push_str("\u{2014} gone");
            texts.pop();
            texts.push_str("gone");
            texts.pop();
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
