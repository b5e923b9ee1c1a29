//! Reading texts: their spans, the tokens of each, and the words in it. A reading of a part knows nothing of the others, so
//! that several threads can read.

use std::ops::Range;

use super::is_users;
use super::prose::is_prose;
use super::spans::{Form, spans_of};
use super::words::hashes_of;
use crate::agent::failure::error_places;
use crate::agent::transcript::{Kind, Transcript};
use crate::tokens::{Counter, Tokenizer};

/// A line that looks like an error is worth so much more.
const ERROR: f64 = 1.3;
/// So is the first and the last line of an output.
const ENDS: f64 = 1.2;

/// A span of a part, as it is read.
#[derive(Clone, Debug)]
pub struct ReadSpan {
    /// Where it stands, in UTF-16 code units.
    pub range: Range<u32>,
    /// Spans of a run follow each other without anything between them.
    pub run: u32,
    /// What the run is made of.
    pub form: Form,
    /// The span of the part without which this one is hard to understand.
    pub context: Option<u32>,
    /// Its tokens.
    pub tokens: f64,
    /// What the worth of its words is multiplied with.
    pub weight: f64,
    /// Whether it is prose that the user wrote; what is pasted is not.
    pub is_users: bool,
    /// How many of the reading's words are its.
    pub words: u32,
}

/// A part, as it is read.
#[derive(Clone, Debug)]
pub struct ReadPart {
    /// How many of the reading's spans are its.
    pub spans: u32,
    /// The tokens of all of its text.
    pub tokens: f64,
    /// How many of the reading's words are its, where it has no spans.
    pub words: u32,
}

/// Some parts, read one after the other.
#[derive(Debug, Default)]
pub struct Reading {
    /// The parts.
    pub parts: Vec<ReadPart>,
    /// The spans of all parts.
    pub spans: Vec<ReadSpan>,
    /// The words of all spans, and of parts without spans: see [`hashes_of`].
    pub words: Vec<u64>,
}

impl Reading {
    /// Reads the parts in `range`. Those that are not `open` are not split.
    pub fn of(transcript: &Transcript, range: Range<usize>, open: &[bool], tokenizer: Tokenizer) -> Self {
        let mut reading = Reading::default();
        let mut counter = Counter::new(tokenizer);
        let (mut ends, mut counts) = (Vec::new(), Vec::new());
        for index in range {
            let text = transcript.text(index);
            let kind = transcript.parts()[index].kind;
            let spans = if open[index] { spans_of(kind, text) } else { Vec::new() };
            ends.clear();
            ends.extend(spans.iter().flat_map(|span| [span.range.start, span.range.end]));
            ends.push(text.len());
            counts.clear();
            counter.count_up_to(text, &ends, &mut counts);
            let words = if spans.is_empty() { hashes_of(text, &mut reading.words) } else { 0 };
            let part = ReadPart { spans: spans.len() as u32, tokens: counts[counts.len() - 1], words };
            let is_users = is_users(&transcript.parts()[index]);
            let is_result = kind == Kind::Result && !spans.is_empty();
            let mut errors = is_result.then(|| error_places(text.bytes())).into_iter().flatten().peekable();
            let count = spans.len();
            for (place, span) in spans.into_iter().enumerate() {
                let mut weight = 1.0;
                if is_result {
                    while errors.next_if(|&at| at < span.range.start).is_some() {}
                    weight *= if errors.peek().is_some_and(|&at| at < span.range.end) { ERROR } else { 1.0 };
                    weight *= if place == 0 || place + 1 == count { ENDS } else { 1.0 };
                }
                let content = text.slice(span.range.clone());
                reading.spans.push(ReadSpan {
                    words: hashes_of(content, &mut reading.words),
                    is_users: is_users && is_prose(content),
                    range: span.range.start as u32..span.range.end as u32,
                    run: span.run,
                    form: span.form,
                    context: span.context.map(|context| context as u32),
                    tokens: counts[2 * place + 1] - counts[2 * place],
                    weight,
                });
            }
            reading.parts.push(part);
        }
        reading
    }
}
