//! Making a conversation fit into a number of tokens, with what is needed next still in it.
//!
//! [`Fit::new`] reads the conversation once: its texts become [`spans`] (lines, sentences, members of JSON), their words are
//! counted and weighed ([`facts`]), spans that have to do with what is asked are found ([`relevance`]), messages that need each other
//! become [`units`]. [`Fit::choose`] then takes spans, the one that
//! brings the most for its tokens first, until the tokens are used up, and says what has to be edited. It can be
//! asked again with another limit: nothing is read twice.

mod choose;
mod context;
mod count;
mod facts;
mod greedy;
mod logs;
mod marks;
mod offers;
#[cfg(test)]
mod properties;
mod prose;
mod question;
mod reading;
mod relevance;
mod sentences;
mod spans;
mod state;
mod structure;
mod superseded;
mod units;
mod words;
mod write;

use std::num::NonZeroU32;
use std::ops::Range;

pub use choose::{Choice, Why};
use greedy::OPENING;
pub use offers::Offer;
use reading::{ReadPart, Reading};
pub use relevance::Query;
use relevance::{Asking, Relevance};
use spans::Form;
#[cfg(any(test, fuzzing))]
pub(crate) use spans::{Span, spans_of};
#[cfg(any(test, fuzzing))]
pub(crate) use structure::{Node, Tree, read};
use superseded::Superseded;
use units::{Unit, is_turn, open_calls, units_of};
use words::Words;

use rustc_hash::FxHashMap;

use super::prune;
use crate::parallel::{join, map_chunks};
use crate::tokens::Tokenizer;
use crate::transcript::{Kind, Part, Role, Transcript};

/// What a conversation costs beside the texts that can be cut, as the caller counts.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// For each part the tokens beside its text: an image, or a call's name and id.
    pub parts: Vec<f64>,
    /// For each message those that belong to no part.
    pub messages: Vec<f64>,
    /// Those that belong to no message.
    pub request: f64,
    /// For each message what its tokens have to be multiplied with, where another counter has the last word. Empty: 1.
    pub scales: Vec<f64>,
}

/// What has to stay.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    /// So many messages at the end.
    pub recent: u32,
    /// Everything that the user said.
    pub user: bool,
    /// Calls of these tools and their results.
    pub tools: Vec<String>,
    /// Ranges of parts' texts, in UTF-16 code units.
    pub ranges: Vec<(u32, Range<u32>)>,
}

/// A text that stands in the mark for what is gone, and says what that was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub about: About,
    /// On one line.
    pub text: String,
}

/// What a note or an offer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The run of messages that this one is in, which go.
    Messages(u32),
    /// What goes of a part that stays.
    Part(u32),
}

/// A piece of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This range of the original text, in UTF-16 code units.
    Keep(Range<usize>),
    /// What says that something is gone.
    Mark(String),
}

/// An edit of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// It goes, with its message.
    Remove,
    /// These pieces take its place.
    Replace(Vec<Piece>),
}

/// A span, and what is known of it.
#[derive(Clone, Debug)]
struct Item {
    part: u32,
    range: Range<u32>,
    run: u32,
    form: Form,
    /// How many items above this one its context stands.
    context: Option<NonZeroU32>,
    /// Whether the first and the last item of its part stay wherever it does.
    needs_ends: bool,
    tokens: f64,
    /// Its tokens, as the caller counts.
    cost: f64,
    /// What a mark beside it takes, as the caller counts, about.
    mark: f64,
    /// Its words, in [`Fit::words`].
    words: Range<u32>,
    /// What the worth of its words is multiplied with.
    weight: f64,
    /// It has to stay.
    required: bool,
    /// It is prose that the user wrote.
    is_users: bool,
}

/// A conversation, read.
#[derive(Debug, Default)]
pub struct Fit {
    transcript: Transcript,
    tokenizer: Tokenizer,
    items: Vec<Item>,
    /// The items of each part.
    of_part: Vec<Range<u32>>,
    /// The words of each part that has no items, in [`Fit::words`].
    said: Vec<Range<u32>>,
    /// The tokens of each part.
    whole: Vec<f64>,
    /// Those of them that stay as long as it does.
    fixed: Vec<f64>,
    /// What pruning says of parts, as the mark in their place does.
    superseded: FxHashMap<u32, String>,
    words: Vec<u32>,
    dictionary: Words,
    /// What each word is worth.
    values: Vec<f64>,
    units: Vec<Unit>,
    unit_of: Vec<u32>,
    /// The parts of each message.
    parts_of: Vec<Range<u32>>,
    /// Units that stay whole.
    required: Vec<bool>,
    /// Units of which something has to stay.
    held: Vec<u32>,
    costs: Costs,
    /// For each unit the tokens that it takes with nothing in it that can go.
    opening_costs: Vec<f64>,
    /// What of that the marks take.
    marks: Vec<f64>,
    /// For each unit the number of its items.
    counts: Vec<u32>,
    /// For each unit its items that bring the most for their tokens, as long as nothing is said.
    best: Vec<Vec<u32>>,
    relevance: Relevance,
    /// For each item what it brings for what is asked, beside its words.
    asked: Vec<f64>,
}

