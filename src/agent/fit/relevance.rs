//! What the current exchange asks for, and how much each span has to do with it.
//!
//! A word of the question that few messages say tells most. It counts for the span that says it and, less, for what stands
//! beside it, for the answer is seldom in the words of the question; and for all of its message, as BM25 has it.

use std::ops::Range;

use super::Fit;
use super::question::Question;
use super::units::open_calls;
use crate::agent::failure::error_places;
use crate::parallel::map_chunks;
use crate::text::{Text, TextBuf};
use crate::transcript::{Kind, Role, Transcript};

/// Where the question comes from.
#[derive(Clone, Debug, Default)]
pub enum Query {
    /// From the current exchange.
    #[default]
    Current,
    /// These texts ask.
    Texts(Vec<TextBuf>),
    /// Nothing is asked.
    None,
}

/// What is asked for brings at most so many times as much for its tokens as the conversation does on the average.
const SCALE: f64 = 100.0;
/// Of a text so many units are read, and of the words in it so many count.
const READ: usize = 4000;
const TERMS: usize = 64;
/// The same for all texts of a query that is given.
const QUERY_TERMS: usize = 256;
/// A question of more words is less of one: most of them say something.
const BRIEF: f64 = 24.0;
/// What has no question mark may ask as well, but rarely does.
const STATEMENT: f64 = 0.01;
/// But if it is the last message, and brief, and has a number or a name with one in it that no more messages than these say, it asks so much.
const NAMED: f64 = 0.06;
const NAMED_BRIEF: f64 = 7.0;
const NAMED_IN: u32 = 2;
/// So does a call that waits for its result, and a result that says what failed.
const LOOP: f64 = 0.03;
/// `?` in Latin, Chinese and Japanese, Arabic, Greek, Ethiopic and Armenian writing.
const QUESTION_MARKS: [u16; 6] = [0x3F, 0xFF1F, 0x61F, 0x37E, 0x1367, 0x55E];
/// After so many messages of the model and its tools a question asks half as much, for they are about it.
const HALF_LIFE: f64 = 1.0;
/// What asks less is not looked for.
const LEAST_ASKING: f64 = 0.01;
/// What was found to be asked less changes nothing.
const LEAST: f64 = 0.003;
/// The words of what asks so much do not count as said.
const UNSAID: f64 = 0.2;
/// The best span has to say more words of the question than the first, and so many as the second for the question to count in full,
/// if each stood in one message; of words that more messages say it takes more.
const SPECIFIC: Range<f64> = 0.9..3.5;
/// Score of a span as a share of the best one's, to this power.
const SHARPNESS: i32 = 6;

/// Distance from a span to the next; and what tokens, and the border of a part, add to it.
const STEP: f64 = 1.0;
const TOKENS_PER_STEP: f64 = 20.0;
const BORDER: f64 = 2.0;
/// Nothing spreads further.
const REACH: f64 = 6.0;
/// Weight of the message, by BM25, in the score of its spans.
const MESSAGE: f64 = 0.3;
// The usual parameters of BM25.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// A question, and how much it asks.
#[derive(Debug, Default)]
pub struct Asking {
    question: Question,
    /// From 0 to 1.
    strength: f64,
    /// The same if it names something that few messages say.
    strength_if_named: f64,
    /// The parts that ask.
    parts: Vec<u32>,
}

/// What was found to be asked for.
#[derive(Debug, Default)]
pub struct Relevance {
    /// For each item from 0 to 1; none where nothing is asked for.
    pub scores: Vec<f64>,
    /// For each part whether its words do not count as said; none where all do.
    pub unsaid: Vec<bool>,
}

/// A word of the question in a text.
#[derive(Clone, Copy, Debug)]
struct Hit {
    term: u16,
    message: u32,
    /// [`NO_ITEM`] in what stays whole.
    item: u32,
}

const NO_ITEM: u32 = u32::MAX;

impl Asking {
    /// What asks in a conversation.
    pub fn new(transcript: &Transcript, query: &Query) -> Self {
        let mut asking = Asking::default();
        let is_words = |part: usize| {
            let part = &transcript.parts()[part];
            part.role == Role::User && part.kind == Kind::Text
        };
        let last = (0..transcript.parts().len()).rev().find(|&part| is_words(part));
        let message = last.map(|part| transcript.parts()[part].message);
        let own = |part: &usize| is_words(*part) && Some(transcript.parts()[*part].message) == message;
        asking.parts = (0..transcript.parts().len()).filter(own).map(|part| part as u32).collect();
        match query {
            Query::None => return Asking::default(),
            Query::Texts(texts) => {
                texts.iter().for_each(|text| asking.question.add(text.as_text().prefix(READ), 1.0, QUERY_TERMS));
                asking.strength = 1.0;
            }
            Query::Current => asking.ask(transcript, message),
        }
        asking.question.prepare();
        asking
    }

