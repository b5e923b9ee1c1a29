//! Reading texts: their spans, the tokens of each, and the words in it. A reading of a part knows nothing of the others, so
//! that several threads can read.

use std::ops::Range;

use super::facts::Uses;
use super::prose::Speech;
use super::spans::{UNITS_PER_SPAN, spans_of};
use super::words::{Words, for_each_word};
use super::{Item, is_users};
use crate::agent::failure::error_places;
use crate::agent::rejection;
use crate::text::Text;
use crate::tokens::{Counter, Tokenizer};
use crate::transcript::{Kind, Part, Transcript};

/// A line that looks like an error is worth so much more.
const ERROR: f64 = 1.3;
/// So is the first and the last line of an output.
const ENDS: f64 = 1.2;
// About how many units of text come to a word, and to one that was not there before; with room.
const UNITS_PER_WORD: usize = 12;
const UNITS_PER_NEW_WORD: usize = 48;

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
    /// How many spans were read, parts without items among them.
    spans: u32,
}

impl Reading {
    /// Reads the parts in `range`. Those that are not `open` are not split.
    pub fn of(transcript: &Transcript, range: Range<usize>, open: &[bool], tokenizer: Tokenizer) -> Self {
        let units: usize = range.clone().map(|index| transcript.text(index).len()).sum();
        let mut reading = Reading {
            parts: Vec::with_capacity(range.len()),
            items: Vec::with_capacity(units / UNITS_PER_SPAN),
            words: Vec::with_capacity(units / UNITS_PER_WORD),
            dictionary: Words::with_capacity(units / UNITS_PER_NEW_WORD),
            uses: Uses::default(),
            spans: 0,
        };
        let mut counter = Counter::new(tokenizer);
        let (mut ends, mut counts) = (Vec::new(), Vec::new());
        for index in range {
            let text = transcript.text(index);
            let part = &transcript.parts()[index];
            let spans = if open[index] { spans_of(part.kind, part.is_value, text) } else { Vec::new() };
            ends.clear();
            ends.extend(spans.iter().flat_map(|span| [span.range.start, span.range.end]));
            ends.push(text.len());
            counts.clear();
            counter.count_up_to(text, &ends, &mut counts);
            let (first, from) = (reading.items.len(), reading.words.len());
            let users = users_words(part, text);
            let speech = Speech::new(text.slice(users.clone()));
            let is_users = |range: &Range<usize>| {
                let (start, end) = (range.start.max(users.start), range.end.min(users.end));
                start < end && speech.says(start - users.start..end - users.start)
            };
            reading.items.extend(spans.iter().zip(counts.as_chunks().0).map(|(span, &[before, up_to])| Item {
                part: index as u32,
                range: span.range.start as u32..span.range.end as u32,
                run: span.run,
                form: span.form,
                context: span.context,
                needs_ends: span.needs_ends,
                tokens: up_to - before,
                cost: 0.0,
                mark: 0.0,
                words: 0..0,
                weight: 1.0,
                required: false,
                is_users: is_users(&span.range),
            }));
            reading.say(first, text, part);
            if part.kind == Kind::Result && !spans.is_empty() {
                weigh(&mut reading.items[first..], text);
            }
            reading.parts.push(ReadPart {
                items: spans.len() as u32,
                tokens: counts[counts.len() - 1],
                words: if spans.is_empty() { (reading.words.len() - from) as u32 } else { 0 },
            });
        }
        reading
    }

    /// Adds the words of the items from `first` on, each once for an item; of a text without items those of all of it.
    fn say(&mut self, first: usize, text: Text<'_>, part: &Part) {
        let Reading { items, words, dictionary, uses, spans, .. } = self;
        let items = &mut items[first..];
        let (mut here, mut from) = (0, words.len() as u32);
        *spans += 1;
        for_each_word(text, |hash, kind, place| {
            let start = place.start as u32;
            while let Some(item) = items.get_mut(here).filter(|item| item.range.end <= start) {
                item.words = from..words.len() as u32;
                from = item.words.end;
                here += 1;
                *spans += 1;
            }
            // A word belongs to the item in which it begins.
            if items.is_empty() || items.get(here).is_some_and(|item| item.range.start <= start) {
                let word = dictionary.add(hash, kind);
                if uses.add(word, *spans, part.message, part.role) {
                    words.push(word);
                }
            }
        });
        for item in items[here..].iter_mut() {
            item.words = from..words.len() as u32;
            from = item.words.end;
        }
    }

    /// Adds what was read of the parts behind.
    pub fn append(&mut self, other: Reading) {
        let first_word = self.words.len() as u32;
        let numbers = self.dictionary.append(&other.dictionary);
        self.uses.append(&other.uses, &numbers);
        self.words.extend(other.words.iter().map(|&word| numbers[word as usize]));
        self.parts.extend(other.parts);
        self.items.extend(
            other
                .items
                .into_iter()
                .map(|item| Item { words: first_word + item.words.start..first_word + item.words.end, ..item }),
        );
    }
}

/// Where the user speaks in a part: in their own, and where they refused what a tool was to do.
fn users_words(part: &Part, text: Text<'_>) -> Range<usize> {
    match part.kind {
        Kind::Result => rejection::users_words(text).unwrap_or(0..0),
        _ if is_users(part) => 0..text.len(),
        _ => 0..0,
    }
}

/// Weighs the lines of an output.
fn weigh(items: &mut [Item], text: Text<'_>) {
    let mut errors = error_places(text.bytes()).peekable();
    let last = items.len() - 1;
    for (place, item) in items.iter_mut().enumerate() {
        while errors.next_if(|&at| at < item.range.start as usize).is_some() {}
        let is_error = errors.peek().is_some_and(|&at| at < item.range.end as usize);
        item.weight *= if is_error { ERROR } else { 1.0 };
        item.weight *= if place == 0 || place == last { ENDS } else { 1.0 };
    }
}
