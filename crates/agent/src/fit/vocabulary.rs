//! The words of a conversation that have a value.

use super::facts::Facts;
use super::indices::{FactsIndex, SpanIndex, ValuedPlace, WordIndex, WordPlace};
use super::uses::Uses;
use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::index::{IndexRange, IndexVec};

/// The words of spans and texts, and their values. Words without a value are left out: they never change what a span is worth.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The words of all spans and texts.
    pub words: IndexVec<ValuedPlace, WordIndex>,
    /// For each span of the facts its words, in `words`.
    pub of_span: IndexVec<SpanIndex, IndexRange<ValuedPlace>>,
    /// For each text of the facts that has no spans its words, in `words`.
    pub of_text: IndexVec<FactsIndex, IndexRange<ValuedPlace>>,
    /// The value of each word of the dictionary.
    pub values: IndexVec<WordIndex, f64>,
    /// The sum of all values.
    pub sum: f64,
    /// The words of the conversation in order of first use.
    pub order: Vec<WordIndex>,
}

impl Vocabulary {
    /// The words of a conversation in which the texts of parts have the facts `of_part`.
    pub fn new(facts: &Facts, transcript: &Transcript, of_part: &IndexVec<PartIndex, FactsIndex>) -> Self {
        let mut uses = Uses::new(facts.dictionary.hashes.len());
        for (part, &text) in transcript.parts().iter().zip(of_part.iter()) {
            let text = &facts.texts[text];
            let mut add = |words: IndexRange<WordPlace>| {
                for &word in &facts.words[words] {
                    uses.add(word, part.message, part.role);
                }
            };
            add(text.words);
            facts.spans[text.spans].iter().for_each(|span| add(span.words));
        }
        let (values, order) = uses.values(facts.dictionary.kinds(), transcript.len());
        let sum = order.iter().map(|&word| values[word]).sum();
        let mut words = vec![WordIndex::default(); facts.words.len()];
        let mut count = 0;
        let mut valued = |range: IndexRange<WordPlace>| {
            let start = count;
            for &word in &facts.words[range] {
                // Without a branch, which would often be predicted wrongly.
                words[count] = word;
                count += usize::from(values[word] > 0.0);
            }
            (start..count).into()
        };
        let of_text = facts.texts.iter().map(|text| valued(text.words)).collect();
        let of_span = facts.spans.iter().map(|span| valued(span.words)).collect();
        words.truncate(count);
        Vocabulary { words: words.into(), of_span, of_text, values, sum, order }
    }
}
