//! The passages that answer a query.

use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

use rustc_hash::FxHashSet;

use super::exact::places_of;
use super::index::Index;
use super::query::{Query, terms_of};
use super::rank::Ranking;
use palimpsest_text::class;
use palimpsest_text::ranking::passage_around;
use palimpsest_tokens::Counter;

/// A passage of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    pub part: u32,
    /// Its range in the text of the part.
    pub range: Range<usize>,
    /// Its lines in that text, from 1 on.
    pub lines: (u32, u32),
    pub tokens: usize,
    /// How well it answers, from 0 to 1.
    pub score: f32,
    /// Whether it is clearly about what the query asks; see [`Ranking::is_clear`].
    pub is_clear: bool,
}

/// Number of the best units that are looked at.
const MAX_CANDIDATES: usize = 256;
/// Number of passages that do not fit before the search ends.
const MAX_MISSES: usize = 24;

/// UTF-16 code units that no token of most texts exceeds; longer texts are not counted, because they don't fit.
const MAX_TOKEN: usize = 16;

/// Units of one part that go together.
#[derive(Clone, Copy, Debug)]
struct Run {
    part: u32,
    first: u32,
    last: u32,
    /// The unit with the best score, and that score.
    best: u32,
    score: f32,
}

#[derive(Debug)]
struct Chosen {
    run: Run,
    range: Range<usize>,
    tokens: usize,
}

impl Index {
    /// Finds the best passages of what the request lacks, best first, within the tokens of the query.
    pub fn search(&self, query: &Query) -> Vec<Passage> {
        let mut terms = terms_of(query.text.as_text());
        for exact in &query.exact {
            terms.extend(terms_of(exact.as_text()));
        }
        let ranking = Ranking::new(self, &terms);
        let candidates = if query.exact.is_empty() { self.best(&ranking) } else { self.with_all(query, &ranking) };
        let mut choice = Choice {
            index: self,
            ranking: &ranking,
            query,
            counter: Counter::new(query.tokenizer),
            chosen: Vec::new(),
            buffer: Vec::new(),
        };
        let mut misses = 0;
        for run in candidates {
            if !choice.add(run) {
                misses += 1;
                if misses > MAX_MISSES {
                    break;
                }
            }
        }
        let mut chosen = choice.chosen;
        chosen.sort_by(|a, b| b.run.score.total_cmp(&a.run.score).then(b.run.first.cmp(&a.run.first)));
        chosen.into_iter().map(|chosen| self.passage(chosen, &ranking)).collect()
    }

    /// The best units, best first; of equal ones the last. Of those that say the same, only the best.
    fn best(&self, ranking: &Ranking) -> Vec<Run> {
        let gone = self.gone();
        let mut units: Vec<u32> = (0..self.lists.units.len() as u32)
            .filter(|&unit| gone[unit as usize] && ranking.scores[unit as usize] > 0.0)
            .collect();
        let order =
            |a: &u32, b: &u32| ranking.scores[*b as usize].total_cmp(&ranking.scores[*a as usize]).then(b.cmp(a));
        if units.len() > MAX_CANDIDATES {
            units.select_nth_unstable_by(MAX_CANDIDATES, order);
            units.truncate(MAX_CANDIDATES);
        }
        units.sort_unstable_by(order);
        let mut said = FxHashSet::default();
        units.retain(|&unit| said.insert(self.lists.units[unit as usize].hash));
        let run = |&unit: &u32| Run {
            part: self.lists.units[unit as usize].part,
            first: unit,
            last: unit,
            best: unit,
            score: ranking.scores[unit as usize],
        };
        units.iter().map(run).collect()
    }

    /// Runs that contain all exact strings, best first.
    fn with_all(&self, query: &Query, ranking: &Ranking) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut buffer = Vec::new();
        for part in 0..self.len() as u32 {
            let text = self.texts.whole(part, &mut buffer);
            let mut places = Vec::new();
            for exact in &query.exact {
                let found = places_of(exact.as_text(), text);
                if found.is_empty() {
                    break;
                }
                places.push(found);
            }
            if places.len() < query.exact.len() {
                continue;
            }
            // Around the rarest of them: around the others, the rarest may be far.
            let rarest = (0..places.len()).min_by_key(|&at| places[at].len()).unwrap_or_default();
            let mut highest = Highest::default();
            let mut lacking = 0;
            for &place in &places[rarest] {
                let (mut start, mut end) = (place, place);
                for (others, exact) in places.iter().zip(&query.exact) {
                    let after = others.partition_point(|&other| other < place);
                    let nearest = |at: &&usize| at.abs_diff(place);
                    let near = others[after.saturating_sub(1)..others.len().min(after + 1)].iter().min_by_key(nearest);
                    let Some(&near) = near else { continue };
                    (start, end) = (start.min(near), end.max(near + exact.len()));
                }
                if (end - start) / MAX_TOKEN > query.tokens {
                    continue;
                }
                let units = self.lists.units_of(part);
                let unit_at = |at: usize| {
                    units.start + self.lists.all_of(part).partition_point(|unit| unit.start as usize <= at) as u32 - 1
                };
                let (first, last) = (unit_at(start), unit_at(end - 1));
                // Neither end of a run goes back from one place to the next.
                lacking = lacking.max(first);
                while lacking <= last && !self.gone()[lacking as usize] {
                    lacking += 1;
                }
                if lacking <= last {
                    let best = highest.of(first..=last, &ranking.scores);
                    runs.push(Run { part, first, last, best, score: ranking.scores[best as usize] });
                }
            }
        }
        runs.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.first.cmp(&a.first)));
        runs.dedup_by_key(|run| (run.first, run.last));
        runs.truncate(MAX_CANDIDATES);
        runs
    }

    /// The text of a run, without the white space after it and the blank lines before it.
    fn range_of(&self, run: Run) -> Range<usize> {
        let bytes = self.bytes(run.part);
        let (from, to) = (self.lists.units[run.first as usize].start as usize, self.end_of(run.last));
        let (start, end) = class::trim(bytes, from, to);
        if start == end {
            return end..end;
        }
        // The indentation of the first line stays.
        let line = bytes[from..start].iter().rposition(|&byte| class::is(byte, class::LINE_END));
        line.map_or(from, |at| from + at + 1)..end
    }

    fn passage(&self, Chosen { run, range, tokens }: Chosen, ranking: &Ranking) -> Passage {
        let bytes = self.bytes(run.part);
        let lines_in = |range: Range<usize>| memchr::memchr_iter(b'\n', &bytes[range]).count() as u32;
        let first = 1 + lines_in(0..range.start);
        let lines = (first, first + lines_in(range.clone()));
        Passage { part: run.part, range, lines, tokens, score: run.score, is_clear: ranking.is_clear(run.best) }
    }
}

