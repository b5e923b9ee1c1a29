//! Budgeted maximum coverage by lazy greedy choice: the span that adds the most value for its tokens comes first.
//!
//! A span adds the value of its words that nothing kept covers yet. Each choice only ever lowers what the others add (the function is
//! submodular), so a gain that was computed earlier is an upper bound, and only the span that seems best has to be looked at again
//! (Minoux 1978; CELF, Leskovec et al. 2007; for summaries with a budget Lin and Bilmes 2010).

use std::collections::BinaryHeap;

use super::indices::{GroupIndex, ItemIndex, WordIndex};
use super::items::mark_tokens;
use super::keep_reason::KeepReason;
use super::policy::policy;
use super::span::Form;
use super::state::State;
use palimpsest_text::index::{IndexVec, to_usize};

/// Filling stops when less than this share of the limit is left.
const FULL_SHARE: f64 = 0.0005;

/// A candidate with its gain for each token, as one number: the best is the largest, of equals the first.
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

/// Candidates: groups that are not kept yet, and items of those that are. Numbers of groups come before those of items.
#[derive(Clone)]
pub struct Queue {
    heap: BinaryHeap<Candidate>,
    /// Candidates that did not fit. With a higher limit they may.
    passed: Vec<Candidate>,
    opening: Opening,
}

/// The items with which a group is best kept.
#[derive(Clone, Default)]
struct Opening {
    items: Vec<ItemIndex>,
    /// Items that are not chosen yet.
    heap: BinaryHeap<Candidate>,
    /// For each word, the last round that saw it.
    seen: IndexVec<WordIndex, u32>,
    round: u32,
}

impl Queue {
    /// All that `state` leaves open, except groups that stay `closed`.
    pub fn new(state: &State<'_>, closed: &IndexVec<GroupIndex, bool>) -> Self {
        let input = state.input;
        let mut opening = Opening { seen: vec![0; input.vocabulary.values.len()].into(), ..Opening::default() };
        let mut candidates = Vec::with_capacity(input.items.list.len() + input.groups.list.len());
        for (group, &is_closed) in closed.iter_enumerated() {
            if state.is_open(group) {
                candidates.extend(open_items(state, group));
            } else if !is_closed {
                candidates.push(Candidate::new(opening.of(state, group), group.0));
            }
        }
        Queue { heap: candidates.into(), passed: Vec::new(), opening }
    }

    /// Whether a candidate whose gain for each token is `now`, less than it seemed, comes after the next one.
    fn is_beaten(&self, candidate: Candidate, now: f64) -> bool {
        now < candidate.density() && self.heap.peek().is_some_and(|next| now < next.density())
    }
}

/// Keeps the best of what is left, up to `limit` tokens. Once the best does not fit and less than `rest` tokens are left, stops.
pub(super) fn fill(state: &mut State<'_>, queue: &mut Queue, limit: f64, rest: f64) {
    let groups = state.input.groups.list.next_index().0;
    queue.heap.extend(queue.passed.drain(..));
    while limit - state.tokens > limit * FULL_SHARE
        && let Some(candidate) = queue.heap.pop()
    {
        match candidate.what().checked_sub(groups).map(ItemIndex) {
            None => take_group(state, queue, candidate, limit),
            Some(item) if state.kept[item] => {}
            Some(item) => {
                let cost = state.cost(item);
                if state.tokens + cost > limit {
                    queue.passed.push(candidate);
                    if limit - state.tokens < rest {
                        break;
                    }
                } else {
                    take_item(state, queue, candidate, item, cost);
                }
            }
        }
    }
    state.close_gaps();
}

/// Keeps the group of a candidate, unless another candidate is better or it does not fit.
fn take_group(state: &mut State<'_>, queue: &mut Queue, candidate: Candidate, limit: f64) {
    let group = GroupIndex(candidate.what());
    if state.is_open(group) {
        return;
    }
    let now = queue.opening.of(state, group);
    if queue.is_beaten(candidate, now) {
        queue.heap.push(Candidate::new(now, candidate.what()));
        return;
    }
    if state.tokens + state.input.base_cost(group) <= limit {
        queue.opening.choose_again(state, group);
    }
    if try_open(state, group, &queue.opening.items, limit) {
        queue.heap.extend(open_items(state, group));
    } else {
        queue.passed.push(candidate);
    }
}

/// Keeps the item of a candidate, unless another candidate is better.
fn take_item(state: &mut State<'_>, queue: &mut Queue, candidate: Candidate, item: ItemIndex, cost: f64) {
    let now = state.density_at(item, cost);
    if queue.is_beaten(candidate, now) {
        queue.heap.push(Candidate::new(now, candidate.what()));
        return;
    }
    state.keep(item);
    // Neighbours cost less now, because a gap closes.
    for next in item.before().into_iter().chain([item.next()]) {
        if state.is_beside(item, next) && !state.kept[next] {
            queue.heap.push(Candidate::new(state.density(next), candidate.what() - item.0 + next.0));
        }
    }
}

