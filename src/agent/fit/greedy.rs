//! What brings the most for its tokens comes first.
//!
//! What a span brings is the worth of its words that nothing kept says yet, so each choice changes what the others bring, but
//! only ever makes it less. So a span whose worth was computed long ago can't be better than it seems, and only the one that seems
//! best has to be looked at again (the lazy greedy way of choosing for a submodular function).

use std::collections::BinaryHeap;

use super::choose::Why;
use super::spans::Form;
use super::state::{LEAST, State};

/// So many spans of a unit are weighed against the tokens that opening it takes.
pub const OPENING: usize = 64;
/// With less than this of the tokens left, what still fits is not worth looking for.
const FULL_SHARE: f64 = 0.0005;

/// Something with what it brings for its tokens, as one number: the best is the largest, of equals the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate(u128);

impl Candidate {
    fn new(density: f64, what: u32) -> Self {
        // The bits of a number in the order of `total_cmp`.
        let bits = density.to_bits() as i64;
        let ordered = bits as u64 ^ ((bits >> 63) as u64 | 1 << 63);
        Candidate(u128::from(ordered) << 32 | u128::from(!what))
    }

    fn density(self) -> f64 {
        let ordered = (self.0 >> 32) as i64;
        f64::from_bits(ordered as u64 ^ (!(ordered >> 63) as u64 | 1 << 63))
    }

    fn what(self) -> u32 {
        !(self.0 as u32)
    }
}

/// What is not decided yet: units that are not open, and items of those that are. Units come first in the numbers of candidates,
/// and items behind them.
#[derive(Clone)]
pub struct Queue {
    heap: BinaryHeap<Candidate>,
    /// What did not fit. With more tokens it may.
    passed: Vec<Candidate>,
    opening: Opening,
}

/// The items that a unit is best opened with.
#[derive(Clone, Default)]
struct Opening {
    items: Vec<u32>,
    /// Those that are looked at.
    heap: BinaryHeap<Candidate>,
    /// For each word the last round that saw it.
    seen: Vec<u32>,
    round: u32,
}

impl Queue {
    /// All that `state` leaves open, but for units that stay `closed`.
    pub fn new(state: &State<'_>, closed: &[bool]) -> Self {
        let fit = state.fit;
        let mut opening = Opening { seen: vec![0; fit.values.len()], ..Opening::default() };
        let mut candidates = Vec::with_capacity(fit.items.len() + fit.units.len());
        for (unit, &is_closed) in closed.iter().enumerate() {
            if state.is_open(unit) {
                candidates.extend(state.candidates(unit));
            } else if !is_closed {
                candidates.push(Candidate::new(opening.of(state, unit), unit as u32));
            }
        }
        Queue { heap: candidates.into(), passed: Vec::new(), opening }
    }

    /// Whether a candidate that brings so much `now`, less than it seemed to, comes behind the next one.
    fn is_beaten(&self, candidate: Candidate, now: f64) -> bool {
        now < candidate.density() && self.heap.peek().is_some_and(|next| now < next.density())
    }
}

