//! Reading texts: their spans, the tokens of each, and the words in it. A reading of a part knows nothing of the others, so
//! that several threads can read.

use std::ops::Range;

use super::facts::Uses;
use super::prose::is_prose;
use super::spans::spans_of;
use super::words::{Words, hashes_of};
use super::{Item, is_users};
use crate::agent::failure::error_places;
use crate::agent::transcript::{Kind, Transcript};
use crate::tokens::{Counter, Tokenizer};

/// A line that looks like an error is worth so much more.
const ERROR: f64 = 1.3;
/// So is the first and the last line of an output.
const ENDS: f64 = 1.2;
// About how many units of text come to a word, to one that was not there before, and to a span; with room.
const UNITS_PER_WORD: usize = 12;
const UNITS_PER_NEW_WORD: usize = 48;
const UNITS_PER_ITEM: usize = 40;

/// A part, as it is read.
#[derive(Clone, Debug)]
pub struct ReadPart {
    /// How many of the reading's items are its.
    pub items: u32,
    /// The tokens of all of its text.
    pub tokens: f64,
    /// How many of the reading's words are its, where it has no items.
    pub words: u32,
}

/// Some parts, read one after the other.
#[derive(Debug, Default)]
pub struct Reading {
    /// The parts.
    pub parts: Vec<ReadPart>,
    /// The items of all parts; what they name is counted from the start of this reading.
    pub items: Vec<Item>,
    /// The words of all items, and of parts without items: numbers in the dictionary.
    pub words: Vec<u32>,
    /// The words that are said.
    pub dictionary: Words,
    /// Where they are.
    pub uses: Uses,
}

impl Reading {
    /// Reads the parts in `range`. Those that are not `open` are not split.
    pub fn of(transcript: &Transcript, range: Range<usize>, open: &[bool], tokenizer: Tokenizer) -> Self {
        let units: usize = range.clone().map(|index| transcript.text(index).len()).sum();
        let mut reading = Reading {
            parts: Vec::with_capacity(range.len()),
            items: Vec::with_capacity(units / UNITS_PER_ITEM),
            words: Vec::with_capacity(units / UNITS_PER_WORD),
            dictionary: Words::with_capacity(units / UNITS_PER_NEW_WORD),
            uses: Uses::default(),
        };
        let mut counter = Counter::new(tokenizer);
        let (mut ends, mut counts, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        for index in range {
            let text = transcript.text(index);
            let part = &transcript.parts()[index];
            let spans = if open[index] { spans_of(part.kind, text) } else { Vec::new() };
            ends.clear();
            ends.extend(spans.iter().flat_map(|span| [span.range.start, span.range.end]));
            ends.push(text.len());
            counts.clear();
            counter.count_up_to(text, &ends, &mut counts);
            let from = reading.words.len();
            if spans.is_empty() {
                hashes_of(text, &mut hashes);
                reading.say(&hashes);
            }
            let words = (reading.words.len() - from) as u32;
            reading.parts.push(ReadPart { items: spans.len() as u32, tokens: counts[counts.len() - 1], words });
            let is_users = is_users(part);
            let is_result = part.kind == Kind::Result && !spans.is_empty();
            let mut errors = is_result.then(|| error_places(text.bytes())).into_iter().flatten().peekable();
            let (first, count) = (reading.items.len() as u32, spans.len());
            for (place, span) in spans.into_iter().enumerate() {
                let mut weight = 1.0;
                if is_result {
                    while errors.next_if(|&at| at < span.range.start).is_some() {}
                    weight *= if errors.peek().is_some_and(|&at| at < span.range.end) { ERROR } else { 1.0 };
                    weight *= if place == 0 || place + 1 == count { ENDS } else { 1.0 };
                }
                let start = reading.words.len() as u32;
                let content = text.slice(span.range.clone());
                hashes_of(content, &mut hashes);
                reading.say(&hashes);
                reading.items.push(Item {
                    part: index as u32,
                    range: span.range.start as u32..span.range.end as u32,
                    run: span.run,
                    form: span.form,
                    context: span.context.map(|context| first + context as u32),
                    tokens: counts[2 * place + 1] - counts[2 * place],
                    cost: 0.0,
                    mark: 0.0,
                    words: start..reading.words.len() as u32,
                    weight,
                    required: false,
                    is_users: is_users && is_prose(content),
                });
            }
            reading.uses.add(&reading.words[from..], part.message, part.role);
        }
        reading
    }

    fn say(&mut self, hashes: &[u64]) {
        self.words.extend(hashes.iter().map(|&hash| self.dictionary.add(hash)));
    }

    /// Adds what was read of the parts behind.
    pub fn append(&mut self, other: Reading) {
        let (first_item, first_word) = (self.items.len() as u32, self.words.len() as u32);
        let numbers: Vec<u32> = other.dictionary.hashes.iter().map(|&hash| self.dictionary.add(hash)).collect();
        self.uses.append(&other.uses, &numbers);
        self.words.extend(other.words.iter().map(|&word| numbers[word as usize]));
        self.parts.extend(other.parts);
        self.items.extend(other.items.into_iter().map(|item| Item {
            context: item.context.map(|context| first_item + context),
            words: first_word + item.words.start..first_word + item.words.end,
            ..item
        }));
    }
}
