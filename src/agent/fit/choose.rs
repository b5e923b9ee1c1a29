//! Which spans stay: the one that brings the most for its tokens first.
//!
//! What a span brings is the worth of its words that nothing kept says yet, so each choice changes what the others bring, but
//! only ever makes it less. So a span whose worth was computed long ago can't be better than it seems, and only the one that seems
//! best has to be looked at again (the lazy greedy way of choosing for a submodular function).

use std::collections::BinaryHeap;
use std::ops::Range;

use super::{About, Edit, Fit, Form, Note, is_users};

/// What says a word again that is said already brings so much of its worth.
const AGAIN: f64 = 0.1;
/// The current exchange, which is the last one, stays whole where it takes no more of the tokens than this.
const CURRENT_SHARE: f64 = 0.3;
/// What the user wrote goes last, as long as it takes no more of the tokens than this.
const USER_SHARE: f64 = 0.2;
/// Where one token in so many is the user's, the user wrote most of the conversation.
const MOST: f64 = 3.0;
/// What is left free for the marks of messages that go.
const MARKS_SHARE: f64 = 0.01;
/// A span brings at least this for each of its tokens, so that what is left of the tokens is used.
const LEAST: f64 = 1e-6;
/// So many spans of a unit are weighed against the tokens that opening it takes.
pub(super) const OPENING: usize = 64;

/// What was chosen.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// What becomes of parts, in their order.
    pub edits: Vec<(u32, Edit)>,
    /// The tokens of what stays, as far as they are known before it is written.
    pub tokens: f64,
    /// What it is worth.
    pub worth: f64,
    /// Whether something is gone that more tokens would bring back.
    pub is_cut: bool,
    /// For each message why it stays; [`Why::Gone`] where it doesn't.
    pub why: Vec<Why>,
}

/// Why a message stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Why {
    /// It doesn't.
    #[default]
    Gone,
    /// The system's instructions.
    System,
    /// [`super::Keep`] names it.
    Named,
    /// Without it the conversation would not be valid.
    Needed,
    /// The current exchange.
    Current,
    /// The user's words.
    Users,
    /// It is worth its tokens.
    Worth,
}

/// What stays, in the making.
pub(super) struct State<'f> {
    pub fit: &'f Fit,
    /// For each item whether it stays.
    pub kept: Vec<bool>,
    /// For each unit why it stays.
    pub why: Vec<Why>,
    /// How often each word is said, up to 2.
    said: Vec<u8>,
    /// What saying each word brings now.
    left: Vec<f64>,
    pub tokens: f64,
    /// For each word the last round of [`State::opening`] that saw it.
    seen: Vec<u32>,
    round: u32,
    /// The best items of the unit that [`State::opening`] looked at last.
    opening: Vec<Candidate>,
}

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

impl Fit {
    /// Chooses what stays within `limit` tokens, notes not counted. Messages with a note go, if they may, and what a note
    /// says stands in the mark. Where not even what has to stay fits, that is what stays.
    pub fn choose(&self, limit: f64, notes: &[Note]) -> Choice {
        self.chosen(limit, notes).write(limit, notes)
    }

    /// The state that [`Fit::choose`] writes.
    pub(super) fn chosen(&self, limit: f64, notes: &[Note]) -> State<'_> {
        let mut state = State::new(self);
        state.keep_required();
        state.keep_current(limit);
        state.keep_users(limit);
        let mut closed = vec![false; self.units.len()];
        for note in notes {
            if let About::Messages(message) = note.about
                && let Some(&unit) = self.unit_of.get(message as usize)
            {
                closed[unit as usize] = true;
            }
        }
        state.fill(limit, &closed);
        state
    }
}

impl<'f> State<'f> {
    fn new(fit: &'f Fit) -> Self {
        State {
            fit,
            kept: vec![false; fit.items.len()],
            why: vec![Why::Gone; fit.units.len()],
            said: vec![0; fit.values.len()],
            left: fit.values.clone(),
            tokens: fit.costs.request,
            seen: vec![0; fit.values.len()],
            round: 0,
            opening: Vec::new(),
        }
    }