/// The best units of ranges of which neither end goes back. Takes time linear in all units of them together.
#[derive(Debug, Default)]
struct Highest {
    /// Units of the last range, each better than all behind it.
    units: VecDeque<u32>,
    next: u32,
}

impl Highest {
    /// The unit of a range with the highest score, the last of equal ones.
    fn of(&mut self, range: RangeInclusive<u32>, scores: &[f32]) -> u32 {
        let score = |unit: u32| scores[unit as usize];
        for unit in self.next.max(*range.start())..=*range.end() {
            while self.units.back().is_some_and(|&other| score(other) <= score(unit)) {
                self.units.pop_back();
            }
            self.units.push_back(unit);
        }
        self.next = range.end() + 1;
        while self.units.front().is_some_and(|unit| unit < range.start()) {
            self.units.pop_front();
        }
        self.units.front().copied().unwrap_or(*range.start())
    }
}

/// Passages as they are chosen.
struct Choice<'a> {
    index: &'a Index,
    ranking: &'a Ranking,
    query: &'a Query,
    counter: Counter,
    chosen: Vec<Chosen>,
    /// For units of texts.
    buffer: Vec<u16>,
}

impl Choice<'_> {
    /// Adds a run with what stands around it, or alone; false if it does not fit.
    fn add(&mut self, run: Run) -> bool {
        let is_in = |chosen: &Chosen| chosen.run.first <= run.first && run.last <= chosen.run.last;
        if self.chosen.iter().any(is_in) {
            return true;
        }
        let wide = self.grown(run);
        self.take(wide) || (wide.first, wide.last) != (run.first, run.last) && self.take(run)
    }

    /// The run with what stands around it.
    fn grown(&self, run: Run) -> Run {
        let Choice { index, ranking, .. } = self;
        let score = |unit: u32| index.gone()[unit as usize].then(|| ranking.scores[unit as usize]);
        let length =
            |units: Range<u32>| index.end_of(units.end - 1) - index.lists.units[units.start as usize].start as usize;
        let passage = passage_around(run.first..run.last + 1, index.lists.units_of(run.part), score, length);
        Run { first: passage.start, last: passage.end - 1, ..run }
    }

    /// Takes a run, joined with those beside it, if it fits and was not sent.
    fn take(&mut self, mut run: Run) -> bool {
        let mut joined = Vec::new();
        for (place, Chosen { run: other, .. }) in self.chosen.iter().enumerate() {
            if other.part == run.part && other.first <= run.last + 1 && run.first <= other.last + 1 {
                joined.push(place);
                let better = if run.score < other.score { *other } else { run };
                run = Run { first: run.first.min(other.first), last: run.last.max(other.last), ..better };
            }
        }
        let range = self.index.range_of(run);
        if range.is_empty() {
            return false;
        }
        let text = self.index.texts.slice(run.part, range.clone(), &mut self.buffer);
        let others = self.chosen.iter().enumerate().filter(|(place, _)| !joined.contains(place));
        let used: usize = others.map(|(_, chosen)| chosen.tokens + self.query.overhead).sum();
        let left = self.query.tokens.saturating_sub(used + self.query.overhead);
        if text.len() / MAX_TOKEN > left {
            return false;
        }
        let tokens = self.counter.count(text);
        if tokens > left || self.index.was_sent(text) {
            return false;
        }
        for place in joined.into_iter().rev() {
            self.chosen.swap_remove(place);
        }
        self.chosen.push(Chosen { run, range, tokens });
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_of_ranges_that_move_forward_is_that_of_each_alone(
            scores in prop::collection::vec(0..5_u8, 30),
            mut starts in prop::collection::vec(0..30_u32, 1..12),
            mut ends in prop::collection::vec(0..30_u32, 12),
        ) {
            let scores: Vec<f32> = scores.into_iter().map(f32::from).collect();
            starts.sort_unstable();
            ends.sort_unstable();
            let mut highest = Highest::default();
            for (start, end) in starts.into_iter().zip(ends).filter(|(start, end)| start <= end) {
                let best = (start..=end).max_by(|&a, &b| scores[a as usize].total_cmp(&scores[b as usize]));
                prop_assert_eq!(Some(highest.of(start..=end, &scores)), best);
            }
        }
    }
}
