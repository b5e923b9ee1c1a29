//! The deterministic summary of prose: its best sentences, as they were written.

use std::cmp::Reverse;
use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::score::sentence_score;
use super::sentences::{paragraphs, sentences};
use crate::text::class::trim;
use crate::text::masks::Scanned;
use crate::text::{Text, TextBuf};

struct Sentence {
    start: usize,
    end: usize,
    score: i32,
    /// The best of its paragraph.
    is_primary: bool,
}

/// The best sentences of `text`, which `scanned` has the masks of, that fit into `budget` units, in text order, joined by ` ... `.
///
/// The best sentence of each paragraph is considered before all others. Sentences of filler are left out unless the
/// text has nothing else.
pub fn excerpt(text: Text<'_>, scanned: Scanned<'_>, budget: usize) -> TextBuf {
    let all = scored_sentences(scanned);
    let mut summary = TextBuf::new();
    if all.is_empty() {
        summary.push(text.prefix(budget).trim());
        return summary;
    }
    let taken = pack(text, &all, budget);
    if taken.is_empty() {
        push_best(text, &all, budget, &mut summary);
    }
    summary.reserve(budget);
    for (position, index) in taken.into_iter().enumerate() {
        summary.push_str(if position == 0 { "" } else { " ... " });
        summary.push(text.slice(all[index].start..all[index].end));
    }
    summary
}

fn scored_sentences(text: Scanned<'_>) -> Vec<Sentence> {
    let mut all: Vec<Sentence> = Vec::new();
    for (start, end) in paragraphs(text.bytes) {
        let first = all.len();
        let mut best = first;
        for (start, end) in sentences(text, start, end) {
            let score = sentence_score(text, start, end);
            all.push(Sentence { start, end, score, is_primary: false });
            if score > all[best].score {
                best = all.len() - 1;
            }
        }
        if all.len() == first {
            let (start, end) = trim(text.bytes, start, end);
            all.push(Sentence { start, end, score: sentence_score(text, start, end), is_primary: false });
        }
        all[best].is_primary = true;
    }
    all
}

/// Which sentences to take, in text order.
fn pack(text: Text<'_>, all: &[Sentence], budget: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).filter(|&index| all[index].score >= 0).collect();
    order.sort_by_key(|&index| (!all[index].is_primary, Reverse(all[index].score)));
    let mut used = 0;
    let mut taken = Vec::new();
    let mut seen: HashSet<Text<'_>, FxBuildHasher> = HashSet::default();
    for index in order {
        let sentence = text.slice(all[index].start..all[index].end);
        let cost = sentence.len() + if taken.is_empty() { 0 } else { 5 };
        if used + cost <= budget && seen.insert(sentence) {
            used += cost;
            taken.push(index);
        }
    }
    taken.sort_unstable();
    taken
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