    fn keep_required(&mut self) {
        for &unit in &self.fit.held {
            self.open(unit as usize, Why::Named);
        }
        for unit in 0..self.fit.units.len() {
            if self.fit.units[unit].is_system {
                self.open(unit, Why::System);
            } else if self.fit.required[unit] {
                self.open(unit, Why::Named);
            } else if !self.fit.units[unit].removable {
                self.open(unit, Why::Needed);
            }
        }
        for item in 0..self.fit.items.len() as u32 {
            if self.fit.items[item as usize].required {
                self.keep(item);
            }
        }
        self.close_gaps();
    }

    /// The current exchange, where it takes no more than its share.
    fn keep_current(&mut self, limit: f64) {
        let Some(unit) = self.fit.units.len().checked_sub(1) else { return };
        if self.whole_cost(unit) <= (limit - self.tokens) * CURRENT_SHARE {
            self.open(unit, Why::Current);
            let items: Vec<u32> = self.fit.items_of(unit).collect();
            items.into_iter().for_each(|item| self.keep(item));
        }
    }

    /// What the user wrote: all of it where it takes no more than its share; else the first message, which says what it is all
    /// about, and the newest, as far as the share goes. Where the user wrote most of the conversation, it is what there is to
    /// choose from.
    fn keep_users(&mut self, limit: f64) {
        let fit = self.fit;
        let mut parts: Vec<u32> = Vec::new();
        let (mut users, mut all) = (0.0, 0.0);
        for item in &fit.items {
            let cost = item.cost;
            all += cost;
            // What was pasted is theirs too, here.
            users += if is_users(&fit.transcript.parts()[item.part as usize]) { cost } else { 0.0 };
            if item.is_users && parts.last() != Some(&item.part) {
                parts.push(item.part);
            }
        }
        if users * MOST > all {
            return;
        }
        let mut left = (limit - self.tokens) * USER_SHARE;
        let (first, others) = parts.split_at(parts.len().min(1));
        for &part in first.iter().chain(others.iter().rev()) {
            let unit = fit.unit_of[self.message_of(part) as usize] as usize;
            let items = || fit.of_part[part as usize].clone().filter(|&item| fit.items[item as usize].is_users);
            let opening = if self.is_open(unit) { 0.0 } else { self.opening_cost(unit) };
            let cost = opening
                + items().filter(|&item| !self.kept[item as usize]).map(|item| self.tokens_of(item)).sum::<f64>();
            if cost > left {
                continue;
            }
            left -= cost;
            self.open(unit, Why::Users);
            items().for_each(|item| self.keep(item));
        }
    }

    fn fill(&mut self, limit: f64, closed: &[bool]) {
        let limit = limit * (1.0 - MARKS_SHARE);
        // Units come first in the numbers of candidates, and items behind them.
        let units = self.fit.units.len() as u32;
        let mut heap = BinaryHeap::with_capacity(self.fit.items.len() + self.fit.units.len());
        for (unit, &is_closed) in closed.iter().enumerate() {
            if self.is_open(unit) {
                self.push_items(unit, &mut heap);
            } else if !is_closed {
                heap.push(Candidate::new(self.opening(unit), unit as u32));
            }
        }
        while let Some(candidate) = heap.pop() {
            let what = candidate.what();
            let item = what.wrapping_sub(units);
            let is_done = if what < units { self.is_open(what as usize) } else { self.kept[item as usize] };
            if is_done {
                continue;
            }
            let now = if what < units { self.opening(what as usize) } else { self.density(item) };
            if now < candidate.density() && heap.peek().is_some_and(|next| now < next.density()) {
                heap.push(Candidate::new(now, what));
            } else if what < units {
                self.try_unit(what as usize, limit, &mut heap);
            } else if self.tokens + self.cost(item) <= limit {
                self.keep(item);
                // A neighbour costs less now: a gap closes.
                for next in [item.wrapping_sub(1), item + 1] {
                    if self.is_beside(item, next) && !self.kept[next as usize] {
                        heap.push(Candidate::new(self.density(next), units + next));
                    }
                }
            }
        }
        self.close_gaps();
    }