/// What a later operation says better is worth so much less.
const SUPERSEDED: f64 = 0.5;

impl Fit {
    /// Reads a conversation. `costs` has to name every part and message. What `pruning` would take out is the first to go.
    pub fn new(
        transcript: Transcript,
        costs: Costs,
        keep: &Keep,
        query: &Query,
        pruning: Option<&prune::Options<'_>>,
        tokenizer: Tokenizer,
    ) -> Self {
        let (units, unit_of) = units_of(&transcript);
        let parts_of = parts_of(&transcript);
        let mut fit = Fit { parts_of, units, unit_of, costs, tokenizer, transcript, ..Fit::default() };
        fit.require(keep);
        let (read, superseded) = fit.read(pruning);
        fit.take(read, keep, &superseded);
        fit.relevance = Relevance::new(&fit, &Asking::new(&fit.transcript, query));
        fit.weigh();
        fit
    }

    fn require(&mut self, keep: &Keep) {
        let count = self.transcript.message_count();
        let mut required: Vec<bool> = self.units.iter().map(|unit| unit.is_system).collect();
        for message in count.saturating_sub(keep.recent)..count {
            required[self.unit_of[message as usize] as usize] = true;
        }
        for (index, part) in self.transcript.parts().iter().enumerate() {
            let is_named = part.kind == Kind::Call && keep.tools.iter().any(|tool| tool == self.transcript.name(index));
            if is_named || (keep.user && is_turn(part)) {
                required[self.unit_of[part.message as usize] as usize] = true;
            }
        }
        self.required = required;
        let message_of = |(part, _): &(u32, Range<u32>)| Some(self.transcript.parts().get(*part as usize)?.message);
        self.held = keep.ranges.iter().filter_map(message_of).map(|message| self.unit_of[message as usize]).collect();
        self.held.dedup();
    }

    /// Reads the texts, and finds out what of them is superseded; side by side where there is much to read.
    fn read(&self, pruning: Option<&prune::Options<'_>>) -> (Reading, Vec<prune::Edit>) {
        let transcript = &self.transcript;
        let is_open = |(part, waits): (&Part, bool)| {
            let may_go = !part.locked && !waits && !self.required[self.unit_of[part.message as usize] as usize];
            may_go && matches!(part.kind, Kind::Text | Kind::Call | Kind::Result)
        };
        // The arguments of a call that waits for its result are in use.
        let open: Vec<bool> = transcript.parts().iter().zip(open_calls(transcript)).map(is_open).collect();
        let judge = || pruning.map(|options| prune::superseded(transcript, options)).unwrap_or_default();
        let read = || {
            let units = |part: usize| transcript.text(part).len();
            let readings = map_chunks(open.len(), units, |range| Reading::of(transcript, range, &open, self.tokenizer));
            let append = |mut reading: Reading, next| {
                reading.append(next);
                reading
            };
            readings.into_iter().reduce(append).unwrap_or_default()
        };
        join(transcript.units(), read, judge)
    }

    /// Takes over what was read.
    fn take(&mut self, read: Reading, keep: &Keep, superseded: &[prune::Edit]) {
        self.values = read.uses.values(&read.dictionary, self.transcript.message_count());
        self.dictionary = read.dictionary;
        self.items = read.items;
        self.words = read.words;
        let mut ranges = keep.ranges.iter().peekable();
        let mut superseded = superseded.iter().peekable();
        let (mut first, mut from) = (0, 0);
        for ReadPart { items, tokens, words } in read.parts {
            let index = self.fixed.len() as u32;
            let stale = superseded.next_if(|edit| edit.part == index).map(Superseded::new);
            let whole = self.costs.parts[index as usize] + tokens;
            let mut fixed = whole;
            for item in &mut self.items[first as usize..(first + items) as usize] {
                let range = &item.range;
                while ranges.next_if(|(part, kept)| (*part, kept.end) <= (index, range.start)).is_some() {}
                item.required = ranges.peek().is_some_and(|(part, kept)| *part == index && kept.start < range.end)
                    || (keep.user && item.is_users);
                if stale.as_ref().is_some_and(|stale| stale.takes(range)) {
                    item.weight *= SUPERSEDED;
                }
                fixed -= item.tokens;
            }
            if let Some(description) = stale.and_then(|stale| stale.description) {
                self.superseded.insert(index, description);
            }
            self.said.push(from..from + words);
            self.of_part.push(first..first + items);
            self.whole.push(whole);
            self.fixed.push(fixed);
            first += items;
            from = if items > 0 { self.items[first as usize - 1].words.end } else { from + words };
        }
        if keep.user {
            // What the user said to a call stands in its result.
            let said = self.items.iter().filter(|item| item.is_users);
            self.held
                .extend(said.map(|item| self.unit_of[self.transcript.parts()[item.part as usize].message as usize]));
            self.held.dedup();
        }
        self.forget_worthless();
    }

