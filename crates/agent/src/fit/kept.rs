//! Facts about the texts of a conversation in few bytes, to be kept until it is read again.
//!
//! Texts are told apart by their hashes and lengths, so that none is kept. Words are numbered in order of first use: frequent ones
//! have short numbers.

use std::num::NonZeroU32;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::facts::{Facts, ReadMode, SpanFacts, TextFacts};
use super::indices::{FactsIndex, WordIndex, WordPlace};
use super::packed::{Packed, Unpacking};
use super::span::{Form, Span};
use super::words::Words;
use palimpsest_history::transcript::{PartIndex, TextId, Transcript};
use palimpsest_text::Text;
use palimpsest_text::hashing::text_hash;
use palimpsest_text::index::{IndexRange, IndexVec, to_u32, to_usize};
use palimpsest_text::parallel::map_chunks;
use palimpsest_tokens::Tokenizer;

/// Facts about texts.
#[derive(Debug, Default)]
pub struct KeptFacts {
    tokenizer: Tokenizer,
    texts: Vec<KeptText>,
    /// The facts of each text, one after the other.
    packed: Packed,
    /// The distinct shapes of spans.
    shapes: Vec<Shape>,
    /// The hash of each word.
    words: IndexVec<WordIndex, u64>,
    span_count: usize,
    /// Number of the words of all spans and texts, with repetitions.
    word_count: usize,
}

/// A text whose facts are kept.
#[derive(Debug)]
struct KeptText {
    key: TextKey,
    mode: ReadMode,
    /// The byte at which its facts begin.
    start: u32,
}

/// Tells a text from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TextKey {
    hash: u64,
    length: u32,
}

/// Facts that are known before a conversation is read.
pub(super) enum FactsSource {
    /// These.
    Facts(Facts),
    /// Those that a session kept, if this tokenizer counted.
    Kept(KeptFacts, Tokenizer),
}

/// What tells the texts of a conversation from all others.
pub struct TextKeys {
    list: IndexVec<TextId, TextKey>,
}

/// What many spans have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    form: Form,
    needs_ends: bool,
    is_users: bool,
    /// The bits of the weight.
    weight: u64,
}

impl KeptFacts {
    /// Keeps the facts of the texts of a conversation, of which those of each part are named.
    pub fn of(
        facts: &Facts,
        keys: &TextKeys,
        transcript: &Transcript,
        of_part: &IndexVec<PartIndex, FactsIndex>,
    ) -> Self {
        let mut packing = Packing::new(facts);
        let mut is_packed: IndexVec<FactsIndex, bool> = vec![false; facts.texts.len()].into();
        for (part, &text) in of_part.iter_enumerated() {
            if !std::mem::replace(&mut is_packed[text], true) {
                packing.add(keys.list[transcript.text_id(part)], text);
            }
        }
        packing.kept()
    }

    /// The facts that are known of a conversation's texts.
    pub fn facts(&self, keys: &TextKeys, tokenizer: Tokenizer) -> Facts {
        let mut facts = Facts::new(tokenizer);
        if self.texts.is_empty() || self.tokenizer != tokenizer {
            return facts;
        }
        let ids: FxHashMap<TextKey, TextId> = keys.list.iter_enumerated().map(|(id, &key)| (key, id)).collect();
        facts.dictionary = Words::of(&self.words);
        // What grows is copied, to pages that the system clears first.
        facts.spans.reserve(self.span_count);
        facts.words.reserve(self.word_count);
        for KeptText { key, mode, start } in &self.texts {
            if let Some(&id) = ids.get(key) {
                let text = self.unpack(*start, &mut facts);
                facts.add(id, *mode, text);
            }
        }
        facts
    }

    /// Adds the spans and words of the text whose facts begin at `start`, and returns what is known of it.
    fn unpack(&self, start: u32, facts: &mut Facts) -> TextFacts {
        let mut packed = self.packed.at(to_usize(start));
        let tokens = packed.real();
        let words = unpack_words(&mut packed, &mut facts.words);
        let first = facts.spans.next_index();
        let (mut end, mut run) = (0, 0);
        for _ in 0..packed.number() {
            let start = end + to_usize(packed.number());
            end = start + to_usize(packed.number());
            run += packed.signed();
            let context = NonZeroU32::new(packed.number());
            let Shape { form, needs_ends, is_users, weight } = self.shapes[to_usize(packed.number())];
            facts.spans.push(SpanFacts {
                span: Span { range: start..end, run: run as u32, form, context, needs_ends },
                tokens: packed.real(),
                words: unpack_words(&mut packed, &mut facts.words),
                weight: f64::from_bits(weight),
                is_users,
            });
        }
        TextFacts { spans: facts.spans.range_from(first), tokens, words }
    }

