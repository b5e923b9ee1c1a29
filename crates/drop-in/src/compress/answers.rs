//! Summaries and scores that the caller brings.

use std::ops::Range;
use std::sync::Arc;

use crate::summarize::combination::{DEFAULT_WEIGHT, combine};
use palimpsest_text::TextBuf;
use palimpsest_text::hashing::TextMap;

/// An answer that the caller has to bring before a text can be written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// A summary of this text, by [`Engine::answer`](super::Engine::answer).
    Summary(Arc<TextBuf>),
    /// The scores of these sentences, by [`Engine::answer_scores`](super::Engine::answer_scores).
    Scores(Arc<Sentences>),
}

/// The sentences of a text.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Sentences {
    pub text: Arc<TextBuf>,
    /// Range of each sentence, and its score by the engine's rules.
    pub all: Vec<(Range<usize>, i32)>,
}

/// The caller's answers by text; `None` for an unusable one.
#[derive(Default)]
pub(super) struct Answers {
    summaries: TextMap<Arc<TextBuf>, Option<TextBuf>>,
    /// For each sentence the rank of its score among all scores of the text.
    ranks: TextMap<Arc<TextBuf>, Option<Vec<i32>>>,
    /// Number of unusable scores.
    pub bad_scores: usize,
}

impl Answers {
    /// Adds a summary of `text`. An empty one, or one that is not shorter than the text, is unusable.
    pub(super) fn add_summary(&mut self, text: &Arc<TextBuf>, summary: Option<TextBuf>) {
        let accepted = summary.filter(|summary| !summary.is_empty() && summary.len() < text.len());
        self.summaries.insert(text.clone(), accepted);
    }

    /// Adds the scores of `sentences`, combined with those of the rules if `combined`. Fewer scores than sentences, or one that
    /// is NaN, are unusable; surplus scores are ignored.
    pub(super) fn add_scores(&mut self, sentences: &Sentences, scores: Option<Vec<f64>>, combined: bool) {
        let ranks = scores
            .as_deref()
            .and_then(|scores| scores.get(..sentences.all.len()))
            .map(
                |scores| if combined { combine(&by_rules(sentences), scores, DEFAULT_WEIGHT) } else { scores.to_vec() },
            )
            .filter(|scores| !scores.iter().any(|score| score.is_nan()))
            .map(|scores| ranks(&scores));
        self.bad_scores += usize::from(ranks.is_none());
        self.ranks.insert(sentences.text.clone(), ranks);
    }

    /// Returns the answer for a summary of `text`, if there is one.
    pub(super) fn summary(&self, text: &TextBuf) -> Option<Option<&TextBuf>> {
        self.summaries.get(text).map(Option::as_ref)
    }

    /// Returns the answer for the ranks of the sentences of `text`, if there is one.
    pub(super) fn ranks(&self, text: &TextBuf) -> Option<Option<&[i32]>> {
        self.ranks.get(text).map(Option::as_deref)
    }
}

fn by_rules(sentences: &Sentences) -> Vec<f64> {
    sentences.all.iter().map(|(_, score)| f64::from(*score)).collect()
}

/// Returns the rank of each score among the distinct ones, 0 for the lowest. A summary depends on their order only, and a
/// negative score would mark its sentence as filler, which scores such as the logarithm of a probability do not mean.
fn ranks(scores: &[f64]) -> Vec<i32> {
    let mut distinct = scores.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    scores.iter().map(|score| distinct.partition_point(|other| other < score) as i32).collect()
}
