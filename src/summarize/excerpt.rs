//! The extractive summary of prose: its best sentences, unchanged.

use std::cmp::Reverse;
use std::ops::Range;

use super::score::{ScoreSignalsSlice, Scorer};
use super::sentences::{paragraphs, sentences};
use crate::text::class::trim;
use crate::text::hashing::TextSet;
use crate::text::masks::Scanned;
use crate::text::{Text, TextBuf};

#[derive(Clone, Copy, Debug)]
struct Sentence {
    start: u32,
    end: u32,
    score: i32,
    /// Whether it is the best of its paragraph.
    is_primary: bool,
}

impl Sentence {
    fn new((start, end): (usize, usize), score: i32) -> Self {
        Sentence { start: start as u32, end: end as u32, score, is_primary: false }
    }

    /// Returns its range.
    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Writes excerpts, and reuses its buffers.
#[derive(Debug, Default)]
pub struct Excerpts {
    all: Vec<Sentence>,
    /// Ranks of the candidates, best first.
    order: Vec<u64>,
    taken: Vec<usize>,
}

impl Excerpts {
    /// Writes the best sentences of `text` that fit into `budget` UTF-16 code units to `summary`, in text order, joined
    /// by ` ... `. `scanned` has the masks of `text`, and `signals` its score signals.
    ///
    /// The best sentence of each paragraph is considered before all others. Filler is left out unless the text has
    /// nothing else.
    pub fn write(
        &mut self,
        text: Text<'_>,
        scanned: Scanned<'_>,
        signals: ScoreSignalsSlice<'_>,
        budget: usize,
        summary: &mut TextBuf,
    ) {
        self.read(scanned, signals, None);
        self.choose(text, budget, summary);
    }

    /// Returns the sentences that were read last, with their scores.
    pub fn sentences(&self) -> impl Iterator<Item = (Range<usize>, i32)> {
        self.all.iter().map(|sentence| (sentence.range(), sentence.score))
    }

    /// Writes the best of the sentences of `text` that were read last to `summary`.
    pub fn choose(&mut self, text: Text<'_>, budget: usize, summary: &mut TextBuf) {
        summary.clear();
        if self.all.is_empty() {
            return summary.push(text.prefix(budget).trim());
        }
        self.pack(text, budget);
        if self.taken.is_empty() {
            push_best(text, &self.all, budget, summary);
        }
        for (position, &index) in self.taken.iter().enumerate() {
            summary.push_str(if position == 0 { "" } else { SEPARATOR });
            summary.push(text.slice(self.all[index].range()));
        }
    }

    /// Reads the sentences of `text`, with the scores given by their `signals`, or with one score each in `others`.
    pub fn read(&mut self, text: Scanned<'_>, signals: ScoreSignalsSlice<'_>, others: Option<&[i32]>) {
        let all = &mut self.all;
        all.clear();
        let mut scorer = Scorer::new(text, signals);
        let other = |index: usize| others.and_then(|others| others.get(index).copied());
        for (start, end) in paragraphs(text) {
            let first = all.len();
            let mut best = first;
            for (start, end) in sentences(text, start, end) {
                let score = other(all.len()).unwrap_or_else(|| scorer.score(start, end));
                all.push(Sentence::new((start, end), score));
                if score > all[best].score {
                    best = all.len() - 1;
                }
            }
            if all.len() == first {
                let (start, end) = trim(text.bytes, start, end);
                let score = other(all.len()).unwrap_or_else(|| scorer.score_of_fragment(start, end));
                all.push(Sentence::new((start, end), score));
            }
            all[best].is_primary = true;
        }
    }

    /// Chooses sentences, and sorts them into text order.
    fn pack(&mut self, text: Text<'_>, budget: usize) {
        let Excerpts { all, order, taken, .. } = self;
        order.clear();
        taken.clear();
        order.extend((0..all.len()).filter(|&index| all[index].score >= 0).map(|index| rank(&all[index], index)));
        order.sort_unstable();
        let mut used = 0;
        let mut seen: TextSet<Text<'_>> = TextSet::default();
        for rank in order.iter() {
            if used + SEPARATOR.len() >= budget {
                break;
            }
            let index = (*rank & u64::from(u32::MAX)) as usize;
            let sentence = text.slice(all[index].range());
            let cost = sentence.len() + if taken.is_empty() { 0 } else { SEPARATOR.len() };
            if used + cost > budget {
                continue;
            }
            // Repeated sentences usually repeat at once, so the last few are checked before the set.
            let is_last = |other: &usize| text.slice(all[*other].range()) == sentence;
            if !taken.iter().rev().take(3).any(is_last) && seen.insert(sentence) {
                used += cost;
                taken.push(index);
            }
        }
        taken.sort_unstable();
    }
}

/// Separator of the sentences in a summary.
const SEPARATOR: &str = " ... ";

/// Returns the rank of the sentence with number `index`: the best of each paragraph first, then by descending score,
/// then in text order. The rank is a single number, because numbers sort fast.
fn rank(sentence: &Sentence, index: usize) -> u64 {
    let score = (i32::MAX - sentence.score) as u64;
    u64::from(!sentence.is_primary) << 63 | score << 32 | index as u64
}

/// Writes the beginning of the best sentence, for texts in which none fits or all are filler.
fn push_best(text: Text<'_>, all: &[Sentence], budget: usize, summary: &mut TextBuf) {
    let best = all.iter().enumerate().max_by_key(|(index, sentence)| (sentence.score, Reverse(*index)));
    let Some((_, best)) = best else { return };
    let best = text.slice(best.range());
    let beginning = best.prefix(budget).trim();
    if beginning.len() <= budget - 3 {
        summary.push(beginning);
    } else {
        summary.push(best.prefix(budget - 3));
        summary.push_str("...");
    }
}
