//! What stands in the parts of a history: their units, and the units that contain each term.

use std::ops::Range;

use super::units::{core, for_each_unit};
use super::words::Words;
use palimpsest_text::Text;
use palimpsest_text::hashing::text_hash;
use palimpsest_text::terms::for_each_term;

/// UTF-16 code units of a history to each of its units, about: most have more.
const CODE_UNITS_PER_PASSAGE: usize = 32;

/// A part of the history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Number of the first of its units.
    first_unit: u32,
    /// Number of its terms, repetitions included.
    pub terms: u32,
}

/// A unit of the history, which ends where the next one or the text of its part does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub part: u32,
    pub start: u32,
    /// The hash of its core.
    pub hash: u64,
}

/// Lists of parts, units and words, each in the order of the history.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub parts: Vec<Part>,
    pub units: Vec<Unit>,
    /// The words of the last units.
    words: Words,
    /// The words of the units before those. What several threads have read stays apart, because one thread would have to join it.
    earlier: Vec<Words>,
}

impl Lists {
    /// Makes room for parts of about `units` UTF-16 code units altogether, so that nothing moves while they are added.
    pub(crate) fn reserve(&mut self, units: usize) {
        self.units.reserve(units / CODE_UNITS_PER_PASSAGE);
        self.words.reserve(units);
    }

    /// Adds the next part. Its first unit contains the terms of its name as well. Takes time linear in the length.
    pub(crate) fn add(&mut self, text: Text<'_>, name: Option<Text<'_>>) {
        let part = self.parts.len() as u32;
        let mut unit = self.units.len();
        self.parts.push(Part { first_unit: unit as u32, terms: 0 });
        for_each_unit(text, |range| {
            let hash = text_hash(core(text.slice(range.clone())));
            self.units.push(Unit { part, start: range.start as u32, hash });
        });
        let mut terms = 0;
        let end_of = |units: &[Unit], unit: usize| units.get(unit + 1).map_or(text.len(), |next| next.start as usize);
        let mut unit_end = end_of(&self.units, unit);
        let mut first_of_unit = self.words.postings();
        if let Some(name) = name.filter(|_| unit < self.units.len()) {
            for_each_term(name, |start, end| self.words.post(unit as u32, first_of_unit, name, start, end));
        }
        for_each_term(text, |start, end| {
            terms += 1;
            while unit_end <= start {
                unit += 1;
                unit_end = end_of(&self.units, unit);
                first_of_unit = self.words.postings();
            }
            self.words.post(unit as u32, first_of_unit, text, start, end);
        });
        self.parts[part as usize].terms = terms;
    }

    /// Adds the parts of other lists after its own. Finds the same as if they had been added one by one.
    pub(crate) fn join(&mut self, others: Lists) {
        let (parts, units) = (self.parts.len() as u32, self.units.len() as u32);
        self.parts.extend(others.parts.iter().map(|part| Part { first_unit: part.first_unit + units, ..*part }));
        self.units.extend(others.units.iter().map(|unit| Unit { part: unit.part + parts, ..*unit }));
        for words in others.earlier.into_iter().chain([others.words]) {
            self.earlier.push(std::mem::replace(&mut self.words, words.moved_by(units)));
        }
    }

    /// Removes all parts but the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        let Some(&Part { first_unit, .. }) = self.parts.get(count) else { return };
        self.parts.truncate(count);
        self.units.truncate(first_unit as usize);
        while self.words.first_unit() >= first_unit
            && let Some(before) = self.earlier.pop()
        {
            self.words = before;
        }
        self.words.truncate(first_unit);
    }

    /// The numbers of the units of a part.
    pub(crate) fn units_of(&self, part: u32) -> Range<u32> {
        let end = self.parts.get(part as usize + 1).map_or(self.units.len() as u32, |next| next.first_unit);
        self.parts[part as usize].first_unit..end
    }

    pub(crate) fn all_of(&self, part: u32) -> &[Unit] {
        let Range { start, end } = self.units_of(part);
        &self.units[start as usize..end as usize]
    }

    /// The units that contain a form of a word, in order.
    pub(crate) fn units_with(&self, word: &[u16]) -> Vec<u32> {
        let mut found = Vec::new();
        self.earlier.iter().chain([&self.words]).for_each(|words| words.find(word, &mut found));
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use palimpsest_text::TextBuf;

    const WORDS: [&str; 4] = ["order", "ab", "parse", "京京"];

    fn any_texts() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("([abé京] ?|parse[A-Z]|\n|orders? ){0,40}", 0..8)
    }

    /// Each text names itself by its last words.
    fn name_of(text: &str) -> Option<&str> {
        text.get(text.len().checked_sub(6)?..)
    }

    fn lists_named(texts: &[String], name_of: impl Fn(&str) -> Option<&str>) -> Lists {
        let mut lists = Lists::default();
        for text in texts {
            let name = name_of(text).map(TextBuf::from);
            lists.add(TextBuf::from(text.as_str()).as_text(), name.as_ref().map(TextBuf::as_text));
        }
        lists
    }

    fn lists_of(texts: &[String]) -> Lists {
        lists_named(texts, name_of)
    }

    proptest! {
        #[test]
        fn joined_lists_are_those_of_all_parts(
            texts in any_texts(),
            ends in [0..8usize, 0..8],
        ) {
            let mut ends = ends.map(|end| end.min(texts.len()));
            ends.sort_unstable();
            let mut joined = lists_of(&texts[..ends[0]]);
            joined.join(lists_of(&texts[ends[0]..ends[1]]));
            joined.join(lists_of(&texts[ends[1]..]));
            let all = lists_of(&texts);
            let shown = |lists: &Lists| format!("{:?}", (&lists.parts, &lists.units));
            prop_assert_eq!(shown(&joined), shown(&all));
            for word in WORDS {
                let word: Vec<u16> = word.encode_utf16().collect();
                prop_assert_eq!(joined.units_with(&word), all.units_with(&word));
            }
        }

        #[test]
        fn the_first_unit_contains_the_words_of_the_name(texts in any_texts()) {
            let (named, plain) = (lists_of(&texts), lists_named(&texts, |_| None));
            let shown = |lists: &Lists| format!("{:?}", (&lists.parts, &lists.units));
            prop_assert_eq!(shown(&named), shown(&plain));
            let units_of = |part: usize| plain.units_of(part as u32);
            for word in WORDS {
                let word: Vec<u16> = word.encode_utf16().collect();
                let says = |part: &usize| {
                    let name = name_of(&texts[*part]).unwrap_or_default();
                    !lists_named(&[name.to_owned()], |_| None).units_with(&word).is_empty()
                };
                let parts = (0..texts.len()).filter(|&part| !units_of(part).is_empty());
                let firsts = parts.filter(says).map(|part| units_of(part).start);
                let units: BTreeSet<u32> = plain.units_with(&word).into_iter().chain(firsts).collect();
                prop_assert_eq!(named.units_with(&word), units.into_iter().collect::<Vec<_>>());
            }
        }
    }
}
