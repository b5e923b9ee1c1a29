//! The extractive summary of prose: its best sentences, unchanged.

use std::cmp::Reverse;
use std::ops::Range;

use super::score::{ScoreSignalsSlice, Scorer};
use super::sentences::{paragraphs, sentences};
use palimpsest_text::class::trim;
use palimpsest_text::hashing::TextSet;
use palimpsest_text::masks::Scanned;
use palimpsest_text::{Text, TextBuf};

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

    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Where in a paragraph the latest sentences are, by a hash of a few of their bytes. What is found may be any sentence, even that of
/// another text before, so it is compared.
#[derive(Debug, Default)]
struct Latest(Vec<u32>);

impl Latest {
    /// Number of places. Hostile texts have many sentences because they are short, and so few of them differ.
    const PLACES: usize = 128;

    /// Returns whether `sentence` repeats one of those before it in its `paragraph` whose score is not lower.
    #[inline]
    fn repeats(&mut self, text: Text<'_>, paragraph: &[Sentence], sentence: &Sentence) -> bool {
        self.0.resize(Self::PLACES, 0);
        let bytes = &text.bytes()[sentence.range()];
        let [first, middle, last] = [0, bytes.len() / 2, bytes.len() - 1].map(|at| u32::from(bytes[at]));
        let key = (first | middle << 8 | last << 16) ^ (bytes.len() as u32) << 11;
        let place = &mut self.0[(key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - Self::PLACES.ilog2())) as usize];
        let is_repeated =
            |before: &Sentence| sentence.score <= before.score && text.is_same(before.range(), sentence.range());
        if paragraph.get(*place as usize).is_some_and(is_repeated) {
            return true;
        }
        *place = paragraph.len() as u32;
        false
    }
}

/// Writes excerpts, and reuses its buffers.
#[derive(Debug, Default)]
pub struct Excerpts {
    all: Vec<Sentence>,
    latest: Latest,
    /// Ranks of the candidates, best first.
    order: Vec<u64>,
    taken: Vec<usize>,
}

impl Excerpts {
    /// Returns the sentences that [`Excerpts::read_all`] read last, with their scores.
    pub fn sentences(&self) -> impl Iterator<Item = (Range<usize>, i32)> {
        self.all.iter().map(|sentence| (sentence.range(), sentence.score))
    }

    /// Writes the best of the sentences of `text` that were read last and fit into `budget` UTF-16 code units to `summary`, in text order, joined by
    /// ` ... `. The best sentence of each paragraph is considered before all others. Filler is left out unless the text has nothing else.
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

    /// Reads the sentences of `text`, with the scores given by their `signals`. Leaves out those that repeat an earlier one of their
    /// paragraph, as far as [`Latest`] finds it: that one ranks higher, so they are never chosen.
    pub fn read(&mut self, text: Text<'_>, scanned: Scanned<'_>, signals: ScoreSignalsSlice<'_>) {
        let mut latest = std::mem::take(&mut self.latest);
        self.read_unless(scanned, signals, None, |paragraph, sentence| latest.repeats(text, paragraph, sentence));
        self.latest = latest;
    }

    /// Reads all sentences of `text`, with the scores given by their `signals`, or with one score each in `others`.
    pub fn read_all(&mut self, text: Scanned<'_>, signals: ScoreSignalsSlice<'_>, others: Option<&[i32]>) {
        self.read_unless(text, signals, others, |_, _| false);
    }

