//! Making a conversation fit into a number of tokens, with what is needed next still in it.
//!
//! [`Fit::new`] reads the conversation once: its texts become [`spans`] (lines, sentences, members of JSON), their words are
//! counted and weighed ([`facts`]), messages that need each other become [`units`]. [`Fit::choose`] then takes spans, the one that
//! brings the most for its tokens first, until the tokens are used up, and says what has to be edited. It can be
//! asked again with another limit: nothing is read twice.

mod choose;
mod context;
mod facts;
mod offers;
mod prose;
mod sentences;
mod spans;
mod structure;
mod superseded;
mod units;
mod words;
mod write;

use std::ops::Range;

pub use choose::{Choice, Why};
pub use offers::Offer;
use facts::Uses;
use spans::{Form, spans_of};
use superseded::Superseded;
use units::{Unit, units_of};
use words::Words;

use rustc_hash::FxHashMap;

use super::failure::is_error_line;
use super::prune;
use super::transcript::{Kind, Part, Role, Transcript};
use crate::tokens::{Counter, Tokenizer};

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
    /// Another item.
    context: Option<u32>,
    tokens: f64,
    /// Its words, in [`Fit::words`].
    words: Range<u32>,
    /// What the worth of its words is multiplied with.
    weight: f64,
    /// It has to stay.
    required: bool,
}

/// A conversation, read.
#[derive(Debug)]
pub struct Fit {
    transcript: Transcript,
    tokenizer: Tokenizer,
    items: Vec<Item>,
    /// The items of each part.
    of_part: Vec<Range<u32>>,
    /// The words of each part that has no items, in [`Fit::words`].
    said: Vec<Range<u32>>,
    /// For each part the tokens that stay as long as it does.
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
    costs: Costs,
}

/// A line that looks like an error is worth so much more.
const ERROR: f64 = 1.3;
/// So is the first and the last line of an output.
const ENDS: f64 = 1.2;

/// What a later operation says better is worth so much less.
const SUPERSEDED: f64 = 0.2;

impl Fit {
    /// Reads a conversation. `costs` has to name every part and message. What `pruning` would take out is the first to go.
    pub fn new(
        transcript: Transcript,
        costs: Costs,
        keep: &Keep,
        pruning: Option<&prune::Options<'_>>,
        tokenizer: Tokenizer,
    ) -> Self {
        let pruned = pruning.map(|options| prune::prune(&transcript, options)).unwrap_or_default();
        let (units, unit_of) = units_of(&transcript);
        let mut fit = Fit {
            items: Vec::new(),
            of_part: Vec::with_capacity(transcript.parts().len()),
            said: Vec::with_capacity(transcript.parts().len()),
            fixed: Vec::with_capacity(transcript.parts().len()),
            superseded: FxHashMap::default(),
            words: Vec::new(),
            dictionary: Words::default(),
            values: Vec::new(),
            parts_of: parts_of(&transcript),
            required: Vec::new(),
            units,
            unit_of,
            costs,
            tokenizer,
            transcript,
        };
        fit.require(keep);
        fit.read(keep, &pruned.edits);
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
            if is_named || (keep.user && is_users(part)) {
                required[self.unit_of[part.message as usize] as usize] = true;
            }
        }
        self.required = required;
    }

    fn read(&mut self, keep: &Keep, pruned: &[prune::Edit]) {
        let mut words = Words::default();
        let mut uses = Uses::default();
        let mut counter = Counter::new(self.tokenizer);
        let mut ranges = keep.ranges.iter().peekable();
        let mut pruned = pruned.iter().peekable();
        let mut ends = Vec::new();
        let mut tokens = Vec::new();
        for (index, part) in self.transcript.parts().iter().enumerate() {
            let text = self.transcript.text(index);
            let unit = self.unit_of[part.message as usize] as usize;
            let is_open = !part.locked && !self.required[unit] && matches!(part.kind, Kind::Text | Kind::Call | Kind::Result);
            let first = self.items.len() as u32;
            let spans = if is_open { spans_of(part.kind, text) } else { Vec::new() };
            ends.clear();
            ends.extend(spans.iter().flat_map(|span| [span.range.start, span.range.end]));
            ends.push(text.len());
            tokens.clear();
            counter.count_up_to(text, &ends, &mut tokens);
            let mut fixed = self.costs.parts[index] + tokens[tokens.len() - 1];
            let count = spans.len();
            let stale = pruned.next_if(|edit| edit.part == index as u32).map(|edit| Superseded::new(edit, text.len()));
            for (place, span) in spans.into_iter().enumerate() {
                let content = text.slice(span.range.clone());
                let from = self.words.len() as u32;
                words.read(content, &mut self.words);
                let range = span.range.start as u32..span.range.end as u32;
                while ranges.peek().is_some_and(|(part, kept)| (*part, kept.end) <= (index as u32, range.start)) {
                    ranges.next();
                }
                let required = ranges.peek().is_some_and(|(part, kept)| *part == index as u32 && kept.start < range.end);
                let cost = tokens[2 * place + 1] - tokens[2 * place];
                fixed -= cost;
                let mut weight = 1.0;
                if part.kind == Kind::Result {
                    weight *= if is_error_line(content.bytes()) { ERROR } else { 1.0 };
                    weight *= if place == 0 || place + 1 == count { ENDS } else { 1.0 };
                }
                if stale.as_ref().is_some_and(|stale| stale.takes(&span.range)) {
                    weight *= SUPERSEDED;
                }
                self.items.push(Item {
                    part: index as u32,
                    range,
                    run: span.run,
                    form: span.form,
                    context: span.context.map(|context| first + context as u32),
                    tokens: cost,
                    words: from..self.words.len() as u32,
                    weight,
                    required,
                });
            }
            if let Some(description) = stale.and_then(|stale| stale.description) {
                self.superseded.insert(index as u32, description);
            }
            let from = match self.items.get(first as usize) {
                Some(item) => item.words.start,
                None => self.words.len() as u32,
            };
            if count == 0 {
                words.read(text, &mut self.words);
            }
            let all = from..self.words.len() as u32;
            uses.add(&self.words[from as usize..], part.message, part.role);
            self.said.push(if count == 0 { all } else { 0..0 });
            self.of_part.push(first..self.items.len() as u32);
            self.fixed.push(fixed);
        }
        self.values = uses.values(&words, self.transcript.message_count());
        self.dictionary = words;
    }

    /// The tokens of each message as they were counted, without a scale.
    pub fn tokens_of_messages(&self) -> Vec<f64> {
        let mut tokens = self.costs.messages.clone();
        for (index, part) in self.transcript.parts().iter().enumerate() {
            let items: f64 = self.of_part[index].clone().map(|item| self.items[item as usize].tokens).sum();
            tokens[part.message as usize] += self.fixed[index] + items;
        }
        // Counts are whole; what is shared out between spans may not be.
        tokens.iter_mut().for_each(|tokens| *tokens = tokens.round());
        tokens
    }

    /// Says what the tokens of each message have to be multiplied with.
    pub fn set_scales(&mut self, scales: Vec<f64>) {
        self.costs.scales = scales;
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
