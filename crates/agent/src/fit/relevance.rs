//! The query, taken from the current exchange or given, and the relevance of each span to it.
//!
//! A word of the query weighs more the fewer messages say it. It counts for the span that says it, less for the spans beside it, because
//! answers seldom repeat the words of a question, and for its whole message, by BM25 (Robertson and Zaragoza 2009).

use std::ops::Range;

use super::facts::is_users;
use super::groups::open_calls;
use super::indices::{ItemIndex, Unit};
use super::items::{Item, Items};
use super::question::Question;
use crate::failure::error_places;
use palimpsest_history::transcript::{Kind, MessageIndex, PartIndex, Role, Transcript};
use palimpsest_text::bm25::{idf, score};
use palimpsest_text::index::{IndexVec, to_u32};
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::questions::asks;
use palimpsest_text::{Text, TextBuf};

/// Source of the query.
#[derive(Clone, Debug, Default)]
pub enum Query {
    /// The current exchange.
    #[default]
    Current,
    /// These texts.
    Texts(Vec<TextBuf>),
    /// No query.
    None,
}

/// Maximum value of a relevant span for each of its tokens, as a multiple of the conversation's average.
const MAX_SCALE: f64 = 100.0;
/// Length that is read of a text, in UTF-16 code units.
const MAX_READ: usize = 4000;
/// Maximum number of words from the current exchange.
const MAX_TERMS: usize = 64;
/// Maximum number of words of a query that is given.
const MAX_QUERY_TERMS: usize = 256;
/// Number of words up to which a question counts in full: longer ones mostly state something.
const BRIEF: f64 = 24.0;
/// Strength of a text that is not recognised as a question ([`asks`]), which may ask but rarely does.
const STATEMENT: f64 = 0.01;
/// Strength of a last message of [`NAMED_BRIEF`] words that is no question but has a number, or a name with one in it, that at most
/// [`NAMED_IN`] messages say.
const NAMED: f64 = 0.06;
const NAMED_BRIEF: f64 = 7.0;
const NAMED_IN: u32 = 2;
/// Strength of a call that waits for its result, and of a result that says what failed.
const LOOP: f64 = 0.03;
/// Number of messages of the model and its tools after which a question has half of its strength, because they are about it.
const HALF_AFTER: f64 = 1.0;
/// Minimum strength for which the words of a query are looked up.
const MIN_ASKED: f64 = 0.01;
/// Minimum strength that changes anything, once the words were found.
const MIN_STRENGTH: f64 = 0.003;
/// Strength from which the words of the query itself do not count as covered.
const UNSAID: f64 = 0.2;
/// Share of the query that the best span has to cover for the query to count at all, and to count in full, in words that one message
/// says each; of more frequent words it takes more.
const SPECIFIC: Range<f64> = 0.9..3.5;
/// Exponent of a span's share of the best score.
const SHARPNESS: i32 = 6;

// Distance from a span to the next, and what its tokens and the border of a part add.
const STEP: f64 = 1.0;
const TOKENS_PER_STEP: f64 = 20.0;
const BORDER: f64 = 2.0;
/// Maximum distance over which a word counts.
const MAX_DISTANCE: f64 = 6.0;
/// Weight of the message's BM25 score in the scores of its spans.
const MESSAGE: f64 = 0.3;

/// A query and its strength.
#[derive(Debug, Default)]
pub struct Asked {
    question: Question,
    /// From 0 to 1.
    strength: f64,
    /// The strength if the query names something that few messages say.
    strength_if_named: f64,
    /// The parts that the query was taken from.
    parts: Vec<PartIndex>,
}

/// A place at which a part says a word of the query.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    term: u16,
    part: PartIndex,
    at: Unit,
}

/// Relevance of spans to a query.
#[derive(Debug, Default)]
pub struct Relevance {
    /// For each item from 0 to 1; empty where no query counts.
    pub scores: IndexVec<ItemIndex, f64>,
    /// For each part, whether its words do not count as covered; empty where all do.
    pub unsaid: IndexVec<PartIndex, bool>,
}

/// An occurrence of a word of the query.
#[derive(Clone, Copy, Debug)]
struct Hit {
    message: MessageIndex,
    /// None in a text that stays whole.
    item: Option<ItemIndex>,
}

