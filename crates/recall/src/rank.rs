//! Scores of units.

use super::index::Index;
use super::weight::specificity;
use palimpsest_text::bm25::idf;
use palimpsest_text::ranking::{QueryTerm, Ranked, Scores, is_rare};

/// So many of the query's words beside a unit say that it is about what the query asks, or one with such a share of their weight.
const CLEAR: usize = 2;
const CLEAR_SHARE: f64 = 0.3;

impl Ranked for Index {
    fn units(&self) -> usize {
        self.lists.units.len()
    }

    fn parts(&self) -> usize {
        self.lists.parts.len()
    }

    fn part_of(&self, unit: u32) -> usize {
        self.lists.units[unit as usize].part as usize
    }

    fn length_of(&self, part: usize) -> f64 {
        self.lists.parts[part].terms.into()
    }

    fn call_of(&self, part: usize) -> Option<usize> {
        self.calls[part].map(|call| call as usize)
    }
}

/// The units of a history with their scores, from 0 to 1.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// By unit.
    pub scores: Vec<f32>,
    /// The words of the query that are no function words.
    words: Vec<Word>,
}

/// A word of the query.
#[derive(Debug)]
struct Word {
    /// The units that contain it, none if too many do.
    units: Vec<u32>,
    weight: f64,
}

impl Ranking {
    /// Ranks the units of an index.
    pub(crate) fn new(index: &Index, terms: &[QueryTerm]) -> Self {
        let all = index.units();
        let found: Vec<Vec<u32>> = terms.iter().map(|term| index.lists.units_with(&term.letters)).collect();
        let weighted = found.iter().map(Vec::as_slice).zip(terms.iter().map(|term| term.weight));
        let scores = Scores::new(index, weighted).of_units;
        let said = found.into_iter().zip(terms).filter(|(_, term)| !term.is_function_word);
        let words = said.map(|(units, term)| {
            let weight = specificity(&term.letters) * idf(all as u32, units.len() as u32);
            Word { units: if is_rare(&units, all) { units } else { Vec::new() }, weight }
        });
        Ranking { scores, words: words.collect() }
    }

    /// Whether a unit is clearly about what the query asks: two of its words stand in the unit or in one beside it, or one that weighs as much
    /// as three tenths of all.
    pub(crate) fn is_clear(&self, unit: u32) -> bool {
        let is_near = |word: &&Word| {
            let place = word.units.partition_point(|&other| other + 1 < unit);
            word.units.get(place).is_some_and(|&other| other <= unit + 1)
        };
        let all: f64 = self.words.iter().map(|word| word.weight).sum();
        let near: Vec<&Word> = self.words.iter().filter(is_near).collect();
        near.len() >= CLEAR || near.iter().any(|word| word.weight >= CLEAR_SHARE * all)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_unit_is_clear_where_two_words_or_a_weighty_one_stand_beside_it(
            words in prop::collection::vec((prop::collection::btree_set(0..12_u32, 0..5), 1..8_u32), 0..8),
        ) {
            let word = |(units, weight): &(std::collections::BTreeSet<u32>, u32)| Word {
                units: units.iter().copied().collect(),
                weight: f64::from(*weight),
            };
            let ranking = Ranking { words: words.iter().map(word).collect(), ..Ranking::default() };
            let all: u32 = words.iter().map(|(_, weight)| weight).sum();
            for unit in 0..12 {
                let is_near = |units: &std::collections::BTreeSet<u32>| units.iter().any(|&other| other.abs_diff(unit) <= 1);
                let near: Vec<u32> = words.iter().filter(|(units, _)| is_near(units)).map(|&(_, weight)| weight).collect();
                let is_weighty = near.iter().any(|weight| 10 * weight >= 3 * all);
                prop_assert_eq!(ranking.is_clear(unit), near.len() >= 2 || is_weighty);
            }
        }
    }
}
