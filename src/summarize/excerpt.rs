//! The deterministic summary of prose: its best sentences, as they were written.

use std::cmp::Reverse;
use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::score::{Scorer, SignsSlice};
use super::sentences::{paragraphs, sentences};
use crate::text::class::trim;
use crate::text::masks::Scanned;
use crate::text::{Text, TextBuf};

#[derive(Clone, Copy, Debug)]
struct Sentence {
    start: usize,
    end: usize,
    score: i32,
    /// The best of its paragraph.
    is_primary: bool,
}

/// Writes excerpts, and keeps the memory that this takes.
#[derive(Debug, Default)]
pub struct Excerpts {
    all: Vec<Sentence>,
    /// The numbers of the sentences to choose from, the first choice first.
    order: Vec<usize>,
    taken: Vec<usize>,
}

impl Excerpts {
    /// The best sentences of `text`, which `scanned` has the masks of and `signs` what raises their scores, that fit into `budget` units, in text order, joined
    /// by ` ... `.
    ///
    /// The best sentence of each paragraph is considered before all others. Sentences of filler are left out unless the
    /// text has nothing else.
    pub fn write(&mut self, text: Text<'_>, scanned: Scanned<'_>, signs: SignsSlice<'_>, budget: usize) -> TextBuf {
        let mut summary = TextBuf::new();
        self.score_sentences(scanned, signs);
        if self.all.is_empty() {
            summary.push(text.prefix(budget).trim());
            return summary;
        }
        self.pack(text, budget);
        if self.taken.is_empty() {
            push_best(text, &self.all, budget, &mut summary);
        }
        summary.reserve(budget);
        for (position, &index) in self.taken.iter().enumerate() {
            summary.push_str(if position == 0 { "" } else { " ... " });
            summary.push(text.slice(self.all[index].start..self.all[index].end));
        }
        summary
    }

    fn score_sentences(&mut self, text: Scanned<'_>, signs: SignsSlice<'_>) {
        let all = &mut self.all;
        all.clear();
        let mut scorer = Scorer::new(text, signs);
        for (start, end) in paragraphs(text) {
            let first = all.len();
            let mut best = first;
            for (start, end) in sentences(text, start, end) {
                let score = scorer.score(start, end);
                all.push(Sentence { start, end, score, is_primary: false });
                if score > all[best].score {
                    best = all.len() - 1;
                }
            }
            if all.len() == first {
                let (start, end) = trim(text.bytes, start, end);
                all.push(Sentence { start, end, score: scorer.score_of_fragment(start, end), is_primary: false });
            }
            all[best].is_primary = true;
        }
    }

    /// Chooses the sentences to take, and puts them into text order.
    fn pack(&mut self, text: Text<'_>, budget: usize) {
        let Excerpts { all, order, taken, .. } = self;
        order.clear();
        taken.clear();
        order.extend((0..all.len()).filter(|&index| all[index].score >= 0));
        order.sort_unstable_by_key(|&index| (!all[index].is_primary, Reverse(all[index].score), index));
        let mut used = 0;
        let mut seen: HashSet<Text<'_>, FxBuildHasher> = HashSet::default();
        for &index in order.iter() {
            let sentence = text.slice(all[index].start..all[index].end);
            let cost = sentence.len() + if taken.is_empty() { 0 } else { 5 };
            if used + cost <= budget && seen.insert(sentence) {
                used += cost;
                taken.push(index);
            }
        }
        taken.sort_unstable();
    }
}

/// The beginning of the best sentence, where none fits as a whole or all are filler.
fn push_best(text: Text<'_>, all: &[Sentence], budget: usize, summary: &mut TextBuf) {
    let best = all.iter().enumerate().max_by_key(|(index, sentence)| (sentence.score, Reverse(*index)));
    let Some((_, best)) = best else { return };
    let best = text.slice(best.start..best.end);
    let beginning = best.prefix(budget).trim();
    if beginning.len() <= budget - 3 {
        summary.push(beginning);
    } else {
        summary.push(best.prefix(budget - 3));
        summary.push_str("...");
    }
}
