//! What stays, in the making: which spans are kept, what they say, and what they take.

use std::ops::Range;

use super::choose::Why;
use super::{Fit, Item};

/// What says a word again that is said already brings so much of its worth.
const AGAIN: f64 = 0.1;
/// A span brings at least this for each of its tokens, so that what is left of the tokens is used.
pub const LEAST: f64 = 1e-6;

/// What stays, in the making.
#[derive(Clone)]
pub struct State<'f> {
    pub fit: &'f Fit,
    /// For each item whether it stays.
    pub kept: Vec<bool>,
    /// For each unit why it stays.
    pub why: Vec<Why>,
    /// How often each word is said, up to 2.
    said: Vec<u8>,
    /// What saying each word brings now.
    pub left: Vec<f64>,
    /// About what all that stays takes.
    pub tokens: f64,
}

impl<'f> State<'f> {
    /// Nothing stays.
    pub fn new(fit: &'f Fit) -> Self {
        State {
            fit,
            kept: vec![false; fit.items.len()],
            why: vec![Why::Gone; fit.units.len()],
            said: vec![0; fit.values.len()],
            left: fit.values.clone(),
            tokens: fit.costs.request,
        }
    }

    /// Whether nothing kept says a word.
    pub fn is_new(&self, word: u32) -> bool {
        self.said[word as usize] == 0
    }

    /// What keeping an item brings.
    pub fn gain(&self, item: u32) -> f64 {
        let asked = self.fit.asked[item as usize];
        let item = &self.fit.items[item as usize];
        let worth: f64 = self.fit.words_of(item).iter().map(|&word| self.left[word as usize]).sum();
        item.weight * worth + asked + LEAST * item.tokens
    }

    /// What keeping an item brings for each token.
    pub fn density(&self, item: u32) -> f64 {
        self.gain(item) / self.cost(item).max(1.0)
    }

    /// The tokens that keeping an item takes, with the context it needs and the marks that come or go.
    pub fn cost(&self, item: u32) -> f64 {
        let here = &self.fit.items[item as usize];
        let is_gap = |next: u32| self.is_beside(item, next) && !self.kept[next as usize];
        let gaps = i32::from(is_gap(item.wrapping_sub(1))) + i32::from(is_gap(item + 1)) - 1;
        let mut cost = f64::from(gaps) * here.mark;
        // Of each chain what is needed next, the last one first: chains that meet go on as one.
        let mut chains = self.chains(item);
        while let Some(next) = chains.into_iter().flatten().max() {
            cost += self.fit.items[next as usize].cost;
            chains.iter_mut().filter(|chain| **chain == Some(next)).for_each(|chain| *chain = self.above(next));
        }
        cost
    }

    /// The items that begin the chains of contexts which stay with `item`: itself and, in a log, the last and the first.
    fn chains(&self, item: u32) -> [Option<u32>; 3] {
        let here = &self.fit.items[item as usize];
        let open = |item: u32| (!self.kept[item as usize]).then_some(item);
        if !here.needs_ends {
            return [open(item), None, None];
        }
        let ends = &self.fit.of_part[here.part as usize];
        [open(item), open(ends.end - 1), open(ends.start)]
    }

    /// The context of an item, unless it is kept: then so is all that it needs.
    fn above(&self, item: u32) -> Option<u32> {
        let context = item - self.fit.items[item as usize].context?.get();
        (!self.kept[context as usize]).then_some(context)
    }

    /// Whether items stand side by side in one run.
    pub fn is_beside(&self, item: u32, next: u32) -> bool {
        let (here, next) = (&self.fit.items[item as usize], self.fit.items.get(next as usize));
        next.is_some_and(|next| next.part == here.part && next.run == here.run)
    }

    /// Keeps an item and the context it needs.
    pub fn keep(&mut self, item: u32) {
        if self.kept[item as usize] {
            return;
        }
        self.tokens += self.cost(item);
        let fit = self.fit;
        for chain in self.chains(item) {
            // A chain before this one may have kept it.
            let mut next = chain.filter(|&item| !self.kept[item as usize]);
            while let Some(item) = next {
                let here = &fit.items[item as usize];
                self.kept[item as usize] = true;
                if fit.relevance.is_said(here.part as usize) {
                    self.say(fit.words_of(here));
                }
                next = self.above(item);
            }
        }
    }

    fn say(&mut self, words: &[u32]) {
        for &word in words {
            let said = &mut self.said[word as usize];
            *said = (*said + 1).min(2);
            self.left[word as usize] = if *said == 1 { AGAIN * self.fit.values[word as usize] } else { 0.0 };
        }
    }

    /// The tokens that keeping all of a unit takes.
    pub fn whole_cost(&self, unit: usize) -> f64 {
        let open = if self.is_open(unit) { 0.0 } else { self.fit.opening_costs[unit] };
        let items = self.fit.items_of(unit).filter(|&item| !self.kept[item as usize]);
        open + items.map(|item| self.fit.items[item as usize].cost).sum::<f64>()
    }

    /// Keeps what of a unit can't go without it.
    pub fn open(&mut self, unit: usize, why: Why) {
        if self.is_open(unit) {
            return;
        }
        self.why[unit] = why;
        self.tokens += self.fit.opening_costs[unit];
        let fit = self.fit;
        for &message in &fit.units[unit].messages {
            for part in fit.parts(message).filter(|&part| fit.relevance.is_said(part)) {
                let said = &fit.said[part];
                self.say(&fit.words[said.start as usize..said.end as usize]);
            }
        }
    }

    /// Whether a unit stays.
    pub fn is_open(&self, unit: usize) -> bool {
        self.why[unit] != Why::Gone
    }

    /// What all that stays is worth: its words, each as much as where it is said best, and what is asked for.
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
        let asked = fit.asked.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(asked, _)| asked).sum::<f64>();
        asked + weights.iter().zip(&fit.values).map(|(weight, value)| weight * value).sum::<f64>()
    }

    /// The message of a part.
    pub fn message_of(&self, part: u32) -> u32 {
        self.fit.transcript.parts()[part as usize].message
    }

    /// Keeps what takes no more than the mark in its place.
    pub fn close_gaps(&mut self) {
        let count = self.fit.items.len() as u32;
        let mut start = 0;
        while start < count {
            let mut end = start + 1;
            let Item { part, form, .. } = self.fit.items[start as usize];
            let unit = self.fit.unit_of[self.message_of(part) as usize] as usize;
            if self.kept[start as usize] || !self.is_open(unit) {
                start = end;
                continue;
            }
            while self.is_beside(end - 1, end) && !self.kept[end as usize] {
                end += 1;
            }
            let tokens: f64 = (start..end).map(|item| self.fit.items[item as usize].tokens).sum();
            if tokens <= self.fit.mark(form) {
                (start..end).for_each(|item| self.keep(item));
            }
            start = end;
        }
    }
}