    /// Facts of this size, about no text.
    #[cfg(test)]
    pub fn of_size(bytes: usize) -> Self {
        let mut kept = KeptFacts::default();
        (0..bytes).for_each(|_| kept.packed.number(0));
        kept
    }

    /// The memory that they take, in bytes.
    pub fn size(&self) -> usize {
        let words = self.words.as_slice();
        size_of_val(&self.texts[..]) + self.packed.len() + size_of_val(&self.shapes[..]) + size_of_val(words)
    }
}

fn unpack_words(packed: &mut Unpacking<'_>, words: &mut IndexVec<WordPlace, WordIndex>) -> IndexRange<WordPlace> {
    let start = words.next_index();
    words.extend((0..packed.number()).map(|_| WordIndex(packed.number())));
    words.range_from(start)
}

/// Facts that are being packed.
struct Packing<'f> {
    facts: &'f Facts,
    /// The mode of each text.
    modes: IndexVec<FactsIndex, ReadMode>,
    /// The new number of each word that was met.
    numbers: IndexVec<WordIndex, Option<WordIndex>>,
    shapes: FxHashMap<Shape, u32>,
    kept: KeptFacts,
}

impl<'f> Packing<'f> {
    fn new(facts: &'f Facts) -> Self {
        Packing {
            facts,
            modes: facts.modes(),
            numbers: vec![None; facts.dictionary.hashes.len()].into(),
            shapes: FxHashMap::default(),
            kept: KeptFacts { tokenizer: facts.tokenizer(), ..KeptFacts::default() },
        }
    }

    fn add(&mut self, key: TextKey, text: FactsIndex) {
        let mode = self.modes[text];
        self.kept.texts.push(KeptText { key, mode, start: to_u32(self.kept.packed.len()) });
        let TextFacts { spans, tokens, words } = self.facts.texts[text];
        self.kept.packed.real(tokens);
        self.add_words(words);
        let spans = &self.facts.spans[spans];
        self.kept.packed.number(to_u32(spans.len()));
        self.kept.span_count += spans.len();
        let (mut end, mut run) = (0, 0);
        for facts in spans {
            let Span { range, run: of_span, context, .. } = &facts.span;
            let shape = self.shape(Shape::of(facts));
            let packed = &mut self.kept.packed;
            packed.number(to_u32(range.start - end));
            packed.number(to_u32(range.len()));
            packed.signed(*of_span as i32 - run);
            packed.number(context.map_or(0, NonZeroU32::get));
            packed.number(shape);
            packed.real(facts.tokens);
            self.add_words(facts.words);
            (end, run) = (range.end, *of_span as i32);
        }
    }

    fn shape(&mut self, shape: Shape) -> u32 {
        let next = to_u32(self.kept.shapes.len());
        let number = *self.shapes.entry(shape).or_insert(next);
        if number == next {
            self.kept.shapes.push(shape);
        }
        number
    }

    fn add_words(&mut self, words: IndexRange<WordPlace>) {
        let KeptFacts { packed, words: hashes, word_count, .. } = &mut self.kept;
        *word_count += words.len();
        packed.number(to_u32(words.len()));
        for &word in &self.facts.words[words] {
            let number = *self.numbers[word].get_or_insert_with(|| hashes.push(self.facts.dictionary.hashes[word]));
            packed.number(number.0);
        }
    }

    fn kept(self) -> KeptFacts {
        let mut kept = self.kept;
        kept.texts.shrink_to_fit();
        kept.packed.shrink();
        kept.shapes.shrink_to_fit();
        kept.words.shrink_to_fit();
        kept
    }
}

impl FactsSource {
    /// The facts that are known of a conversation's texts; for a session, what tells the texts apart.
    pub(super) fn open(self, transcript: &Transcript) -> (Facts, Option<TextKeys>) {
        match self {
            FactsSource::Facts(facts) => (facts, None),
            FactsSource::Kept(kept, tokenizer) => {
                let keys = TextKeys::of(transcript);
                (kept.facts(&keys, tokenizer), Some(keys))
            }
        }
    }
}

impl TextKeys {
    /// The keys of a conversation's texts. Linear in their length, on several threads where there are many.
    pub fn of(transcript: &Transcript) -> Self {
        let text = |index: usize| transcript.text_of(index.into());
        let key = |text: Text<'_>| TextKey { hash: text_hash(text), length: to_u32(text.len()) };
        let read = |range: Range<usize>| range.map(|index| key(text(index))).collect::<Vec<_>>();
        TextKeys { list: map_chunks(transcript.text_count(), |index| text(index).len(), read).concat().into() }
    }
}

impl Shape {
    fn of(facts: &SpanFacts) -> Self {
        let Span { form, needs_ends, .. } = facts.span;
        Shape { form, needs_ends, is_users: facts.is_users, weight: facts.weight.to_bits() }
    }
}
