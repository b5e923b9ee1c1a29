//! The index of a history.

use std::ops::Range;

use super::dictionary::{Dictionary, NONE};
use super::sent::Sent;
use super::units::{core, for_each_unit};
use crate::text::hashing::text_hash;
use crate::text::terms::for_each_term;
use crate::text::{Text, Texts};

/// UTF-16 code units of a history to each of its units and postings, about: most have more.
const UNITS_PER_UNIT: usize = 32;
const UNITS_PER_POSTING: usize = 8;

/// A part of the history that is added.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewPart {
    /// The part of the call that it answers.
    pub call: Option<u32>,
}

/// A part of the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub call: Option<u32>,
    /// Number of the first of its units.
    pub first_unit: u32,
    /// Number of its terms, repetitions included.
    pub terms: u32,
}

/// A unit of the history, which ends where the next one or the text of its part does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub part: u32,
    pub start: u32,
    /// The hash of its core.
    pub hash: u64,
}

/// An entry of the list of a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub unit: u32,
    /// The posting before it of the same term.
    pub before: u32,
}

/// An index of a history, which grows and shrinks at its end. Adding a text takes time linear in its length.
#[derive(Debug, Default)]
pub struct Index {
    texts: Texts,
    pub(super) parts: Vec<Part>,
    pub(super) units: Vec<Unit>,
    pub(super) dictionary: Dictionary,
    pub(super) postings: Vec<Posting>,
    pub(super) sent: Sent,
}

impl Index {
    /// Number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Makes room for parts of about `units` UTF-16 code units altogether, so that nothing moves while they are added.
    pub fn reserve(&mut self, units: usize) {
        self.texts.reserve(units);
        self.units.reserve(units / UNITS_PER_UNIT);
        self.postings.reserve(units / UNITS_PER_POSTING);
    }

    /// Adds a part with the text of these code units.
    pub fn append(&mut self, part: NewPart, units: &[u16]) {
        let number = self.parts.len() as u32;
        let first_unit = self.units.len() as u32;
        self.texts.push_units(units);
        let text = self.texts.get(number as usize);
        for_each_unit(text, |range| {
            let hash = text_hash(core(text.slice(range.clone())));
            self.units.push(Unit { part: number, start: range.start as u32, hash });
        });
        let mut terms = 0;
        let mut unit = first_unit;
        let end_of = |unit: u32| self.units.get(unit as usize + 1).map_or(text.len(), |next| next.start as usize);
        let mut unit_end = end_of(unit);
        // The first posting of the unit.
        let mut first = self.postings.len() as u32;
        for_each_term(text, |start, end| {
            terms += 1;
            while unit_end <= start {
                unit += 1;
                unit_end = end_of(unit);
                first = self.postings.len() as u32;
            }
            let last = self.dictionary.last(text, start, end);
            if *last == NONE || *last < first {
                let before = std::mem::replace(last, self.postings.len() as u32);
                self.postings.push(Posting { unit, before });
            }
        });
        let call = part.call.filter(|&call| call < number);
        self.parts.push(Part { call, first_unit, terms });
    }

    /// Removes all parts but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        let Some(&part) = self.parts.get(count) else { return };
        self.units.truncate(part.first_unit as usize);
        self.parts.truncate(count);
        while self.texts.len() > count {
            self.texts.pop();
        }
        let count = self.postings.partition_point(|posting| posting.unit < part.first_unit);
        self.dictionary.replace_last(|mut last| {
            while last != NONE && last as usize >= count {
                last = self.postings[last as usize].before;
            }
            last
        });
        self.postings.truncate(count);
    }

    /// Sets the texts of the request. Passages are looked for in what does not stand in them.
    pub fn set_sent(&mut self, texts: &Texts) {
        self.sent = Sent::new(texts);
    }

    /// The text of a part.
    pub fn text(&self, part: u32) -> Text<'_> {
        self.texts.get(part as usize)
    }

    /// The units of a part.
    pub(super) fn units_of(&self, part: u32) -> Range<u32> {
        let end = self.parts.get(part as usize + 1).map_or(self.units.len() as u32, |next| next.first_unit);
        self.parts[part as usize].first_unit..end
    }

    /// End of a unit in the text of its part.
    pub(super) fn end_of(&self, unit: u32) -> usize {
        let part = self.units[unit as usize].part;
        let next = self.units.get(unit as usize + 1).filter(|next| next.part == part);
        next.map_or_else(|| self.text(part).len(), |next| next.start as usize)
    }

    /// The units that contain a form of a word, in order.
    pub(super) fn units_with(&self, word: &[u16]) -> Vec<u32> {
        let mut found = Vec::new();
        let forms = self.dictionary.postings_of_forms(word);
        for &last in &forms {
            let mut at = last;
            while at != NONE {
                let posting = self.postings[at as usize];
                found.push(posting.unit);
                at = posting.before;
            }
        }
        if forms.len() > 1 {
            found.sort_unstable();
            found.dedup();
        } else {
            found.reverse();
        }
        found
    }
}