impl State<'_> {
    /// Keeps the best of what is left, up to `limit` tokens. Where the best does not fit into the rest of them, which is less than
    /// `rest`, nothing worse is put there.
    pub fn fill(&mut self, queue: &mut Queue, limit: f64, rest: f64) {
        let units = self.fit.units.len() as u32;
        queue.heap.extend(queue.passed.drain(..));
        while limit - self.tokens > limit * FULL_SHARE
            && let Some(candidate) = queue.heap.pop()
        {
            match candidate.what().checked_sub(units) {
                None => self.take_unit(queue, candidate, limit),
                Some(item) if self.kept[item as usize] => {}
                Some(item) if self.tokens + self.cost(item) > limit => {
                    queue.passed.push(candidate);
                    if limit - self.tokens < rest {
                        break;
                    }
                }
                Some(item) => self.take_item(queue, candidate, item),
            }
        }
        self.close_gaps();
    }

    /// Opens the unit that a candidate stands for, unless another one is better or it does not fit.
    fn take_unit(&mut self, queue: &mut Queue, candidate: Candidate, limit: f64) {
        let unit = candidate.what() as usize;
        if self.is_open(unit) {
            return;
        }
        let now = queue.opening.of(self, unit);
        if queue.is_beaten(candidate, now) {
            queue.heap.push(Candidate::new(now, candidate.what()));
        } else if self.try_open(unit, &queue.opening.items, limit) {
            queue.heap.extend(self.candidates(unit));
        } else {
            queue.passed.push(candidate);
        }
    }

    /// Keeps the item that a candidate stands for, unless another one is better.
    fn take_item(&mut self, queue: &mut Queue, candidate: Candidate, item: u32) {
        let now = self.density(item);
        if queue.is_beaten(candidate, now) {
            queue.heap.push(Candidate::new(now, candidate.what()));
            return;
        }
        self.keep(item);
        // A neighbour costs less now: a gap closes.
        for next in [item.wrapping_sub(1), item + 1] {
            if self.is_beside(item, next) && !self.kept[next as usize] {
                queue.heap.push(Candidate::new(self.density(next), candidate.what() - item + next));
            }
        }
    }

    /// Opens a unit with the best of its items, if `limit` allows.
    fn try_open(&mut self, unit: usize, best: &[u32], limit: f64) -> bool {
        let first = best.first().map_or(0.0, |&item| self.cost(item).max(0.0));
        if self.tokens + self.fit.opening_costs[unit] + first > limit {
            return false;
        }
        self.open(unit, self.why(best));
        for &item in best {
            if !self.kept[item as usize] && self.tokens + self.cost(item) <= limit {
                self.keep(item);
            }
        }
        true
    }

    /// Why a unit stays that these items open.
    fn why(&self, best: &[u32]) -> Why {
        let asked: f64 = best.iter().map(|&item| self.fit.asked[item as usize]).sum();
        let all: f64 = best.iter().map(|&item| self.gain(item)).sum();
        if 2.0 * asked > all { Why::Asked } else { Why::Worth }
    }

    /// The items of an open unit that are not kept.
    fn candidates(&self, unit: usize) -> impl Iterator<Item = Candidate> + '_ {
        let units = self.fit.units.len() as u32;
        let open = self.fit.items_of(unit).filter(|&item| !self.kept[item as usize]);
        open.map(move |item| Candidate::new(self.density(item), units + item))
    }
}

impl Opening {
    /// What opening a unit brings for its tokens; the items to begin with are in [`Opening::items`] then.
    fn of(&mut self, state: &State<'_>, unit: usize) -> f64 {
        let fit = state.fit;
        let mut candidates = std::mem::take(&mut self.heap).into_vec();
        candidates.clear();
        candidates.extend(fit.best[unit].iter().map(|&item| {
            let density = state.gain(item) / fit.items[item as usize].cost.max(1.0);
            Candidate::new(density, item)
        }));
        self.heap = candidates.into();
        let mark = fit.mark(Form::Text);
        // With so many kept of so many there are at most so many gaps between.
        let all = fit.counts[unit] as usize;
        let gaps = |kept: usize| (kept + 1).min(all - kept) as f64 * mark;
        let mut tokens = fit.opening_costs[unit] - fit.marks[unit];
        let mut worth = LEAST * tokens;
        let mut best = (worth / (tokens + gaps(0)).max(1.0), 0);
        self.items.clear();
        self.round += 1;
        while let Some(candidate) = self.heap.pop() {
            if candidate.density() < best.0 && !self.items.is_empty() {
                break;
            }
            self.items.push(candidate.what());
            let here = &fit.items[candidate.what() as usize];
            let mut gain = 0.0;
            for &word in fit.words_of(here) {
                // What an item before this one says is not said anew.
                if std::mem::replace(&mut self.seen[word as usize], self.round) != self.round {
                    gain += state.left[word as usize];
                }
            }
            worth += here.weight * gain + fit.asked[candidate.what() as usize];
            tokens += here.cost;
            let density = worth / (tokens + gaps(self.items.len())).max(1.0);
            if density > best.0 {
                best = (density, self.items.len());
            }
        }
        self.items.truncate(best.1);
        best.0
    }
}
