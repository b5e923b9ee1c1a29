//! The ranking of a history's units for a query, which `recall` and `fit` share.
//!
//! A unit is a line or a sentence of a part. It scores by the rare terms of the query that it and its neighbours contain, and by the score of
//! its part, by BM25 (Robertson and Zaragoza 2009).

use std::ops::Range;

use super::Text;
use super::bm25::{K1, idf, score};
use super::questions::is_function_word;
use super::terms::{for_each_term, is_form, small_letters};

/// Weight of a function word.
const FUNCTION_WORD: f64 = 0.25;
/// Share of a term's weight by the distance from the unit that contains it, in units.
const NEAR: [f32; 5] = [1.0, 0.5, 0.3333, 0.25, 0.2];
/// Weight of the part's score, as a share of the best that it can be, in the scores of its units.
const PART: f32 = 0.5;
/// A term that more than one in so many units contain is no clue, unless all terms are such.
const COMMON: usize = 2;
/// Number of units up to which none is too common.
const FEW: usize = 64;
/// Weight of the score of the text two before a unit's own.
const TWO_BEFORE: f32 = 0.8;
/// Approximate UTF-16 code units of a passage: 80 tokens.
const PASSAGE: usize = 320;

/// A term of a query, in lowercase.
#[derive(Clone, Debug)]
pub struct QueryTerm {
    pub letters: Vec<u16>,
    pub weight: f64,
    /// Whether it does not say what the query is about.
    pub is_function_word: bool,
}

/// Adds the terms of a text that are no forms of others, up to `limit` in total.
pub fn add_terms(text: Text<'_>, limit: usize, terms: &mut Vec<QueryTerm>) {
    for_each_term(text, |start, end| {
        if terms.len() == limit {
            return;
        }
        let letters: Vec<u16> = small_letters(text, start, end).collect();
        if !terms.iter().any(|known| is_form(&known.letters, &letters)) {
            let is_function_word = is_function_word(&letters);
            let weight = if is_function_word { FUNCTION_WORD } else { 1.0 };
            terms.push(QueryTerm { letters, weight, is_function_word });
        }
    });
}

/// A history as it is ranked: parts, and their units in order.
pub trait Ranked {
    /// Number of its units.
    fn units(&self) -> usize;
    /// Number of its parts.
    fn parts(&self) -> usize;
    /// The part of a unit.
    fn part_of(&self, unit: u32) -> usize;
    /// Length of a part, in any measure; 0 where it has no words.
    fn length_of(&self, part: usize) -> f64;
    /// The part of the call that a part answers.
    fn call_of(&self, part: usize) -> Option<usize>;
}

/// The units with their scores.
#[derive(Debug, Default)]
pub struct Scores {
    /// For each unit, from 0 to 1.
    pub of_units: Vec<f32>,
    /// The score before it is divided, of a unit whose score is 1.
    pub whole: f32,
}

impl Scores {
    /// Scores the units of a history for terms with these weights, each with the units that contain it, in order.
    pub fn new<'t>(history: &impl Ranked, terms: impl Iterator<Item = (&'t [u32], f64)> + Clone) -> Self {
        let all = history.units();
        let any_rare = terms.clone().any(|(units, _)| !units.is_empty() && is_rare(units, all));
        let mut of_units = vec![0.0; all];
        let mut of_parts = vec![0.0_f32; history.parts()];
        let lengths = (0..history.parts()).map(|part| history.length_of(part));
        let mean = (lengths.sum::<f64>() / history.parts().max(1) as f64).max(1.0);
        let mut sum = 0.0;
        for (units, weight) in terms {
            if any_rare && !is_rare(units, all) {
                continue;
            }
            let weight = (weight * idf(all as u32, units.len() as u32)) as f32;
            sum += weight;
            spread(units, weight, &mut of_units);
            for units in units.chunk_by(|&a, &b| history.part_of(a) == history.part_of(b)) {
                let part = history.part_of(units[0]);
                let score = score(weight.into(), units.len() as f64, history.length_of(part), mean);
                of_parts[part] += (score / (1.0 + K1)) as f32;
            }
        }
        let whole = (sum * (1.0 + PART)).max(f32::MIN_POSITIVE);
        let before = of_parts_before(history, &of_parts);
        for (unit, score) in of_units.iter_mut().enumerate() {
            // A result is about what its call names, and an answer about what it answers.
            let part = history.part_of(unit as u32);
            let call = history.call_of(part).map_or(0.0, |call| of_parts[call]);
            let about = of_parts[part].max(call).max(before[part]);
            if *score > 0.0 || about > 0.0 {
                *score = (*score + PART * about) / whole;
            }
        }
        Scores { of_units, whole }
    }
}

