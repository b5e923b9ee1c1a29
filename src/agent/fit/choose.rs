//! What stays: first what has to, then what the user said last, the current exchange and the user's words as far as their shares
//! go, then what brings the most for its tokens.

use super::greedy::Queue;
use super::state::State;
use super::units::is_turn;
use super::{About, Edit, Fit, Note, is_users};
use crate::transcript::Kind;

/// The current exchange, which is the last one, stays whole where it takes no more of the tokens than this.
const CURRENT_SHARE: f64 = 0.3;
/// What the user wrote goes last, as long as it takes no more of the tokens than this.
const USER_SHARE: f64 = 0.2;
/// Where one token in so many is the user's, the user wrote most of the conversation.
const MOST: f64 = 3.0;
/// What is left free at first for the marks of messages that go.
const MARKS_SHARE: f64 = 0.02;
/// How often less is aimed at where the marks take more than that.
const TRIES: usize = 3;
/// How often what is left of the tokens is filled when the marks are written.
const REFILLS: usize = 3;
/// How much of what is left is filled: what comes takes marks too. Half of it where that is too much.
const REFILL: f64 = 0.97;
/// At first the last of the tokens are left, for what comes next may be better than what is small.
const ROUGH_SHARE: f64 = 0.02;
/// What is left of the tokens is not filled where it is less than this.
const REST_SHARE: f64 = 0.002;

/// What was chosen.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// What becomes of parts, in their order.
    pub edits: Vec<(u32, Edit)>,
    /// The tokens of the text that each edit makes; 0 where the part goes. None where another counter has the last word.
    pub counts: Vec<f64>,
    /// The tokens of all that stays; about, where the tokenizer may cut differently at the marks.
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
    /// It has to do with what is asked.
    Asked,
}

impl Fit {
    /// Chooses what stays within `limit` tokens, notes not counted. Messages with a note go, if they may, and what a note
    /// says stands in the mark. Where not even what has to stay fits, that is what stays.
    pub fn choose(&self, limit: f64, notes: &[Note]) -> Choice {
        let mut aim = limit;
        let (mut state, mut queue, mut written);
        let mut tries = 0;
        loop {
            (state, queue) = self.fill(aim, notes);
            written = state.write(limit, notes);
            tries += 1;
            if written.tokens <= limit || tries == TRIES {
                break;
            }
            // The marks of messages that go take more than was left for them.
            aim -= (written.tokens - limit) * 1.1 + limit * REST_SHARE;
        }
        let mut share = REFILL;
        for _ in 0..REFILLS {
            let left = limit - written.tokens;
            if left < limit * REST_SHARE || written.edits.is_empty() {
                break;
            }
            // The marks took less than was left for them.
            let (mut fuller, mut shorter) = (state.clone(), queue.clone());
            fuller.fill(&mut shorter, state.tokens + share * left, 0.0);
            let next = fuller.write(limit, notes);
            if next.tokens > limit {
                share /= 2.0;
            } else {
                (state, queue, written) = (fuller, shorter, next);
            }
        }
        Choice {
            is_cut: !written.edits.is_empty(),
            counts: self.tokens_of_edits(&written.edits),
            edits: written.edits,
            tokens: written.tokens,
            worth: state.worth(),
            why: self.unit_of.iter().map(|&unit| state.why[unit as usize]).collect(),
        }
    }

    /// What stays where the marks take what they are taken to, and what is left to choose from.
    pub(super) fn fill(&self, limit: f64, notes: &[Note]) -> (State<'_>, Queue) {
        let mut state = State::new(self);
        state.keep_required();
        let before = state.tokens;
        state.keep_last_words(limit);
        let last_words = state.tokens - before;
        state.keep_current(limit);
        state.keep_users(limit, last_words);
        let mut closed = vec![false; self.units.len()];
        for note in notes {
            if let About::Messages(message) = note.about
                && let Some(&unit) = self.unit_of.get(message as usize)
            {
                closed[unit as usize] = true;
            }
        }
        let mut queue = Queue::new(&state, &closed);
        state.fill(&mut queue, limit * (1.0 - MARKS_SHARE), limit * ROUGH_SHARE);
        (state, queue)
    }
}

impl State<'_> {
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

    /// What the user said last, before which all else goes, and the images sent ahead of it.
    fn keep_last_words(&mut self, limit: f64) {
        let fit = self.fit;
        let Some(last) = fit.items.iter().rfind(|item| item.is_users) else { return };
        // Where a later one stays whole already, this is not the last.
        if fit.transcript.parts().iter().rposition(is_users).is_some_and(|part| part > last.part as usize) {
            return;
        }
        let limit = limit * (1.0 - MARKS_SHARE);
        let mut message = self.message_of(last.part);
        loop {
            let unit = fit.unit_of[message as usize] as usize;
            if !self.is_open(unit) && self.tokens + fit.opening_costs[unit] > limit {
                return;
            }
            self.open(unit, Why::Users);
            self.keep_within(fit.users_items(message), limit);
            match message.checked_sub(1) {
                Some(before) if fit.is_media(before) => message = before,
                _ => return,
            }
        }
    }

    /// Keeps those of some items that bring the most for their tokens; all where all of them fit.
    fn keep_within(&mut self, items: Vec<u32>, limit: f64) {
        let mut items: Vec<(f64, u32)> = items.into_iter().map(|item| (self.density(item), item)).collect();
        items.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, item) in items {
            if self.tokens + self.cost(item) <= limit {
                self.keep(item);
            }
        }
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
    /// about, and the newest, as far as the share goes. What [`State::keep_last_words`] kept, `last_words` tokens, is part of the
    /// share. Where that is not all and the user wrote most of the conversation, it is what there is to choose from.
    fn keep_users(&mut self, limit: f64, last_words: f64) {
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
        let mut left = (limit - self.tokens + last_words) * USER_SHARE - last_words;
        let cost_of = |state: &Self, part: u32| {
            let unit = fit.unit_of[state.message_of(part) as usize] as usize;
            let opening = if state.is_open(unit) { 0.0 } else { fit.opening_costs[unit] };
            let items = fit.users_words(part).filter(|&item| !state.kept[item as usize]);
            opening + items.map(|item| fit.items[item as usize].cost).sum::<f64>()
        };
        let is_most = users * MOST > all;
        if is_most && parts.iter().map(|&part| cost_of(self, part)).sum::<f64>() > left {
            return;
        }
        let (first, others) = parts.split_at(parts.len().min(1));
        for &part in first.iter().chain(others.iter().rev()) {
            let cost = cost_of(self, part);
            if cost > left {
                continue;
            }
            left -= cost;
            self.open(fit.unit_of[self.message_of(part) as usize] as usize, Why::Users);
            fit.users_words(part).for_each(|item| self.keep(item));
        }
    }
}

impl Fit {
    /// The items of a part that hold the user's words.
    fn users_words(&self, part: u32) -> impl Iterator<Item = u32> + '_ {
        self.of_part[part as usize].clone().filter(|&item| self.items[item as usize].is_users)
    }

    /// Those of a message.
    fn users_items(&self, message: u32) -> Vec<u32> {
        self.parts(message).flat_map(|part| self.users_words(part as u32)).collect()
    }

    /// Whether a message is images and documents of the user, and nothing else.
    fn is_media(&self, message: u32) -> bool {
        let parts = &self.transcript.parts()[self.parts(message)];
        !parts.is_empty() && parts.iter().all(|part| is_turn(part) && part.kind == Kind::Media)
    }
}
