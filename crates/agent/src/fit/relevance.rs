//! The query, taken from the current exchange or given, and the relevance of each span to it, as [`recall`](palimpsest_text::ranking) ranks them.

use std::ops::Range;

use super::facts::is_users;
use super::groups::open_calls;
use super::indices::{ItemIndex, Unit};
use super::items::{Item, Items};
use super::policy::policy;
use super::question::Question;
use crate::shorten::is_head;
use palimpsest_history::transcript::{Kind, MessageIndex, PartIndex, Role, Transcript};
use palimpsest_text::bm25::idf;
use palimpsest_text::index::{IndexVec, to_u32};
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::questions::asks;
use palimpsest_text::ranking::{Ranked, Scores, passage_around};
use palimpsest_text::{Text, TextBuf};
use palimpsest_world::outcome::words::error_places;

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

/// Length that is read of a text, in UTF-16 code units.
const MAX_READ: usize = 4000;
/// Maximum number of words from the current exchange.
const MAX_TERMS: usize = 64;
/// Maximum number of words of a query that is given.
const MAX_QUERY_TERMS: usize = 256;
/// Number of the best spans around which passages count.
const MAX_PASSAGES: usize = 256;

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
                texts.iter().for_each(|text| asked.question.add(text.as_text().prefix(MAX_READ), MAX_QUERY_TERMS));
                asked.strength = 1.0;
            }
            Query::Current => asked.ask(transcript, message),
        }
        asked.question.prepare();
        asked
    }

    /// Looks for the words of the query in all parts but those it was taken from. Linear in the length of their texts.
    pub fn find(&self, transcript: &Transcript) -> Vec<Found> {
        if self.strength.max(self.strength_if_named) < policy().query.least_asked || self.question.weights().len() == 0
        {
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
        let policy = &policy().query;
        let texts = || self.parts.iter().map(|&part| transcript.text(part));
        let mut question = Question::default();
        texts().for_each(|text| question.add(text.prefix(MAX_READ), MAX_TERMS));
        if let Some(message) = message {
            let since = (transcript.len() - 1 - message.index()) as f64;
            let words = (question.weights().len() as f64).max(1.0);
            let full = (policy.brief / words).min(1.0).powi(3) / (1.0 + since / policy.quarter_after).powi(2);
            let is_question = texts().any(asks);
            self.strength = if is_question { full } else { policy.statement * full };
            if !is_question && since == 0.0 {
                self.strength_if_named = policy.named * (policy.named_brief / words).min(1.0).powi(3);
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
                question.add(text.prefix(MAX_READ), MAX_TERMS);
                // The model's own words ask for nothing by themselves.
                if part.kind != Kind::Text {
                    self.parts.push(index);
                    self.strength = self.strength.max(policy.step);
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

/// A conversation as it is ranked: its units are its items, and each text that stays whole is one.
struct Units<'a> {
    transcript: &'a Transcript,
    list: Vec<(PartIndex, Option<ItemIndex>)>,
    /// For each part the first of its units.
    first: IndexVec<PartIndex, u32>,
}

impl<'a> Units<'a> {
    fn new(transcript: &'a Transcript, items: &Items) -> Self {
        let mut list = Vec::with_capacity(items.list.len() + transcript.parts().len());
        let first = transcript.parts().indices().map(|part| {
            let first = to_u32(list.len());
            let of_part = items.of_part[part];
            if of_part.is_empty() {
                list.push((part, None));
            }
            list.extend(of_part.iter().map(|item| (part, Some(item))));
            first
        });
        let first = first.collect();
        Units { transcript, list, first }
    }

    /// The units that say each word of a query, in order. What stands between items counts for the next one. The head of a table answers nothing, and
    /// stays with its rows.
    fn saying(&self, items: &Items, terms: usize, found: &[Found]) -> Vec<Vec<u32>> {
        let mut saying = vec![Vec::new(); terms];
        for of_part in found.chunk_by(|a, b| a.part == b.part) {
            let part = of_part[0].part;
            let items = &items.list[items.of_part[part]];
            let text = self.transcript.text(part);
            let mut place = 0;
            for &Found { term, at, .. } in of_part {
                while place + 1 < items.len() && items[place].range.end <= at {
                    place += 1;
                }
                if items.get(place).is_none_or(|item| !is_head(text.slice(item.range.positions()))) {
                    saying[usize::from(term)].push(self.first[part] + to_u32(place));
                }
            }
        }
        saying.iter_mut().for_each(Vec::dedup);
        saying
    }

    /// Around each of the best units, the units of its passage score nearly as it does.
    fn spread_passages(&self, items: &Items, scores: &mut [f32]) {
        let best = best_of(scores);
        let of_units = scores.to_vec();
        let length = |units: Range<u32>| {
            let item = |unit: u32| self.list[unit as usize].1.map(|item| items.list[item].range);
            match (item(units.start), item(units.end - 1)) {
                (Some(first), Some(last)) => last.end.index() - first.start.index(),
                _ => usize::MAX,
            }
        };
        for unit in best {
            let part = self.list[unit as usize].0;
            let units = self.first[part]..self.first[part] + to_u32(items.of_part[part].len());
            let score_of = |unit: u32| Some(of_units[unit as usize]);
            for near in passage_around(unit..unit + 1, units, score_of, length) {
                scores[near as usize] = scores[near as usize].max(policy().query.around * of_units[unit as usize]);
            }
        }
    }
}

impl Ranked for Units<'_> {
    fn units(&self) -> usize {
        self.list.len()
    }

    fn parts(&self) -> usize {
        self.first.len()
    }

    fn part_of(&self, unit: u32) -> usize {
        self.list[unit as usize].0.index()
    }

    fn length_of(&self, part: usize) -> f64 {
        self.transcript.text(PartIndex::from(part)).len() as f64
    }

    fn call_of(&self, part: usize) -> Option<usize> {
        self.transcript.parts()[PartIndex::from(part)].call.map(PartIndex::index)
    }
}

/// The units with the best scores.
fn best_of(scores: &[f32]) -> Vec<u32> {
    let mut best: Vec<u32> = (0..to_u32(scores.len())).filter(|&unit| scores[unit as usize] > 0.0).collect();
    let order = |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
    if best.len() > MAX_PASSAGES {
        best.select_nth_unstable_by(MAX_PASSAGES, order);
        best.truncate(MAX_PASSAGES);
    }
    best
}

impl Relevance {
    /// Relevance to a query whose words were `found`.
    pub fn new(transcript: &Transcript, items: &Items, asked: &Asked, found: &[Found]) -> Self {
        if found.is_empty() {
            return Relevance::default();
        }
        let policy = &policy().query;
        let units = Units::new(transcript, items);
        let saying = units.saying(items, asked.question.weights().len(), found);
        let terms = saying.iter().map(Vec::as_slice).zip(asked.question.weights());
        let Scores { mut of_units, whole } = Scores::new(&units, terms);
        let best = of_units.iter().copied().fold(0.0, f32::max);
        let rarity = f64::from(best * whole) / idf(to_u32(of_units.len()), 0);
        let specific = (rarity - policy.specific_from) / policy.specific_over;
        let names = (0..).zip(&saying).any(|(term, saying)| asked.question.is_name(term) && !saying.is_empty());
        let named = if names { asked.strength_if_named } else { 0.0 };
        let strength = named.max(asked.strength * specific.clamp(0.0, 1.0));
        if strength < policy.least_strength {
            return Relevance::default();
        }
        units.spread_passages(items, &mut of_units);
        let of_items = units.list.iter().zip(&of_units).filter(|((_, item), _)| item.is_some());
        let scores = of_items.map(|(_, &score)| strength * f64::from(score / best).powi(policy.sharpness)).collect();
        let mut unsaid = IndexVec::default();
        if strength >= policy.unsaid {
            unsaid = vec![false; items.of_part.len()].into();
            let is_call = |part: PartIndex| transcript.parts()[part].kind == Kind::Call;
            asked.parts.iter().filter(|&&part| !is_call(part)).for_each(|&part| unsaid[part] = true);
        }
        Relevance { scores, unsaid }
    }

    /// The value of each item for the query, beside that of its words, in a conversation whose words have the value `sum` together.
    pub fn values(&self, items: &[Item], sum: f64) -> IndexVec<ItemIndex, f64> {
        if self.scores.is_empty() {
            return vec![0.0; items.len()].into();
        }
        let tokens: f64 = items.iter().map(|item| item.cost).sum();
        let scale = policy().query.scale * sum / tokens.max(1.0);
        items.iter().zip(self.scores.iter()).map(|(item, score)| scale * score * item.cost).collect()
    }

    /// Whether the words of a part count as covered when it stays.
    pub fn covers(&self, part: PartIndex) -> bool {
        !self.unsaid.get(part).copied().unwrap_or(false)
    }
}