    /// Opens the unit that [`State::opening`] looked at last with its best items, if `limit` allows.
    fn try_unit(&mut self, unit: usize, limit: f64, heap: &mut BinaryHeap<Candidate>) {
        let best = std::mem::take(&mut self.opening);
        let first = best.first().map_or(0.0, |best| self.cost(best.what()).max(0.0));
        if self.tokens + self.opening_cost(unit) + first <= limit {
            self.open(unit, Why::Worth);
            for item in best.iter().map(|best| best.what()) {
                if !self.kept[item as usize] && self.tokens + self.cost(item) <= limit {
                    self.keep(item);
                }
            }
            self.push_items(unit, heap);
        }
        self.opening = best;
    }

    fn push_items(&self, unit: usize, heap: &mut BinaryHeap<Candidate>) {
        let units = self.fit.units.len() as u32;
        let open = self.fit.items_of(unit).filter(|&item| !self.kept[item as usize]);
        heap.extend(open.map(|item| Candidate::new(self.density(item), units + item)));
    }

    /// What opening a unit brings for its tokens; the items to begin with are in [`State::opening`] then.
    fn opening(&mut self, unit: usize) -> f64 {
        let fit = self.fit;
        let mut open = std::mem::take(&mut self.opening);
        open.clear();
        open.extend(fit.best[unit].iter().map(|&item| {
            let density = self.gain(item) / fit.items[item as usize].cost.max(1.0);
            Candidate::new(density, item)
        }));
        open.sort_unstable_by(|a, b| b.cmp(a));
        let mark = self.mark(Form::Text);
        // With so many kept of so many there are at most so many gaps between.
        let all = fit.counts[unit] as usize;
        let gaps = |kept: usize| (kept + 1).min(all - kept) as f64 * mark;
        let mut tokens = self.opening_cost(unit) - fit.marks[unit];
        let mut worth = LEAST * tokens;
        let mut best = (worth / (tokens + gaps(0)).max(1.0), 0);
        self.round += 1;
        for (count, candidate) in open.iter().enumerate() {
            if candidate.density() < best.0 && count > 0 {
                break;
            }
            let here = &fit.items[candidate.what() as usize];
            let mut gain = 0.0;
            for &word in fit.words_of(here) {
                // What an item before this one says is not said anew.
                if std::mem::replace(&mut self.seen[word as usize], self.round) != self.round {
                    gain += self.left[word as usize];
                }
            }
            worth += here.weight * gain;
            tokens += here.cost;
            let density = worth / (tokens + gaps(count + 1)).max(1.0);
            if density > best.0 {
                best = (density, count + 1);
            }
        }
        open.truncate(best.1);
        self.opening = open;
        best.0
    }

    /// Whether nothing kept says a word.
    pub fn is_new(&self, word: u32) -> bool {
        self.said[word as usize] == 0
    }

    fn gain(&self, item: u32) -> f64 {
        let item = &self.fit.items[item as usize];
        let worth: f64 = self.fit.words_of(item).iter().map(|&word| self.left[word as usize]).sum();
        item.weight * worth + LEAST * item.tokens
    }

    fn density(&self, item: u32) -> f64 {
        self.gain(item) / self.cost(item).max(1.0)
    }

    fn tokens_of(&self, item: u32) -> f64 {
        self.fit.items[item as usize].cost
    }

    /// The tokens that keeping an item takes, with the context it needs and the marks that come or go.
    fn cost(&self, item: u32) -> f64 {
        let here = &self.fit.items[item as usize];
        let is_gap = |next: u32| self.is_beside(item, next) && !self.kept[next as usize];
        let gaps = i32::from(is_gap(item.wrapping_sub(1))) + i32::from(is_gap(item + 1)) - 1;
        let mut cost = here.cost + f64::from(gaps) * here.mark;
        let mut above = here.context;
        while let Some(context) = above.filter(|&context| !self.kept[context as usize]) {
            cost += self.tokens_of(context);
            above = self.fit.items[context as usize].context;
        }
        cost
    }

