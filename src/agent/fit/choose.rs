//! Which spans stay: the one that brings the most for its tokens first.
//!
//! What a span brings is the worth of its words that nothing kept says yet, so each choice changes what the others bring, but
//! only ever makes it less. So a span whose worth was computed long ago can't be better than it seems, and only the one that seems
//! best has to be looked at again (the lazy greedy way of choosing for a submodular function).

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::{About, Edit, Fit, Form, Note};

/// What says a word again that is said already brings so much of its worth.
const AGAIN: f64 = 0.1;
/// The current exchange, which is the last one, stays whole where it takes no more of the tokens than this.
const CURRENT_SHARE: f64 = 0.3;
/// What the user wrote goes last, as long as it takes no more of the tokens than this.
const USER_SHARE: f64 = 0.25;
/// Where one token in so many is the user's, the user wrote most of the conversation.
const MOST: f64 = 3.0;
/// What is left free for the marks of messages that go.
const MARKS_SHARE: f64 = 0.015;
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
    pub tokens: f64,
    /// For each word the last round of [`State::opening`] that saw it.
    seen: Vec<u32>,
    round: u32,
    open_items: Vec<(f64, u32)>,
}

struct Candidate {
    density: f64,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Unit(u32),
    Item(u32),
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
            tokens: fit.costs.request,
            seen: vec![0; fit.values.len()],
            round: 0,
            open_items: Vec::new(),
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
        for (item, cost) in fit.items.iter().zip(&fit.costs_of) {
            all += cost;
            if item.is_users {
                users += cost;
                if parts.last() != Some(&item.part) {
                    parts.push(item.part);
                }
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
        let mut heap = BinaryHeap::new();
        for unit in 0..self.fit.units.len() {
            if self.is_open(unit) {
                self.push_items(unit, &mut heap);
            } else if !closed[unit] {
                let density = self.opening(unit).0;
                heap.push(Candidate { density, what: What::Unit(unit as u32) });
            }
        }
        while let Some(Candidate { density, what }) = heap.pop() {
            let now = match what {
                What::Unit(unit) if self.is_open(unit as usize) => continue,
                What::Unit(unit) => self.opening(unit as usize).0,
                What::Item(item) if self.kept[item as usize] => continue,
                What::Item(item) => self.density(item),
            };
            if now < density && heap.peek().is_some_and(|next| now < next.density) {
                heap.push(Candidate { density: now, what });
                continue;
            }
            match what {
                What::Unit(unit) => {
                    let unit = unit as usize;
                    let (_, best) = self.opening(unit);
                    let cost = self.opening_cost(unit);
                    let first = best.first().map_or(0.0, |&item| self.cost(item).max(0.0));
                    if self.tokens + cost + first > limit {
                        continue;
                    }
                    self.open(unit, Why::Worth);
                    for item in best {
                        if !self.kept[item as usize] && self.tokens + self.cost(item) <= limit {
                            self.keep(item);
                        }
                    }
                    self.push_items(unit, &mut heap);
                }
                What::Item(item) => {
                    if self.tokens + self.cost(item) > limit {
                        continue;
                    }
                    self.keep(item);
                    // A neighbour costs less now: a gap closes.
                    for next in [item.wrapping_sub(1), item + 1] {
                        if self.is_beside(item, next) && !self.kept[next as usize] {
                            heap.push(Candidate { density: self.density(next), what: What::Item(next) });
                        }
                    }
                }
            }
        }
        self.close_gaps();
    }

    fn push_items(&self, unit: usize, heap: &mut BinaryHeap<Candidate>) {
        let open = self.fit.items_of(unit).filter(|&item| !self.kept[item as usize]);
        heap.extend(open.map(|item| Candidate { density: self.density(item), what: What::Item(item) }));
    }

    /// What opening a unit brings for its tokens, and the items to begin with.
    fn opening(&mut self, unit: usize) -> (f64, Vec<u32>) {
        let mut open = std::mem::take(&mut self.open_items);
        open.clear();
        open.extend(
            self.fit.best[unit].iter().map(|&item| (self.gain(item) / self.fit.costs_of[item as usize].max(1.0), item)),
        );
        open.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mark = self.mark(Form::Text);
        let mut tokens = self.opening_cost(unit);
        let mut worth = LEAST * tokens;
        let mut best = (worth / tokens.max(1.0), 0);
        self.round += 1;
        for (count, &(density, item)) in open.iter().enumerate() {
            if density < best.0 && count > 0 {
                break;
            }
            let here = &self.fit.items[item as usize];
            let mut gain = 0.0;
            for &word in self.fit.words_of(here) {
                // What an item before this one says is not said anew.
                if std::mem::replace(&mut self.seen[word as usize], self.round) != self.round {
                    gain += self.fit.values[word as usize] * self.share(word);
                }
            }
            worth += here.weight * gain;
            tokens += self.fit.costs_of[item as usize] + mark;
            if worth / tokens > best.0 {
                best = (worth / tokens, count + 1);
            }
        }
        let items = open[..best.1].iter().map(|&(_, item)| item).collect();
        self.open_items = open;
        (best.0, items)
    }

    /// What part of a word's worth saying it brings.
    pub fn share(&self, word: u32) -> f64 {
        [1.0, AGAIN, 0.0][usize::from(self.said[word as usize])]
    }

    fn gain(&self, item: u32) -> f64 {
        let item = &self.fit.items[item as usize];
        let worth: f64 =
            self.fit.words_of(item).iter().map(|&word| self.fit.values[word as usize] * self.share(word)).sum();
        item.weight * worth + LEAST * item.tokens
    }

    fn density(&self, item: u32) -> f64 {
        self.gain(item) / self.cost(item).max(1.0)
    }

    fn tokens_of(&self, item: u32) -> f64 {
        self.fit.costs_of[item as usize]
    }

    /// The tokens that keeping an item takes, with the context it needs and the marks that come or go.
    fn cost(&self, item: u32) -> f64 {
        let here = &self.fit.items[item as usize];
        let is_gap = |next: u32| self.is_beside(item, next) && !self.kept[next as usize];
        let gaps = i32::from(is_gap(item.wrapping_sub(1))) + i32::from(is_gap(item + 1)) - 1;
        let mut cost =
            self.tokens_of(item) + f64::from(gaps) * self.mark(here.form) * self.fit.scale(self.message_of(here.part));
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

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equals the first in the conversation comes first.
        self.density.total_cmp(&other.density).then_with(|| other.what.cmp(&self.what))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
