//! Facts about texts: their spans, tokens and words. They depend on one text and the mode of reading it, and on nothing else in the
//! conversation, so that each text is read once however often it occurs and however the conversation grows, and on several threads.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::indices::{FactsIndex, SpanIndex, WordIndex, WordPlace};
use super::obligations::injected;
use super::policy::policy;
use super::prose::Speech;
use super::span::Span;
use super::spans::UNITS_PER_SPAN;
use super::split::spans_of;
use super::words::{Words, for_each_word};
use palimpsest_history::transcript::{Kind, Part, PartIndex, Role, TextId, Transcript};
use palimpsest_text::Text;
use palimpsest_text::index::{IndexRange, IndexVec};
use palimpsest_text::parallel::share;
use palimpsest_tokens::{Counter, Tokenizer};
use palimpsest_world::outcome::rejection;
use palimpsest_world::outcome::words::error_places;

// Approximate numbers of UTF-16 code units for each word and for each distinct word, low ones, for reserving memory.
const UNITS_PER_WORD: usize = 12;
const UNITS_PER_NEW_WORD: usize = 48;

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadMode {
    /// As a whole: nothing of it can go.
    Whole,
    /// As spans of a part.
    Spans {
        /// Type of the part.
        kind: Kind,
        /// Whether the text is the JSON of a value.
        is_value: bool,
        /// Whether the user wrote it.
        is_users: bool,
    },
}

impl ReadMode {
    /// The mode for a part that can be cut, or can't.
    pub fn of(part: &Part, can_be_cut: bool) -> Self {
        if !can_be_cut {
            return ReadMode::Whole;
        }
        ReadMode::Spans { kind: part.kind, is_value: part.is_value, is_users: is_users(part) }
    }
}

/// Whether a part holds the user's own words.
pub(super) fn is_users(part: &Part) -> bool {
    part.role == Role::User && part.kind == Kind::Text
}

/// Facts about a text.
#[derive(Clone, Debug, Default)]
pub struct TextFacts {
    /// Its spans, in [`Facts::spans`].
    pub spans: IndexRange<SpanIndex>,
    pub tokens: f64,
    /// Its words where it has no spans, in [`Facts::words`].
    pub words: IndexRange<WordPlace>,
}

/// Facts about a span.
#[derive(Clone, Debug)]
pub struct SpanFacts {
    pub span: Span,
    pub tokens: f64,
    /// Its words, each once, in [`Facts::words`].
    pub words: IndexRange<WordPlace>,
    /// Factor for the value of its words.
    pub weight: f64,
    /// Whether it is prose that the user wrote.
    pub is_users: bool,
}

/// Facts about texts, each read once for each mode in which it was asked for.
#[derive(Debug, Default)]
pub struct Facts {
    tokenizer: Tokenizer,
    /// Index of a text in `texts`.
    known: FxHashMap<(TextId, ReadMode), FactsIndex>,
    /// All texts that were read.
    pub texts: IndexVec<FactsIndex, TextFacts>,
    /// The spans of all texts.
    pub spans: IndexVec<SpanIndex, SpanFacts>,
    /// The words of all spans, and of texts without spans: numbers in the dictionary.
    pub words: IndexVec<WordPlace, WordIndex>,
    /// The distinct words.
    pub dictionary: Words,
}

impl Facts {
    /// No facts yet; tokens are those of `tokenizer`.
    pub fn new(tokenizer: Tokenizer) -> Self {
        Facts { tokenizer, ..Facts::default() }
    }

    /// The tokenizer that counted.
    pub fn tokenizer(&self) -> Tokenizer {
        self.tokenizer
    }

    /// Adds what was known before of a text, whose spans and words were added.
    pub fn add(&mut self, id: TextId, mode: ReadMode, text: TextFacts) {
        self.known.insert((id, mode), self.texts.push(text));
    }

    /// The mode in which each text was read.
    pub fn modes(&self) -> IndexVec<FactsIndex, ReadMode> {
        let mut modes: IndexVec<_, _> = vec![ReadMode::Whole; self.texts.len()].into();
        self.known.iter().for_each(|(&(_, mode), &text)| modes[text] = mode);
        modes
    }

    /// Reads those texts of `transcript` that were not yet read in the mode of their part, on several threads where there are many.
    /// Returns for each part its text. Linear in the length of the texts that are new.
    pub fn extend(&mut self, transcript: &Transcript, modes: &[ReadMode]) -> IndexVec<PartIndex, FactsIndex> {
        let mut missing: Vec<(TextId, ReadMode)> = Vec::new();
        let known_count = self.texts.len();
        let of_part = modes.iter().enumerate().map(|(part, &mode)| {
            let key = (transcript.text_id(part), mode);
            let next = FactsIndex::from(known_count + missing.len());
            let index = *self.known.entry(key).or_insert(next);
            if index == next {
                missing.push(key);
            }
            index
        });
        let of_part = of_part.collect();
        let units = |index: usize| transcript.text_of(missing[index].0).len();
        let read = |taken: &mut dyn Iterator<Item = usize>| Reading::of(transcript, &missing, taken, self.tokenizer);
        let readings = share(missing.len(), units, read);
        self.texts.resize(known_count + missing.len(), TextFacts::default());
        readings.into_iter().for_each(|reading| self.append(known_count, reading));
        of_part
    }

