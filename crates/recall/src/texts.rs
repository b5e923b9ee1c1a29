//! The texts of a history.

use std::ops::Range;

use palimpsest_text::{Text, Texts};

/// The texts of the parts. Those that were read for several threads stand in blocks of their own.
#[derive(Debug)]
pub(crate) struct HistoryTexts {
    /// The last block.
    last: Texts,
    /// Number of parts before it.
    before: usize,
    /// The blocks before it, and the number of parts up to the end of each.
    earlier: Vec<(Texts, usize)>,
}

impl Default for HistoryTexts {
    fn default() -> Self {
        HistoryTexts { last: Texts::compact(0, 0), before: 0, earlier: Vec::new() }
    }
}

impl HistoryTexts {
    /// The last block, to which texts may be added.
    pub(crate) fn last(&mut self) -> &mut Texts {
        &mut self.last
    }

    /// Adds a block.
    pub(crate) fn push(&mut self, block: Texts) {
        self.before = self.len();
        self.earlier.push((std::mem::replace(&mut self.last, block), self.before));
    }

    pub(crate) fn len(&self) -> usize {
        self.before + self.last.len()
    }

    /// Removes all parts but the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        while self.before >= count
            && let Some((block, _)) = self.earlier.pop()
        {
            self.last = block;
            self.before = self.earlier.last().map_or(0, |&(_, end)| end);
        }
        self.last.truncate(count.saturating_sub(self.before));
    }

    /// The folded bytes of the text of a part.
    pub(crate) fn bytes(&self, part: u32) -> &[u8] {
        let (block, number) = self.place_of(part);
        block.get(number).bytes()
    }

    /// The text of a part. `buffer` may get its units.
    pub(crate) fn whole<'a>(&'a self, part: u32, buffer: &'a mut Vec<u16>) -> Text<'a> {
        let (block, number) = self.place_of(part);
        block.get(number).in_full(buffer)
    }

    /// What stands in a range of the text of a part. `buffer` may get its units.
    pub(crate) fn slice<'a>(&'a self, part: u32, range: Range<usize>, buffer: &'a mut Vec<u16>) -> Text<'a> {
        let (block, number) = self.place_of(part);
        block.get(number).slice(range).in_full(buffer)
    }

    /// The block with the text of a part, and its number there.
    pub(crate) fn place_of(&self, part: u32) -> (&Texts, usize) {
        let part = part as usize;
        if part >= self.before {
            return (&self.last, part - self.before);
        }
        let block = self.earlier.partition_point(|&(_, end)| end <= part);
        let start = block.checked_sub(1).map_or(0, |before| self.earlier[before].1);
        (&self.earlier[block].0, part - start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_are_read_as_one_list() {
        proptest!(|(
            blocks in prop::collection::vec(prop::collection::vec("[aé→]{0,9}", 0..4), 1..5),
            others in prop::collection::vec("[bü]{0,5}", 0..3),
            count in 0..12usize,
        )| {
            let mut texts = HistoryTexts::default();
            for (number, block) in blocks.iter().enumerate() {
                if number > 0 {
                    texts.push(Texts::compact(0, 0));
                }
                block.iter().for_each(|text| texts.last().push_units(&text.encode_utf16().collect::<Vec<_>>()));
            }
            texts.truncate(count);
            others.iter().for_each(|text| texts.last().push_units(&text.encode_utf16().collect::<Vec<_>>()));
            let list: Vec<&String> = blocks.iter().flatten().take(count).chain(&others).collect();
            prop_assert_eq!(texts.len(), list.len());
            let mut buffer = Vec::new();
            for (part, text) in (0..).zip(list) {
                let units: Vec<u16> = text.encode_utf16().collect();
                let shown = |text: Text<'_>| (0..text.len()).map(|at| text.unit(at)).collect::<Vec<_>>();
                prop_assert_eq!(&shown(texts.whole(part, &mut buffer)), &units);
                prop_assert_eq!(texts.bytes(part).len(), units.len());
                let half = units.len() / 2;
                prop_assert_eq!(&shown(texts.slice(part, half..units.len(), &mut buffer)), &units[half..]);
            }
        });
    }
}