impl Asked {
    /// Finds what a conversation asks.
    pub fn new(transcript: &Transcript, query: &Query) -> Self {
        let mut asked = Asked::default();
        let is_words = |part: PartIndex| is_users(&transcript.parts()[part]);
        let last = transcript.parts().indices().rev().find(|&part| is_words(part));
        let message = last.map(|part| transcript.parts()[part].message);
        let own = |part: &PartIndex| is_words(*part) && Some(transcript.parts()[*part].message) == message;
        asked.parts = transcript.parts().indices().filter(own).collect();
        match query {
            Query::None => return Asked::default(),
            Query::Texts(texts) => {
                texts.iter().for_each(|text| asked.question.add(text.as_text().prefix(MAX_READ), 1.0, MAX_QUERY_TERMS));
                asked.strength = 1.0;
            }
            Query::Current => asked.ask(transcript, message),
        }
        asked.question.prepare();
        asked
    }

    /// Looks for the words of the query in all parts but those it was taken from. Linear in the length of their texts.
    pub fn find(&self, transcript: &Transcript) -> Vec<Found> {
        if self.strength.max(self.strength_if_named) < MIN_ASKED || self.question.weights().len() == 0 {
            return Vec::new();
        }
        let mut asks: IndexVec<PartIndex, bool> = vec![false; transcript.parts().len()].into();
        self.parts.iter().for_each(|&part| asks[part] = true);
        let find = |range: Range<usize>| {
            let mut found = Vec::new();
            for part in range.map(PartIndex::from) {
                // The query is no answer, and instructions stay anyway.
                if transcript.parts()[part].role != Role::System && !asks[part] {
                    let text = transcript.text(part);
                    self.question.find(text, |term, at| found.push(Found { term, part, at: at.into() }));
                }
            }
            found
        };
        map_chunks(transcript.parts().len(), |part| transcript.text(part).len(), find).concat()
    }

    /// Takes the query from the user's last words and from what came since.
    fn ask(&mut self, transcript: &Transcript, message: Option<MessageIndex>) {
        let texts = || self.parts.iter().map(|&part| transcript.text(part));
        let mut question = Question::default();
        texts().for_each(|text| question.add(text.prefix(MAX_READ), 1.0, MAX_TERMS));
        if let Some(message) = message {
            let since = (transcript.len() - 1 - message.index()) as f64;
            let words = (question.weights().len() as f64).max(1.0);
            let full = (BRIEF / words).min(1.0).powi(3) / (1.0 + since / HALF_AFTER);
            let is_question = texts().any(asks);
            self.strength = if is_question { full } else { STATEMENT * full };
            if !is_question && since == 0.0 {
                self.strength_if_named = NAMED * (NAMED_BRIEF / words).min(1.0).powi(3);
            }
        }
        // The last step of the model, with the answers of its tools.
        let parts = transcript.parts();
        let step = parts.iter().rev().find(|part| part.role == Role::Assistant).map(|part| part.message);
        let Some(step) = step.filter(|&step| message.is_none_or(|message| step > message)) else {
            self.question = question;
            return;
        };
        let is_open = open_calls(transcript);
        for (index, part) in parts.iter_enumerated().skip_while(|(_, part)| part.message < step) {
            let text = transcript.text(index);
            let text = match part.kind {
                Kind::Text if part.role == Role::Assistant => Some(text),
                Kind::Call if is_open[index] => Some(text),
                Kind::Result => error_line(text),
                _ => None,
            };
            if let Some(text) = text {
                question.add(text.prefix(MAX_READ), 1.0, MAX_TERMS);
                // The error message itself is no answer.
                if part.kind == Kind::Result {
                    self.parts.push(index);
                }
                // The model's own words ask for nothing by themselves.
                if part.kind != Kind::Text {
                    self.strength = self.strength.max(LOOP);
                }
            }
        }
        self.question = question;
    }
}