    /// Adds what was read of some texts, whose places are counted from `first` on.
    fn append(&mut self, first: usize, reading: Reading) {
        let Reading { texts, spans, words, dictionary, .. } = reading;
        let (by_spans, by_words) = (self.spans.next_index(), self.words.next_index());
        for (place, text) in texts {
            let (spans, words) = (text.spans.shifted(by_spans), text.words.shifted(by_words));
            self.texts[FactsIndex::from(first + place)] = TextFacts { spans, words, ..text };
        }
        if self.spans.is_empty() && self.words.is_empty() {
            (self.spans, self.words, self.dictionary) = (spans, words, dictionary);
            return;
        }
        let numbers = self.dictionary.append(&dictionary);
        self.words.extend(words.iter().map(|&word| numbers[word]));
        let spans = spans.into_iter();
        self.spans.extend(spans.map(|span| SpanFacts { words: span.words.shifted(by_words), ..span }));
    }
}

/// Some texts, read one after the other; like [`Facts`], of these texts alone.
#[derive(Debug, Default)]
struct Reading {
    /// Each with its place in the list of all.
    texts: Vec<(usize, TextFacts)>,
    spans: IndexVec<SpanIndex, SpanFacts>,
    words: IndexVec<WordPlace, WordIndex>,
    dictionary: Words,
    /// For each word the last span that says it, counted from 1 over all texts.
    last_spans: IndexVec<WordIndex, u32>,
    /// Number of spans so far, in which a text without spans counts as one.
    span_count: u32,
}

impl Reading {
    /// Reads those texts of a list whose places are `taken`.
    fn of(
        transcript: &Transcript,
        list: &[(TextId, ReadMode)],
        taken: &mut dyn Iterator<Item = usize>,
        tokenizer: Tokenizer,
    ) -> Self {
        // Memory for all of them: what is not used is never touched, and what outgrows its memory is copied.
        let units: usize = list.iter().map(|(id, _)| transcript.text_of(*id).len()).sum();
        let mut reading = Reading {
            texts: Vec::with_capacity(list.len()),
            spans: Vec::with_capacity(units / UNITS_PER_SPAN).into(),
            words: Vec::with_capacity(units / UNITS_PER_WORD).into(),
            dictionary: Words::with_capacity(units / UNITS_PER_NEW_WORD),
            ..Reading::default()
        };
        let mut counter = Counter::new(tokenizer);
        let (mut ends, mut counts) = (Vec::new(), Vec::new());
        for place in taken {
            let (id, mode) = list[place];
            let text = transcript.text_of(id);
            let spans = match mode {
                ReadMode::Whole => Vec::new(),
                ReadMode::Spans { kind, is_value, .. } => spans_of(kind, is_value, text),
            };
            ends.clear();
            ends.extend(spans.iter().flat_map(|span| [span.range.start, span.range.end]));
            ends.push(text.len());
            counts.clear();
            counter.count_up_to(text, &ends, &mut counts);
            let facts = reading.add(text, mode, spans, &counts);
            reading.texts.push((place, facts));
        }
        reading
    }

    /// Adds the spans and words of a text; `counts` are the tokens up to the start and the end of each, and those of all of it.
    fn add(&mut self, text: Text<'_>, mode: ReadMode, spans: Vec<Span>, counts: &[f64]) -> TextFacts {
        let (first, from) = (self.spans.next_index(), self.words.next_index());
        let users = users_words(mode, text);
        let speech = Speech::new(text, &users);
        let is_users = |range: &Range<usize>| {
            let within = |users: &Range<usize>| range.start.max(users.start)..range.end.min(users.end);
            // There may be as many ranges as spans.
            let first = users.partition_point(|users| users.end <= range.start);
            let near = users[first..].iter().take_while(|users| users.start < range.end);
            near.map(within).any(|range| speech.says(range))
        };
        self.spans.extend(spans.into_iter().zip(counts.as_chunks().0).map(|(span, &[before, up_to])| SpanFacts {
            tokens: up_to - before,
            words: IndexRange::default(),
            weight: 1.0,
            is_users: is_users(&span.range),
            span,
        }));
        self.read_words(first, text);
        let spans = self.spans.range_from(first);
        if !spans.is_empty() && matches!(mode, ReadMode::Spans { kind: Kind::Result, .. }) {
            weigh(&mut self.spans[spans], text);
        }
        TextFacts {
            spans,
            tokens: counts[counts.len() - 1],
            words: if spans.is_empty() { self.words.range_from(from) } else { IndexRange::default() },
        }
    }