    /// Reads the sentences of `text` except those that `is_left_out`, given the ones before in their paragraph.
    #[inline]
    fn read_unless(
        &mut self,
        text: Scanned<'_>,
        signals: ScoreSignalsSlice<'_>,
        others: Option<&[i32]>,
        mut is_left_out: impl FnMut(&[Sentence], &Sentence) -> bool,
    ) {
        let all = &mut self.all;
        all.clear();
        let mut scorer = Scorer::new(text, signals);
        let other = |index: usize| others.and_then(|others| others.get(index).copied());
        for (start, end) in paragraphs(text) {
            let first = all.len();
            let mut best = first;
            for (start, end) in sentences(text, start, end) {
                let score = other(all.len()).unwrap_or_else(|| scorer.score(start, end));
                let sentence = Sentence::new((start, end), score);
                if is_left_out(&all[first..], &sentence) {
                    continue;
                }
                all.push(sentence);
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
        order.extend(
            (0..all.len()).filter(|&index| is_candidate(text, all, index)).map(|index| rank(&all[index], index)),
        );
        order.sort_unstable();
        let mut used = 0;
        let mut seen: TextSet<Text<'_>> = TextSet::default();
        for rank in order.iter() {
            if used + SEPARATOR.len() >= budget {
                break;
            }
            let index = (*rank & u64::from(u32::MAX)) as usize;
            let range = all[index].range();
            let cost = range.len() + if taken.is_empty() { 0 } else { SEPARATOR.len() };
            if used + cost > budget {
                continue;
            }
            // Most summaries have so few sentences that comparing their lengths tells them apart, which needs no set.
            let is_same = |other: &usize| text.is_same(all[*other].range(), range.clone());
            if taken.iter().rev().take(COMPARED).any(is_same) {
                continue;
            }
            if taken.len() > COMPARED {
                seen.extend(taken[seen.len()..].iter().map(|&index| text.slice(all[index].range())));
                if seen.contains(&text.slice(range)) {
                    continue;
                }
            }
            used += cost;
            taken.push(index);
        }
        taken.sort_unstable();
    }
}

/// Number of chosen sentences, the last ones, that a sentence is compared with. Others are looked up.
const COMPARED: usize = 8;

/// Separator of the sentences in a summary.
const SEPARATOR: &str = " ... ";

/// Returns whether a sentence may be chosen: it is no filler, and does not repeat the one before it, which ranks higher. Of equal
/// sentences only the first in rank can be taken, so that a text of one short sentence, repeated, has one candidate.
fn is_candidate(text: Text<'_>, all: &[Sentence], index: usize) -> bool {
    let repeats = |before: &Sentence, sentence: &Sentence| {
        sentence.score <= before.score
            && sentence.is_primary <= before.is_primary
            && text.is_same(before.range(), sentence.range())
    };
    all[index].score >= 0 && !index.checked_sub(1).is_some_and(|before| repeats(&all[before], &all[index]))
}

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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::summarize::ScoreSignals;
    use crate::summarize::entities::EntityScanner;
    use palimpsest_text::masks::Scratch;

    /// The definition: by rank, each sentence that fits and was not taken before.
    fn plain_choice(text: Text<'_>, all: &[Sentence], budget: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..all.len()).filter(|&index| all[index].score >= 0).collect();
        order.sort_by_key(|&index| (!all[index].is_primary, Reverse(all[index].score), index));
        let (mut used, mut taken, mut seen) = (0, Vec::new(), HashSet::new());
        for index in order {
            let cost = all[index].range().len() + if taken.is_empty() { 0 } else { SEPARATOR.len() };
            if used + SEPARATOR.len() < budget && used + cost <= budget && seen.insert(text.slice(all[index].range())) {
                used += cost;
                taken.push(index);
            }
        }
        taken.sort_unstable();
        taken
    }

    thread_local! {
        /// Reused by all cases, so that each finds what another text left behind.
        static REUSED: std::cell::RefCell<Excerpts> = std::cell::RefCell::default();
    }

    proptest! {
        #[test]
        fn the_best_sentences_are_chosen_once(
            sentences in prop::collection::vec((prop::sample::select(vec!["a.", "b.", "ab.", "\u{4e00}.", "\u{4e01}."]), -1..4i32, any::<bool>(), 0..40u8), 0..80),
            budget in 4..300usize,
        ) {
            let (mut text, mut all) = (TextBuf::new(), Vec::new());
            for (sentence, score, is_primary, number) in sentences {
                let start = text.len();
                // Most are repeated, and some only differ in their number.
                if number > 20 {
                    text.push_str(&number.to_string());
                }
                text.push_str(sentence);
                all.push(Sentence { is_primary, ..Sentence::new((start, text.len()), score) });
            }
            let mut excerpts = Excerpts { all, ..Excerpts::default() };
            excerpts.pack(text.as_text(), budget);
            prop_assert_eq!(&excerpts.taken, &plain_choice(text.as_text(), &excerpts.all, budget));
        }

        #[test]
        fn sentences_that_are_left_out_would_not_be_chosen(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "a.", "b.", "c! ", "It is. ", "It is so. ", "No. ", "It took 4 MB. ", "\n", "\n\n", "\u{4e00}.", "\u{4e01}. ", "It must be.",
            ]), 0..200),
            budget in 4..300usize,
        ) {
            let text = TextBuf::from(pieces.concat().as_str());
            let (text, mut scratch, mut signals) = (text.as_text(), Scratch::default(), ScoreSignals::default());
            let scanned = scratch.scan(text.bytes());
            signals.read(scanned, &mut EntityScanner::default());
            let [mut some, mut all] = [TextBuf::new(), TextBuf::new()];
            REUSED.with_borrow_mut(|excerpts| {
                excerpts.read(text, scanned, signals.as_slice());
                excerpts.choose(text, budget, &mut some);
            });
            let mut excerpts = Excerpts::default();
            excerpts.read_all(scanned, signals.as_slice(), None);
            excerpts.choose(text, budget, &mut all);
            prop_assert_eq!(some.as_text(), all.as_text());
        }
    }
}
