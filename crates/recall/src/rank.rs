//! Scores of units.

use super::index::Index;
use super::lists::Part;
use super::query::QueryTerm;
use super::weight::specificity;
use palimpsest_text::bm25::{self, idf};

/// Share of a term's weight by the distance from the unit that contains it, in units.
const NEAR: [f32; 5] = [1.0, 0.5, 0.3333, 0.25, 0.2];
/// Weight of the part's score, as a share of the best that it can be, in the scores of its units.
const PART: f32 = 0.5;
/// A term that more of the units contain is no clue, unless all terms are such.
const COMMON: usize = 2;
/// Weight of the score of the text two before a unit's own.
const TWO_BEFORE: f32 = 0.8;
/// So many of the query's words beside a unit say that it is about what the query asks, or one with such a share of their weight.
const CLEAR: usize = 2;
const CLEAR_SHARE: f64 = 0.3;

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
        let all = index.lists.units.len();
        let found: Vec<Vec<u32>> = terms.iter().map(|term| index.lists.units_with(&term.letters)).collect();
        let is_rare = |units: &[u32]| units.len() * COMMON <= all.max(64);
        let any_rare = found.iter().any(|units| !units.is_empty() && is_rare(units));
        let mut scores = vec![0.0; all];
        let mut of_parts = vec![0.0_f32; index.lists.parts.len()];
        let mean = index.lists.parts.iter().map(|part| f64::from(part.terms)).sum::<f64>()
            / (index.lists.parts.len().max(1) as f64);
        let mut sum = 0.0;
        for (units, term) in found.iter().zip(terms) {
            if any_rare && !is_rare(units) {
                continue;
            }
            let weight = (term.weight * idf(all as u32, units.len() as u32)) as f32;
            sum += weight;
            spread(units, weight, &mut scores);
            for units in
                units.chunk_by(|&a, &b| index.lists.units[a as usize].part == index.lists.units[b as usize].part)
            {
                let part = index.lists.units[units[0] as usize].part as usize;
                let length = f64::from(index.lists.parts[part].terms);
                let score = bm25::score(weight.into(), units.len() as f64, length, mean.max(1.0));
                of_parts[part] += (score / (1.0 + bm25::K1)) as f32;
            }
        }
        let whole = (sum * (1.0 + PART)).max(f32::MIN_POSITIVE);
        let before = of_parts_before(index, &of_parts);
        for (score, unit) in scores.iter_mut().zip(&index.lists.units) {
            // A result is about what its call names, and an answer about what it answers.
            let part = unit.part as usize;
            let call = index.calls[part].map_or(0.0, |call| of_parts[call as usize]);
            let about = of_parts[part].max(call).max(before[part]);
            if *score > 0.0 || about > 0.0 {
                *score = (*score + PART * about) / whole;
            }
        }
        let said = found.into_iter().zip(terms).filter(|(_, term)| !term.is_function_word);
        let words = said.map(|(units, term)| {
            let weight = specificity(&term.letters) * idf(all as u32, units.len() as u32);
            Word { units: if is_rare(&units) { units } else { Vec::new() }, weight }
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

/// For each part the score of the last one before it that has words, or of the one before that if that is better.
fn of_parts_before(index: &Index, of_parts: &[f32]) -> Vec<f32> {
    let (mut before, mut two_before) = (0.0_f32, 0.0_f32);
    let with_words = |(part, &score): (&Part, &f32)| {
        let best = before.max(TWO_BEFORE * two_before);
        if part.terms > 0 {
            two_before = std::mem::replace(&mut before, score);
        }
        best
    };
    index.lists.parts.iter().zip(of_parts).map(with_words).collect()
}

/// Adds the weight of a term to the units that contain it, and less of it to their neighbours, to each from the nearest. An answer seldom
/// repeats the words of its question, so neighbours may be in another part, and a unit that the request contains counts for them too.
fn spread(units: &[u32], weight: f32, scores: &mut [f32]) {
    let reach = NEAR.len() as u32 - 1;
    let mut before: Option<u32> = None;
    for (place, &unit) in units.iter().enumerate() {
        let middle = |a: u32, b: u32| a + (b - a) / 2;
        let first = unit.saturating_sub(reach).max(before.map_or(0, |before| middle(before, unit) + 1));
        let next = units.get(place + 1).map_or(u32::MAX, |&next| middle(unit, next) + 1);
        let end = (scores.len() as u32).min(unit + reach + 1).min(next);
        for near in first.min(unit)..end {
            scores[near as usize] += weight * NEAR[near.abs_diff(unit) as usize];
        }
        before = Some(unit);
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