/// Keeps a group with the best of its items, if `limit` allows.
fn try_open(state: &mut State<'_>, group: GroupIndex, best: &[ItemIndex], limit: f64) -> bool {
    let first = best.first().map_or(0.0, |&item| state.cost(item).max(0.0));
    if state.tokens + state.input.base_cost(group) + first > limit {
        return false;
    }
    state.open(group, reason(state, best));
    state.keep_fitting(best, limit);
    state.keep_fitting(&state.input.weights.groups[group].remarks, limit);
    true
}

/// The reason for keeping a group with these items.
fn reason(state: &State<'_>, best: &[ItemIndex]) -> KeepReason {
    let asked: f64 = best.iter().map(|&item| state.input.weights.asked[item]).sum();
    let all: f64 = best.iter().map(|&item| state.gain(item)).sum();
    if 2.0 * asked > all { KeepReason::Asked } else { KeepReason::Worth }
}

/// The items of a kept group that are not kept.
fn open_items(state: &State<'_>, group: GroupIndex) -> impl Iterator<Item = Candidate> {
    let groups = state.input.groups.list.next_index().0;
    let open = state.input.items_of(group).filter(|&item| !state.kept[item]);
    open.map(move |item| Candidate::new(state.density(item), groups + item.0))
}

impl Opening {
    /// Gain of keeping a group for each token; afterwards [`Opening::items`] are the items to keep first.
    fn of(&mut self, state: &State<'_>, group: GroupIndex) -> f64 {
        self.choose(state, group, state.input.weights.groups[group].best.iter().copied())
    }

    /// Chooses the items to keep first of a large group anew, now that it is opened: what is kept may say what were its best items while
    /// nothing was covered.
    fn choose_again(&mut self, state: &State<'_>, group: GroupIndex) {
        let weight = &state.input.weights.groups[group];
        if to_usize(weight.count) > policy().weights.most_first {
            let others = state.input.items_of(group).filter(|item| weight.remarks.binary_search(item).is_err());
            self.choose(state, group, others);
        }
    }

    /// Chooses the items to keep first from `items`, none of which is a remark. Returns the gain for each token.
    fn choose(&mut self, state: &State<'_>, group: GroupIndex, items: impl Iterator<Item = ItemIndex>) -> f64 {
        let input = state.input;
        let weight = &input.weights.groups[group];
        let mut candidates = std::mem::take(&mut self.heap).into_vec();
        candidates.clear();
        candidates.extend(items.map(|item| {
            let density = state.gain(item) / input.items.list[item].cost.max(1.0);
            Candidate::new(density, item.0)
        }));
        self.heap = candidates.into();
        let mark = mark_tokens(Form::Text, input.tokenizer());
        // Keeping `kept` of `all` items leaves at most so many gaps.
        let all = to_usize(weight.count);
        let gaps = |kept: usize| (kept + 1).min(all - kept) as f64 * mark;
        let remarks = || weight.remarks.iter();
        let mut tokens = weight.base_cost - weight.marks;
        // Of groups that say nothing, such as screenshots, the newest stay.
        let newness = 1.0 + group.index() as f64 / input.groups.list.len() as f64;
        let mut value = state.passages.value * weight.passages
            + policy().weights.least_gain * newness * tokens
            + remarks().map(|&item| state.gain(item)).sum::<f64>();
        tokens += remarks().map(|&item| input.items.list[item].cost).sum::<f64>();
        self.round += 1;
        for part in input.groups.parts(group, &input.transcript) {
            value += self.unseen(state, input.words_of(part));
        }
        let mut best = (value / (tokens + gaps(0)).max(1.0), 0);
        self.items.clear();
        while let Some(candidate) = self.heap.pop() {
            if candidate.density() < best.0 && !self.items.is_empty() {
                break;
            }
            let item = ItemIndex(candidate.what());
            self.items.push(item);
            let here = &input.items.list[item];
            let gain = self.unseen(state, &input.vocabulary.words[here.words]);
            value +=
                here.weight * gain + input.weights.asked[item] + state.passages.value * input.weights.passages[item];
            tokens += here.cost;
            let density = value / (tokens + gaps(self.items.len())).max(1.0);
            if density > best.0 {
                best = (density, self.items.len());
            }
        }
        self.items.truncate(best.1);
        best.0
    }

    /// Gain of the words that this round has not seen yet: it covers the others already.
    fn unseen(&mut self, state: &State<'_>, words: &[WordIndex]) -> f64 {
        let is_new = |&&word: &&WordIndex| std::mem::replace(&mut self.seen[word], self.round) != self.round;
        words.iter().filter(is_new).map(|&word| state.gains[word]).sum()
    }
}