    /// The user's last words ask, and what came since.
    fn ask(&mut self, transcript: &Transcript, message: Option<u32>) {
        let texts = || self.parts.iter().map(|&part| transcript.text(part as usize));
        let mut question = Question::default();
        texts().for_each(|text| question.add(text.prefix(READ), 1.0, TERMS));
        if let Some(message) = message {
            let since = f64::from(transcript.message_count() - 1 - message);
            let words = (question.weights().len() as f64).max(1.0);
            let full = (BRIEF / words).min(1.0).powi(3) / (1.0 + since / HALF_LIFE);
            let has_mark = texts().any(has_question_mark);
            self.strength = if has_mark { full } else { STATEMENT * full };
            if !has_mark && since == 0.0 {
                self.strength_if_named = NAMED * (NAMED_BRIEF / words).min(1.0).powi(3);
            }
        }
        // The last step of the model, with what its tools answered.
        let parts = transcript.parts();
        let step = parts.iter().rev().find(|part| part.role == Role::Assistant).map(|part| part.message);
        let Some(step) = step.filter(|&step| message.is_none_or(|message| step > message)) else {
            self.question = question;
            return;
        };
        let is_open = open_calls(transcript);
        for (index, part) in parts.iter().enumerate().skip_while(|(_, part)| part.message < step) {
            let text = transcript.text(index);
            let text = match part.kind {
                Kind::Text if part.role == Role::Assistant => Some(text),
                Kind::Call if is_open[index] => Some(text),
                Kind::Result => error_line(text),
                _ => None,
            };
            if let Some(text) = text {
                question.add(text.prefix(READ), 1.0, TERMS);
                // What says the error itself is no answer.
                if part.kind == Kind::Result {
                    self.parts.push(index as u32);
                }
                // What it said asks for nothing by itself.
                if part.kind != Kind::Text {
                    self.strength = self.strength.max(LOOP);
                }
            }
        }
        self.question = question;
    }
}

fn has_question_mark(text: Text<'_>) -> bool {
    match text.units() {
        None => memchr::memchr(b'?', text.bytes()).is_some(),
        Some(units) => units.iter().any(|unit| QUESTION_MARKS.contains(unit)),
    }
}

