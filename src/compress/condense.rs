//! Which summary a piece of prose gets: the caller's, or our own with the caller's scores or without.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::engine::Engine;
use crate::discourse::Discourse;
use crate::summarize::{Excerpts, ScoreSignalsSlice};
use crate::text::hashing::{TextMap, text_hash};
use crate::text::masks::Scanned;
use crate::text::{Text, TextBuf};

/// What the caller has to bring before a text can be written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// A summary of this text, with [`Engine::answer`].
    Summary(Arc<Question>),
    /// The scores of these sentences, with [`Engine::answer_scores`].
    Scores(Arc<Sentences>),
}

/// A text that something is asked about. To hash it takes about as long as to copy it, so that is done once, where it is
/// copied.
#[derive(Debug, PartialEq, Eq)]
pub struct Question {
    hash: u64,
    text: TextBuf,
}

impl From<Text<'_>> for Question {
    fn from(text: Text<'_>) -> Self {
        Question { hash: text_hash(text), text: TextBuf::from(text) }
    }
}

impl Deref for Question {
    type Target = TextBuf;

    fn deref(&self) -> &TextBuf {
        &self.text
    }
}

impl Hash for Question {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// The sentences of a text.
#[derive(Debug)]
pub struct Sentences {
    /// The text.
    pub text: Arc<Question>,
    /// Where each stands, and what our own rules give it.
    pub all: Vec<(Range<usize>, i32)>,
}

/// Both follow from the text.
impl PartialEq for Sentences {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Sentences {}

impl Hash for Sentences {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// What the caller brought, by text; `None` where it is no good.
#[derive(Default)]
pub struct Answers {
    summaries: TextMap<Arc<Question>, Option<TextBuf>>,
    /// For each sentence the rank of its score among all scores of the text.
    ranks: TextMap<Arc<Question>, Option<Vec<i32>>>,
    /// How many of [`Answers::ranks`] were no good.
    pub bad_scores: usize,
}

/// The memory that writing summaries takes.
#[derive(Default)]
pub struct Condensing {
    excerpts: Excerpts,
    discourse: Discourse,
}

impl Engine {
    /// Brings the caller's summary of `text`. One that is empty or not shorter is as good as none.
    pub fn answer(&mut self, text: &Arc<Question>, summary: Option<TextBuf>) {
        let accepted = summary.filter(|summary| !summary.is_empty() && summary.len() < text.len());
        self.answers.summaries.insert(text.clone(), accepted);
    }

    /// Brings the caller's scores of `sentences`. Too few of them, or one that is no number, are as good as none; what is
    /// too many is ignored.
    pub fn answer_scores(&mut self, sentences: &Sentences, scores: Option<Vec<f64>>) {
        let ranks = scores
            .as_deref()
            .and_then(|scores| scores.get(..sentences.all.len()))
            .filter(|scores| !scores.iter().any(|score| score.is_nan()))
            .map(ranks);
        self.answers.bad_scores += usize::from(ranks.is_none());
        self.answers.ranks.insert(sentences.text.clone(), ranks);
    }

    /// Makes `summary` one of `prose`, of at most `budget` units unless it is the caller's. `scanned` has the masks of it,
    /// and `signs` what raises the scores of its sentences.
    pub(super) fn condense(
        &self,
        prose: Text<'_>,
        scanned: Scanned<'_>,
        signs: ScoreSignalsSlice<'_>,
        budget: usize,
        Condensing { excerpts, discourse }: &mut Condensing,
        summary: &mut TextBuf,
    ) -> Result<(), Request> {
        if let Some(answer) = self.summary_of(prose)? {
            answer.clone_into(summary);
            return Ok(());
        }
        if self.options.discourse_aware && !self.options.has_summarizer {
            discourse.write(prose, scanned, budget as f64, summary);
            return Ok(());
        }
        self.excerpt(prose, scanned, signs, budget, excerpts, summary)
    }

    /// The caller's summary of `text`; `None` where it has none that is any good.
    pub(super) fn summary_of(&self, text: Text<'_>) -> Result<Option<&TextBuf>, Request> {
        if !self.options.has_summarizer {
            return Ok(None);
        }
        let text = Question::from(text);
        match self.answers.summaries.get(&text) {
            Some(answer) => Ok(answer.as_ref()),
            None => Err(Request::Summary(Arc::new(text))),
        }
    }

    /// Makes `summary` the best sentences of `prose`, by the caller's scores or our own.
    pub(super) fn excerpt(
        &self,
        prose: Text<'_>,
        scanned: Scanned<'_>,
        signs: ScoreSignalsSlice<'_>,
        budget: usize,
        excerpts: &mut Excerpts,
        summary: &mut TextBuf,
    ) -> Result<(), Request> {
        if self.options.has_scorer {
            let text = Question::from(prose);
            let ranks = self.answers.ranks.get(&text);
            excerpts.read(scanned, signs, ranks.and_then(Option::as_deref));
            if ranks.is_none() && excerpts.sentences().next().is_some() {
                let all = excerpts.sentences().collect();
                return Err(Request::Scores(Arc::new(Sentences { text: Arc::new(text), all })));
            }
        } else {
            excerpts.read(scanned, signs, None);
        }
        excerpts.choose(prose, budget, summary);
        Ok(())
    }
}

/// The place of each score among the distinct ones, from 0 for the least. Only their order matters to a summary, and a
/// negative score would mark its sentence as filler, which scores such as the logarithm of a probability do not mean.
fn ranks(scores: &[f64]) -> Vec<i32> {
    let mut distinct = scores.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    scores.iter().map(|score| distinct.partition_point(|other| other < score) as i32).collect()
}