    /// Adds the words of the spans from `first` on, each once for a span; those of all of a text without spans.
    fn read_words(&mut self, first: SpanIndex, text: Text<'_>) {
        let Reading { spans, words, dictionary, last_spans, .. } = self;
        let range = spans.range_from(first);
        let spans = &mut spans[range];
        let (mut here, mut from) = (0, words.next_index());
        let mut number = self.span_count + 1;
        for_each_word(text, |hash, kind, place| {
            let start = place.start;
            while let Some(span) = spans.get_mut(here).filter(|span| span.span.range.end <= start) {
                span.words = words.range_from(from);
                from = span.words.end;
                here += 1;
                number += 1;
            }
            // A word belongs to the span in which it begins.
            if spans.is_empty() || spans.get(here).is_some_and(|span| span.span.range.start <= start) {
                let word = dictionary.add(hash, kind);
                let is_new = match last_spans.get_mut(word) {
                    Some(last) => std::mem::replace(last, number) != number,
                    // A new word has the next number.
                    None => {
                        last_spans.push(number);
                        true
                    }
                };
                if is_new {
                    words.push(word);
                }
            }
        });
        self.span_count = number;
        for span in spans[here..].iter_mut() {
            span.words = words.range_from(from);
            from = span.words.end;
        }
    }
}

/// Positions of the user's words in a text: all of the user's own beside what a program put there, or the answer that a result passes on.
fn users_words(mode: ReadMode, text: Text<'_>) -> Vec<Range<usize>> {
    match mode {
        ReadMode::Spans { kind: Kind::Result, .. } => rejection::users_words(text).into_iter().collect(),
        ReadMode::Spans { is_users: true, .. } => {
            let mut start = 0;
            let end = std::iter::once(text.len()..text.len());
            let injected = injected(text).into_iter().map(|injected| injected.range).chain(end);
            let between = injected.map(|range| std::mem::replace(&mut start, range.end)..range.start);
            between.filter(|range| !range.is_empty()).collect()
        }
        _ => Vec::new(),
    }
}

/// Weighs the lines of an output.
fn weigh(spans: &mut [SpanFacts], text: Text<'_>) {
    let mut errors = error_places(text.bytes()).peekable();
    let last = spans.len() - 1;
    for (place, span) in spans.iter_mut().enumerate() {
        let Range { start, end } = span.span.range;
        while errors.next_if(|&at| at < start).is_some() {}
        let is_error = errors.peek().is_some_and(|&at| at < end);
        span.weight *= if is_error { policy().weights.error } else { 1.0 };
        span.weight *= if place == 0 || place == last { policy().weights.ends } else { 1.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::Texts;
    use palimpsest_text::random::below;

    /// Tokens and words of a text or span, the words by their hashes: their numbers follow from who read what.
    type Said = (Range<usize>, f64, Vec<u64>);

    /// What is known of a text, and of its spans.
    fn known(facts: &Facts, text: FactsIndex) -> Vec<Said> {
        let TextFacts { spans, tokens, words } = facts.texts[text];
        let said = |words: IndexRange<WordPlace>| {
            facts.words[words].iter().map(|&word| facts.dictionary.hashes[word]).collect::<Vec<_>>()
        };
        let span = |span: &SpanFacts| (span.span.range.clone(), span.tokens, said(span.words));
        std::iter::once((0..0, tokens, said(words))).chain(facts.spans[spans].iter().map(span)).collect()
    }

    #[test]
    fn what_is_known_of_a_text_does_not_follow_from_who_read_it() {
        let mut below = below();
        let (mut parts, mut texts) = (Vec::new(), Texts::default());
        for message in 0..20 {
            let word = |_| ["parseUrl ", "orders\n", "src/a.ts ", "queue. ", "404\n"][below(5)];
            let text: String = (0..5 * message).map(word).collect();
            parts.push(Part::new(message, Role::Assistant, Kind::Text));
            texts.push_units(&text.encode_utf16().collect::<Vec<_>>());
        }
        let transcript = Transcript::new(20, Vec::new(), parts, texts);
        let modes: Vec<ReadMode> =
            transcript.parts().iter().map(|part| ReadMode::of(part, part.message.0 % 3 > 0)).collect();
        let mut expected = Facts::new(Tokenizer::O200kBase);
        let of_part = expected.extend(&transcript, &modes);
        assert!(of_part.iter().copied().eq((0..20).map(FactsIndex)) && expected.spans.len() > 20);
        let list: Vec<(TextId, ReadMode)> = (0..20).map(|part| (transcript.text_id(part), modes[part])).collect();
        for _ in 0..20 {
            let reader: Vec<usize> = (0..20).map(|_| below(3)).collect();
            let mut facts = Facts { texts: vec![TextFacts::default(); 20].into(), ..Facts::default() };
            for one in 0..3 {
                let mut taken = (0..20).filter(|&place| reader[place] == one);
                facts.append(0, Reading::of(&transcript, &list, &mut taken, Tokenizer::O200kBase));
            }
            assert!((0..20).map(FactsIndex).all(|text| known(&facts, text) == known(&expected, text)));
        }
    }
}
