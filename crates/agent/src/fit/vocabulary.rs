//! The words of a conversation that have a value.

use std::ops::Range;

use super::facts::Facts;
use super::uses::Uses;
use palimpsest_history::transcript::Transcript;

/// The words of spans and texts, and their values. Words without a value are left out: they never change what a span is worth.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The words of all spans and texts, by their numbers in the dictionary of the facts.
    pub words: Vec<u32>,
    /// For each span of the facts its words, in `words`.
    pub of_span: Vec<Range<u32>>,
    /// For each text of the facts that has no spans its words, in `words`.
    pub of_text: Vec<Range<u32>>,
    /// The value of each word of the dictionary.
    pub values: Vec<f64>,
    /// The sum of all values.
    pub sum: f64,
    /// The words of the conversation in order of first use.
    pub order: Vec<u32>,
}

impl Vocabulary {
    /// The words of a conversation in which the texts of parts have the facts `of_part`.
    pub fn new(facts: &Facts, transcript: &Transcript, of_part: &[u32]) -> Self {
        let mut uses = Uses::new(facts.dictionary.hashes.len());
        for (part, &text) in transcript.parts().iter().zip(of_part) {
            let text = &facts.texts[text as usize];
            let mut add = |words: &Range<u32>| {
                for &word in &facts.words[words.start as usize..words.end as usize] {
                    uses.add(word, part.message, part.role);
                }
            };
            add(&text.words);
            facts.spans[text.spans.start as usize..text.spans.end as usize].iter().for_each(|span| add(&span.words));
        }
        let (values, order) = uses.values(facts.dictionary.kinds(), transcript.message_count());
        let sum = order.iter().map(|&word| values[word as usize]).sum();
        let mut words = vec![0; facts.words.len()];
        let mut count = 0;
        let mut valued = |range: &Range<u32>| {
            let start = count;
            for &word in &facts.words[range.start as usize..range.end as usize] {
                // Without a branch, which would often be predicted wrongly.
                words[count] = word;
                count += usize::from(values[word as usize] > 0.0);
            }
            start as u32..count as u32
        };
        let of_text = facts.texts.iter().map(|text| valued(&text.words)).collect();
        let of_span = facts.spans.iter().map(|span| valued(&span.words)).collect();
        words.truncate(count);
        Vocabulary { words, of_span, of_text, values, sum, order }
    }

    /// The words at `range`.
    #[inline]
    pub fn at(&self, range: &Range<u32>) -> &[u32] {
        &self.words[range.start as usize..range.end as usize]
    }
}