    /// Takes out the words that are worth nothing: they never change what a span brings.
    fn forget_worthless(&mut self) {
        let mut kept = 0;
        let mut shorten = |range: &mut Range<u32>| {
            let start = kept as u32;
            for place in range.clone() {
                let word = self.words[place as usize];
                self.words[kept] = word;
                kept += usize::from(self.values[word as usize] > 0.0);
            }
            *range = start..kept as u32;
        };
        for (said, items) in self.said.iter_mut().zip(&self.of_part) {
            shorten(said);
            for item in items.clone() {
                shorten(&mut self.items[item as usize].words);
            }
        }
        self.words.truncate(kept);
    }

    /// The tokens of each message as they were counted, without a scale.
    pub fn tokens_of_messages(&self) -> Vec<f64> {
        let mut tokens = self.costs.messages.clone();
        for (part, whole) in self.transcript.parts().iter().zip(&self.whole) {
            tokens[part.message as usize] += whole;
        }
        // Counts are whole; what is shared out between spans may not be.
        tokens.iter_mut().for_each(|tokens| *tokens = tokens.round());
        tokens
    }

    /// Says what the tokens of each message have to be multiplied with.
    pub fn set_scales(&mut self, scales: Vec<f64>) {
        self.costs.scales = scales;
        self.weigh();
    }

    /// Computes what no choice changes.
    fn weigh(&mut self) {
        for index in 0..self.items.len() {
            let Item { part, form, tokens, .. } = self.items[index];
            let scale = self.scale(self.transcript.parts()[part as usize].message);
            let mark = self.mark(form) * scale;
            let item = &mut self.items[index];
            (item.cost, item.mark) = (tokens * scale, mark);
        }
        self.asked = self.relevance.worths(self, self.values.iter().sum());
        (self.opening_costs, self.marks) = (0..self.units.len()).map(|unit| self.opening_cost(unit)).unzip();
        self.counts = (0..self.units.len()).map(|unit| self.items_of(unit).count() as u32).collect();
        self.best = (0..self.units.len()).map(|unit| self.best_of(unit)).collect();
    }

    /// The tokens of a unit with a mark in the place of all in it that can go, and those of the marks.
    fn opening_cost(&self, unit: usize) -> (f64, f64) {
        let (mut tokens, mut marks) = (0.0, 0.0);
        for &message in &self.units[unit].messages {
            let mut own = self.costs.messages[message as usize];
            let mut last = None;
            for part in self.parts(message) {
                own += self.fixed[part];
                for item in self.of_part[part].clone() {
                    let Item { part, run, mark, .. } = self.items[item as usize];
                    if last.replace((part, run)) != Some((part, run)) {
                        marks += mark;
                    }
                }
            }
            tokens += own * self.scale(message);
        }
        (tokens + marks, marks)
    }

    fn best_of(&self, unit: usize) -> Vec<u32> {
        let density = |item: u32| {
            let here = &self.items[item as usize];
            let worth: f64 = self.words_of(here).iter().map(|&word| self.values[word as usize]).sum();
            (here.weight * worth + self.asked[item as usize]) / here.cost.max(1.0)
        };
        let mut items: Vec<(f64, u32)> = self.items_of(unit).map(|item| (density(item), item)).collect();
        if items.len() > OPENING {
            items.select_nth_unstable_by(OPENING, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            items.truncate(OPENING);
        }
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// About what a mark in the place of a gap takes.
    fn mark(&self, form: Form) -> f64 {
        match (form, self.tokenizer) {
            (Form::Text | Form::JsonText, _) => 3.5,
            (Form::Items | Form::Members(_), Tokenizer::Estimate) => 2.5,
            (Form::Items | Form::Members(_), _) => 4.0,
        }
    }

    fn scale(&self, message: u32) -> f64 {
        self.costs.scales.get(message as usize).copied().unwrap_or(1.0)
    }

    /// The parts of a message.
    fn parts(&self, message: u32) -> Range<usize> {
        let range = &self.parts_of[message as usize];
        range.start as usize..range.end as usize
    }

    /// The items of a unit.
    fn items_of(&self, unit: usize) -> impl Iterator<Item = u32> + '_ {
        let parts = self.units[unit].messages.iter().flat_map(|&message| self.parts(message));
        parts.flat_map(|part| self.of_part[part].clone())
    }

    /// The words of an item.
    fn words_of(&self, item: &Item) -> &[u32] {
        &self.words[item.words.start as usize..item.words.end as usize]
    }
}

/// Whether these are the user's own words.
fn is_users(part: &Part) -> bool {
    part.role == Role::User && part.kind == Kind::Text
}

/// The parts of each message; parts come in order of their messages.
fn parts_of(transcript: &Transcript) -> Vec<Range<u32>> {
    let mut ranges = vec![0..0; transcript.message_count() as usize];
    for (index, part) in transcript.parts().iter().enumerate() {
        let range = &mut ranges[part.message as usize];
        if range.end == 0 {
            *range = index as u32..index as u32;
        }
        range.end = index as u32 + 1;
    }
    ranges
}
