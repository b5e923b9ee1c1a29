//! Many texts in one place.

use super::buffer::TextBuf;
use super::fold::fold_into;
use super::view::Text;

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