/// The first line of a result that says what failed.
fn error_line(text: Text<'_>) -> Option<Text<'_>> {
    let at = error_places(text.bytes()).next()?;
    let start = memchr::memrchr(b'\n', &text.bytes()[..at]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text.bytes()[at..]).map_or(text.len(), |end| at + end);
    Some(text.slice(start..end))
}

impl Relevance {
    /// Looks for what is asked for in a conversation that was read.
    pub fn new(fit: &Fit, asking: &Asking) -> Self {
        let count = asking.question.weights().len();
        if asking.strength.max(asking.strength_if_named) < LEAST_ASKING || count == 0 {
            return Relevance::default();
        }
        let messages = fit.transcript.message_count();
        let all = rarity(messages, 0);
        let mut scores = vec![0.0; fit.items.len()];
        let mut of_messages = vec![0.0; messages as usize];
        let lengths = fit.tokens_of_messages();
        let mean = (lengths.iter().sum::<f64>() / f64::from(messages)).max(1.0);
        let places = places(fit);
        let mut names = false;
        for (term, (hits, weight)) in hits(fit, asking).iter().zip(asking.question.weights()).enumerate() {
            let by_message = || hits.chunk_by(|a, b| a.message == b.message);
            let saying = by_message().count() as u32;
            names |= (1..=NAMED_IN).contains(&saying) && asking.question.is_name(term);
            let weight = weight * rarity(messages, saying);
            for hits in by_message() {
                let message = hits[0].message as usize;
                let times = hits.len() as f64;
                let length = SATURATION * (1.0 - LENGTH + LENGTH * lengths[message] / mean);
                of_messages[message] += weight * times * (1.0 + SATURATION) / (times + length);
            }
            spread(hits, weight, &places, &mut scores);
        }
        let message_of = |item: usize| fit.transcript.parts()[fit.items[item].part as usize].message as usize;
        for (item, score) in scores.iter_mut().enumerate() {
            *score += MESSAGE * of_messages[message_of(item)];
        }
        let best = scores.iter().copied().fold(0.0, f64::max);
        let specific = (best / all - SPECIFIC.start) / (SPECIFIC.end - SPECIFIC.start);
        let asks = if names { asking.strength.max(asking.strength_if_named) } else { asking.strength };
        let strength = asks * specific.clamp(0.0, 1.0);
        if strength < LEAST {
            return Relevance::default();
        }
        scores.iter_mut().for_each(|score| *score = strength * (*score / best).powi(SHARPNESS));
        let mut unsaid = Vec::new();
        if strength >= UNSAID {
            unsaid = vec![false; fit.of_part.len()];
            asking.parts.iter().for_each(|&part| unsaid[part as usize] = true);
        }
        Relevance { scores, unsaid }
    }

    /// What each item brings for what is asked, beside the words in it; `worth` is that of all words.
    pub fn worths(&self, fit: &Fit, worth: f64) -> Vec<f64> {
        if self.scores.is_empty() {
            return vec![0.0; fit.items.len()];
        }
        let tokens: f64 = fit.items.iter().map(|item| item.cost).sum();
        let scale = SCALE * worth / tokens.max(1.0);
        fit.items.iter().zip(&self.scores).map(|(item, score)| scale * score * item.cost).collect()
    }

    /// Whether the words of a part count as said when it stays.
    pub fn is_said(&self, part: usize) -> bool {
        !self.unsaid.get(part).copied().unwrap_or(false)
    }
}

/// Where the words of the question stand, by word.
fn hits(fit: &Fit, asking: &Asking) -> Vec<Vec<Hit>> {
    let transcript = &fit.transcript;
    let mut asks = vec![false; transcript.parts().len()];
    asking.parts.iter().for_each(|&part| asks[part as usize] = true);
    let find = |range: Range<usize>| {
        let mut hits = Vec::new();
        for index in range {
            let part = &transcript.parts()[index];
            // The question is no answer, and instructions stay anyway.
            if part.role == Role::System || asks[index] {
                continue;
            }
            let items = &fit.of_part[index];
            let mut here = items.start;
            asking.question.find(transcript.text(index), |term, at| {
                while here < items.end && fit.items[here as usize].range.end as usize <= at {
                    here += 1;
                }
                let is_in = here < items.end && fit.items[here as usize].range.start as usize <= at;
                hits.push(Hit { term, message: part.message, item: if is_in { here } else { NO_ITEM } });
            });
        }
        hits
    };
    let units = |part: usize| transcript.text(part).len();
    let mut of_terms = vec![Vec::new(); asking.question.weights().len()];
    for hit in map_chunks(transcript.parts().len(), units, find).into_iter().flatten() {
        of_terms[usize::from(hit.term)].push(hit);
    }
    of_terms
}

/// How much a word tells that so many of all messages say: about the binary logarithm of what BM25 has, on every platform
/// the same.
fn rarity(messages: u32, saying: u32) -> f64 {
    let (all, saying) = (f64::from(messages), f64::from(saying));
    let ratio = 1.0 + (all - saying + 0.5) / (saying + 0.5);
    let bits = ratio.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0;
    let fraction = f64::from_bits(bits & !(0xFFF << 52) | 1023 << 52) - 1.0;
    exponent + fraction + 0.344 * fraction * (1.0 - fraction)
}

/// Where each item begins and ends, on a scale of distances.
fn places(fit: &Fit) -> Vec<Range<f64>> {
    let mut at = 0.0;
    let mut part = None;
    let place = |item: &super::Item| {
        at += STEP + if part.replace(item.part) == Some(item.part) { 0.0 } else { BORDER };
        let start = at;
        at += item.tokens / TOKENS_PER_STEP;
        start..at
    };
    fit.items.iter().map(place).collect()
}

/// Adds the weight of a word to the items that say it, and less of it to those around them: to each from the nearest.
fn spread(hits: &[Hit], weight: f64, places: &[Range<f64>], scores: &mut [f64]) {
    let mut items = hits.iter().map(|hit| hit.item as usize).filter(|&item| item != NO_ITEM as usize).peekable();
    let mut before = None;
    while let Some(here) = items.next() {
        while items.next_if_eq(&here).is_some() {}
        scores[here] += weight;
        for item in (before.map_or(0, |before| before + 1)..here).rev() {
            let distance = places[here].start - places[item].end;
            let is_nearer = before.is_none_or(|before: usize| distance < places[item].start - places[before].end);
            if distance > REACH || !is_nearer {
                break;
            }
            scores[item] += weight / (1.0 + distance);
        }
        let next = items.peek().copied();
        for item in here + 1..next.unwrap_or(scores.len()) {
            let distance = places[item].start - places[here].end;
            let is_nearer = next.is_none_or(|next| distance <= places[next].start - places[item].end);
            if distance > REACH || !is_nearer {
                break;
            }
            scores[item] += weight / (1.0 + distance);
        }
        before = Some(here);
    }
}