    /// Whether items stand side by side in one run.
    fn is_beside(&self, item: u32, next: u32) -> bool {
        let (here, next) = (&self.fit.items[item as usize], self.fit.items.get(next as usize));
        next.is_some_and(|next| next.part == here.part && next.run == here.run)
    }

    fn mark(&self, form: Form) -> f64 {
        self.fit.mark(form)
    }

    fn keep(&mut self, item: u32) {
        if std::mem::replace(&mut self.kept[item as usize], true) {
            return;
        }
        self.kept[item as usize] = false;
        let fit = self.fit;
        self.tokens += self.cost(item);
        self.kept[item as usize] = true;
        self.say(fit.words_of(&fit.items[item as usize]));
        let mut above = fit.items[item as usize].context;
        while let Some(context) = above.filter(|&context| !self.kept[context as usize]) {
            self.kept[context as usize] = true;
            self.say(fit.words_of(&fit.items[context as usize]));
            above = fit.items[context as usize].context;
        }
    }

    fn say(&mut self, words: &[u32]) {
        for &word in words {
            let said = &mut self.said[word as usize];
            *said = (*said + 1).min(2);
            self.left[word as usize] = if *said == 1 { AGAIN * self.fit.values[word as usize] } else { 0.0 };
        }
    }

    /// The tokens of a unit of which nothing is kept that can go.
    fn opening_cost(&self, unit: usize) -> f64 {
        self.fit.opening_costs[unit]
    }

    fn whole_cost(&self, unit: usize) -> f64 {
        let open = if self.is_open(unit) { 0.0 } else { self.opening_cost(unit) };
        open + self
            .fit
            .items_of(unit)
            .filter(|&item| !self.kept[item as usize])
            .map(|item| self.tokens_of(item))
            .sum::<f64>()
    }

    fn open(&mut self, unit: usize, why: Why) {
        if self.is_open(unit) {
            return;
        }
        self.why[unit] = why;
        self.tokens += self.opening_cost(unit);
        let fit = self.fit;
        for &message in &fit.units[unit].messages {
            for part in fit.parts(message) {
                let said = &fit.said[part];
                self.say(&fit.words[said.start as usize..said.end as usize]);
            }
        }
    }

    /// What all that stays is worth: its words, each as much as where it is said best.
    pub fn worth(&self) -> f64 {
        let fit = self.fit;
        let mut weights = vec![0.0_f64; fit.values.len()];
        let mut say = |words: &Range<u32>, weight: f64| {
            for &word in &fit.words[words.start as usize..words.end as usize] {
                weights[word as usize] = weights[word as usize].max(weight);
            }
        };
        for (part, said) in fit.said.iter().enumerate() {
            if self.is_open(fit.unit_of[self.message_of(part as u32) as usize] as usize) {
                say(said, 1.0);
            }
        }
        fit.items.iter().zip(&self.kept).filter(|(_, kept)| **kept).for_each(|(item, _)| say(&item.words, item.weight));
        weights.iter().zip(&fit.values).map(|(weight, value)| weight * value).sum()
    }

    /// Whether a unit stays.
    pub fn is_open(&self, unit: usize) -> bool {
        self.why[unit] != Why::Gone
    }

    fn unit_of(&self, item: u32) -> usize {
        let part = self.fit.items[item as usize].part;
        self.fit.unit_of[self.message_of(part) as usize] as usize
    }

    pub fn message_of(&self, part: u32) -> u32 {
        self.fit.transcript.parts()[part as usize].message
    }

    /// Keeps what takes no more than the mark in its place.
    fn close_gaps(&mut self) {
        let count = self.fit.items.len() as u32;
        let mut start = 0;
        while start < count {
            let mut end = start + 1;
            if self.kept[start as usize] || !self.is_open(self.unit_of(start)) {
                start = end;
                continue;
            }
            while self.is_beside(end - 1, end) && !self.kept[end as usize] {
                end += 1;
            }
            let tokens: f64 = (start..end).map(|item| self.fit.items[item as usize].tokens).sum();
            if tokens <= self.mark(self.fit.items[start as usize].form) {
                (start..end).for_each(|item| self.keep(item));
            }
            start = end;
        }
    }
}