/// The first line of a result that names a failure.
fn error_line(text: Text<'_>) -> Option<Text<'_>> {
    let at = error_places(text.bytes()).next()?;
    let start = memchr::memrchr(b'\n', &text.bytes()[..at]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text.bytes()[at..]).map_or(text.len(), |end| at + end);
    Some(text.slice(start..end))
}

impl Relevance {
    /// Relevance to a query whose words were `found` in a conversation whose messages have `lengths` tokens.
    pub fn new(
        transcript: &Transcript,
        items: &Items,
        lengths: &IndexVec<MessageIndex, f64>,
        asked: &Asked,
        found: &[Found],
    ) -> Self {
        if found.is_empty() {
            return Relevance::default();
        }
        let messages = to_u32(transcript.len());
        let all = idf(messages, 0);
        let mut scores: IndexVec<ItemIndex, f64> = vec![0.0; items.list.len()].into();
        let mut of_messages: IndexVec<MessageIndex, f64> = vec![0.0; transcript.len()].into();
        let mean = (lengths.iter().sum::<f64>() / f64::from(messages)).max(1.0);
        let places = places(&items.list);
        let mut names = false;
        for (term, (hits, weight)) in
            hits(transcript, items, asked, found).iter().zip(asked.question.weights()).enumerate()
        {
            let by_message = || hits.chunk_by(|a, b| a.message == b.message);
            let saying = to_u32(by_message().count());
            names |= (1..=NAMED_IN).contains(&saying) && asked.question.is_name(term);
            let weight = weight * idf(messages, saying);
            for hits in by_message() {
                let message = hits[0].message;
                of_messages[message] += score(weight, hits.len() as f64, lengths[message], mean);
            }
            spread(hits, weight, &places, &mut scores);
        }
        for (score, item) in scores.iter_mut().zip(items.list.iter()) {
            *score += MESSAGE * of_messages[transcript.parts()[item.part].message];
        }
        let best = scores.iter().copied().fold(0.0, f64::max);
        let specific = (best / all - SPECIFIC.start) / (SPECIFIC.end - SPECIFIC.start);
        let most = if names { asked.strength.max(asked.strength_if_named) } else { asked.strength };
        let strength = most * specific.clamp(0.0, 1.0);
        if strength < MIN_STRENGTH {
            return Relevance::default();
        }
        scores.iter_mut().for_each(|score| *score = strength * (*score / best).powi(SHARPNESS));
        let mut unsaid = IndexVec::default();
        if strength >= UNSAID {
            unsaid = vec![false; items.of_part.len()].into();
            asked.parts.iter().for_each(|&part| unsaid[part] = true);
        }
        Relevance { scores, unsaid }
    }

    /// The value of each item for the query, beside that of its words, in a conversation whose words have the value `sum` together.
    pub fn values(&self, items: &[Item], sum: f64) -> IndexVec<ItemIndex, f64> {
        if self.scores.is_empty() {
            return vec![0.0; items.len()].into();
        }
        let tokens: f64 = items.iter().map(|item| item.cost).sum();
        let scale = MAX_SCALE * sum / tokens.max(1.0);
        items.iter().zip(self.scores.iter()).map(|(item, score)| scale * score * item.cost).collect()
    }

    /// Whether the words of a part count as covered when it stays.
    pub fn covers(&self, part: PartIndex) -> bool {
        !self.unsaid.get(part).copied().unwrap_or(false)
    }
}

/// The occurrences of each word of the query.
fn hits(transcript: &Transcript, items: &Items, asked: &Asked, found: &[Found]) -> Vec<Vec<Hit>> {
    let mut of_terms = vec![Vec::new(); asked.question.weights().len()];
    for of_part in found.chunk_by(|a, b| a.part == b.part) {
        let part = of_part[0].part;
        let message = transcript.parts()[part].message;
        let mut items_here = items.of_part[part].iter().peekable();
        for &Found { term, at, .. } in of_part {
            while items_here.next_if(|&item| items.list[item].range.end <= at).is_some() {}
            let item = items_here.peek().copied().filter(|&item| items.list[item].range.start <= at);
            of_terms[usize::from(term)].push(Hit { message, item });
        }
    }
    of_terms
}

/// Start and end of each item on a scale of distances.
fn places(items: &[Item]) -> Vec<Range<f64>> {
    let mut at = 0.0;
    let mut part = None;
    let place = |item: &Item| {
        at += STEP + if part.replace(item.part) == Some(item.part) { 0.0 } else { BORDER };
        let start = at;
        at += item.tokens / TOKENS_PER_STEP;
        start..at
    };
    items.iter().map(place).collect()
}

/// Adds the weight of a word to the items that say it and, by distance, to those around them: to each from the nearest.
fn spread(hits: &[Hit], weight: f64, places: &[Range<f64>], scores: &mut [f64]) {
    let mut items = hits.iter().filter_map(|hit| hit.item).map(ItemIndex::index).peekable();
    let mut before = None;
    while let Some(here) = items.next() {
        while items.next_if_eq(&here).is_some() {}
        scores[here] += weight;
        for item in (before.map_or(0, |before| before + 1)..here).rev() {
            let distance = places[here].start - places[item].end;
            let is_nearer = before.is_none_or(|before: usize| distance < places[item].start - places[before].end);
            if distance > MAX_DISTANCE || !is_nearer {
                break;
            }
            scores[item] += weight / (1.0 + distance);
        }
        let next = items.peek().copied();
        for item in here + 1..next.unwrap_or(scores.len()) {
            let distance = places[item].start - places[here].end;
            let is_nearer = next.is_none_or(|next| distance <= places[next].start - places[item].end);
            if distance > MAX_DISTANCE || !is_nearer {
                break;
            }
            scores[item] += weight / (1.0 + distance);
        }
        before = Some(here);
    }
}