/// Whether few enough of `all` units contain a term for it to be a clue.
pub fn is_rare(units: &[u32], all: usize) -> bool {
    units.len() * COMMON <= all.max(FEW)
}

/// For each part the score of the last one before it that has words, or of the one before that if that is better.
fn of_parts_before(history: &impl Ranked, of_parts: &[f32]) -> Vec<f32> {
    let (mut before, mut two_before) = (0.0_f32, 0.0_f32);
    let with_words = |(part, &score): (usize, &f32)| {
        let best = before.max(TWO_BEFORE * two_before);
        if history.length_of(part) > 0.0 {
            two_before = std::mem::replace(&mut before, score);
        }
        best
    };
    of_parts.iter().enumerate().map(with_words).collect()
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

/// The passage around some of a part's `units`: it takes the better of its neighbours up to the size of a passage. `score_of` is none where a
/// unit takes no part, and `length_of` gives the UTF-16 code units of some units.
pub fn passage_around(
    mut passage: Range<u32>,
    units: Range<u32>,
    score_of: impl Fn(u32) -> Option<f32>,
    length_of: impl Fn(Range<u32>) -> usize,
) -> Range<u32> {
    let score = |unit: u32| if units.contains(&unit) { score_of(unit) } else { None };
    while length_of(passage.clone()) < PASSAGE {
        let (before, after) = (passage.start.checked_sub(1).and_then(score), score(passage.end));
        let next = match (before, after) {
            (None, None) => break,
            (Some(before), after) if after.is_none_or(|after| before > after) => passage.start - 1..passage.end,
            _ => passage.start..passage.end + 1,
        };
        if length_of(next.clone()) > 2 * PASSAGE {
            break;
        }
        passage = next;
    }
    passage
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Parts with these numbers of units; the part of an answer, if any, with its call.
    #[derive(Clone, Debug)]
    struct History {
        units: Vec<usize>,
        calls: Vec<Option<usize>>,
    }

    impl Ranked for History {
        fn units(&self) -> usize {
            self.units.iter().sum()
        }
        fn parts(&self) -> usize {
            self.units.len()
        }
        fn part_of(&self, unit: u32) -> usize {
            let mut end = 0;
            let ends = self.units.iter().map(|count| {
                end += count;
                end
            });
            ends.take_while(|&end| end <= unit as usize).count()
        }
        fn length_of(&self, part: usize) -> f64 {
            self.units[part] as f64
        }
        fn call_of(&self, part: usize) -> Option<usize> {
            self.calls[part]
        }
    }

    fn any_history() -> impl Strategy<Value = (History, Vec<(Vec<u32>, f64)>)> {
        let history = prop::collection::vec((0..9_usize, prop::option::of(0..6_usize)), 1..7).prop_map(|parts| {
            let calls = parts.iter().enumerate().map(|(part, &(_, call))| call.filter(|&call| call < part));
            History { calls: calls.collect(), units: parts.iter().map(|&(units, _)| units).collect() }
        });
        history.prop_flat_map(|history| {
            let all = history.units() as u32;
            let units = prop::collection::btree_set(0..all.max(1), 0..12);
            let term = (units, prop::sample::select(vec![0.25, 1.0]))
                .prop_map(move |(units, weight)| (units.into_iter().filter(|&unit| unit < all).collect(), weight));
            (Just(history), prop::collection::vec(term, 0..5))
        })
    }

    proptest! {
        #[test]
        fn a_unit_scores_by_the_nearest_of_each_term_and_by_its_part((history, terms) in any_history()) {
            let slices = terms.iter().map(|(units, weight)| (units.as_slice(), *weight));
            let Scores { of_units, whole } = Scores::new(&history, slices);
            let all = history.units() as u32;
            let mean = (f64::from(all) / history.parts() as f64).max(1.0);
            let weight = |units: &Vec<u32>, weight: f64| weight * idf(all, units.len() as u32);
            let of_part = |part: usize| -> f64 {
                let of_term = |(units, share): &(Vec<u32>, f64)| {
                    let times = units.iter().filter(|&&unit| history.part_of(unit) == part).count();
                    score(weight(units, *share), times as f64, history.length_of(part), mean) / (1.0 + K1)
                };
                terms.iter().map(of_term).sum()
            };
            let sum: f64 = terms.iter().map(|(units, share)| weight(units, *share)).sum();
            prop_assert!(sum == 0.0 || (f64::from(whole) - 1.5 * sum).abs() < 1e-3);
            for unit in 0..all {
                let nearest = |units: &Vec<u32>| units.iter().map(|&other| other.abs_diff(unit)).min();
                let near = terms.iter().map(|(units, share)| match nearest(units) {
                    Some(distance @ 0..=4) => weight(units, *share) / f64::from(distance + 1),
                    _ => 0.0,
                });
                let part = history.part_of(unit);
                let with_words: Vec<usize> = (0..part).rev().filter(|&part| history.units[part] > 0).collect();
                let before = with_words.first().map_or(0.0, |&part| of_part(part));
                let two_before = with_words.get(1).map_or(0.0, |&part| 0.8 * of_part(part));
                let call = history.calls[part].map_or(0.0, of_part);
                let about = [of_part(part), before, two_before, call].into_iter().fold(0.0, f64::max);
                let expected = near.sum::<f64>() + 0.5 * about;
                let found = f64::from(of_units[unit as usize] * whole);
                prop_assert!((found - expected).abs() < 1e-3 * (1.0 + expected), "{unit}: {found} for {expected}");
            }
        }

        #[test]
        fn a_passage_grows_to_the_better_side_while_it_is_short(
            lengths in prop::collection::vec(1..500_usize, 1..20),
            scores in prop::collection::vec(prop::option::of(0..5_u8), 20),
            (from, to, at) in (0..20_u32, 0..20_u32, 0..20_u32),
        ) {
            let count = lengths.len() as u32;
            let (from, to) = (from.min(to) % count, from.max(to) % count);
            let units = from.min(to)..from.max(to) + 1;
            let at = units.start + at % units.len() as u32;
            let length = |range: Range<u32>| lengths[range.start as usize..range.end as usize].iter().sum::<usize>();
            let score = |unit: u32| scores[unit as usize].map(f32::from);
            let passage = passage_around(at..at + 1, units.clone(), score, length);
            prop_assert!(passage.contains(&at) && units.start <= passage.start && passage.end <= units.end);
            let taken: BTreeSet<u32> = passage.clone().filter(|&unit| unit != at).collect();
            prop_assert!(taken.iter().all(|&unit| score(unit).is_some()));
            prop_assert!(taken.is_empty() || length(passage.clone()) <= 2 * PASSAGE);
            // One that is short has no neighbour left, or the better one is too long.
            if length(passage.clone()) < PASSAGE {
                let side = |unit: Option<u32>| unit.filter(|unit| units.contains(unit)).and_then(|unit| Some((score(unit)?, unit)));
                let sides = [side(passage.start.checked_sub(1)), side(Some(passage.end))].into_iter().flatten();
                if let Some((_, next)) = sides.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) {
                    prop_assert!(length(passage.clone()) + lengths[next as usize] > 2 * PASSAGE);
                }
            }
        }
    }
}
