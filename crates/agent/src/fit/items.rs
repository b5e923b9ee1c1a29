//! The spans of a conversation, part by part, with their costs.

use std::num::NonZeroU32;

use super::facts::{Facts, SpanFacts};
use super::indices::{FactsIndex, ItemIndex, Unit, ValuedPlace};
use super::input::{Costs, Keep};
use super::policy::policy;
use super::span::Form;
use super::superseded::Superseded;
use super::vocabulary::Vocabulary;
use palimpsest_history::transcript::{MessageIndex, PartIndex, Transcript};
use palimpsest_text::index::{IndexRange, IndexVec};
use palimpsest_tokens::Tokenizer;

/// A span of a part. A text that several parts have is one text with the same facts, and has items for each of them.
#[derive(Clone, Debug)]
pub struct Item {
    pub part: PartIndex,
    /// Its position in the text, in UTF-16 code units.
    pub range: IndexRange<Unit>,
    /// Number of its run in the text.
    pub run: u32,
    /// Content of the run.
    pub form: Form,
    /// How many items above this one its context stands.
    pub context: Option<NonZeroU32>,
    /// Whether the first and the last item of its part stay wherever it does.
    pub needs_ends: bool,
    pub tokens: f64,
    /// Its tokens as the caller counts.
    pub cost: f64,
    /// Approximate tokens of a mark beside it, as the caller counts.
    pub mark: f64,
    /// Its words that have a value, in [`Vocabulary::words`].
    pub words: IndexRange<ValuedPlace>,
    /// Factor for the values of its words.
    pub weight: f64,
    /// Whether it has to stay.
    pub required: bool,
    /// Whether it is prose that the user wrote.
    pub is_users: bool,
}

/// The items of a conversation, and the tokens of its parts.
#[derive(Debug, Default)]
pub struct Items {
    /// All items, in order.
    pub list: IndexVec<ItemIndex, Item>,
    /// The items of each part.
    pub of_part: IndexVec<PartIndex, IndexRange<ItemIndex>>,
    /// The tokens of each part.
    pub whole: IndexVec<PartIndex, f64>,
    /// Those of each part's tokens that stay as long as it does.
    pub fixed: IndexVec<PartIndex, f64>,
}

impl Items {
    /// The items of parts whose texts have the facts `of_part`, without their words. `superseded` are the parts that pruning would cut, in
    /// order.
    pub fn new(
        facts: &Facts,
        of_part: &IndexVec<PartIndex, FactsIndex>,
        costs: &Costs,
        keep: &Keep,
        superseded: &[(PartIndex, Superseded)],
    ) -> Self {
        let count = of_part.iter().map(|&text| facts.texts[text].spans.len()).sum();
        let mut items = Items {
            list: Vec::with_capacity(count).into(),
            of_part: Vec::with_capacity(of_part.len()).into(),
            whole: Vec::with_capacity(of_part.len()).into(),
            fixed: Vec::with_capacity(of_part.len()).into(),
        };
        let mut ranges = keep.ranges.iter().peekable();
        let mut superseded = superseded.iter().peekable();
        let mut again = keep.asked_again.iter().peekable();
        for (part, &text) in of_part.iter_enumerated() {
            let stale = superseded.next_if(|(stale, _)| *stale == part).map(|(_, stale)| stale);
            let factor =
                if again.next_if(|&&other| other == part).is_some() { policy().weights.asked_again } else { 1.0 };
            let text = &facts.texts[text];
            let whole = costs.parts[part] + text.tokens;
            let mut fixed = whole;
            let first = items.list.next_index();
            for span in &facts.spans[text.spans] {
                let SpanFacts { span: here, tokens, weight, is_users, .. } = span;
                let range = IndexRange::from(here.range.clone());
                while ranges.next_if(|(other, kept)| (*other, kept.end) <= (part, range.start)).is_some() {}
                let is_named = ranges.peek().is_some_and(|(other, kept)| *other == part && kept.start < range.end);
                let is_stale = stale.is_some_and(|stale| stale.takes(range.positions()));
                fixed -= tokens;
                items.list.push(Item {
                    part,
                    range,
                    run: here.run,
                    form: here.form,
                    context: here.context,
                    needs_ends: here.needs_ends,
                    tokens: *tokens,
                    cost: 0.0,
                    mark: 0.0,
                    words: IndexRange::default(),
                    weight: factor * if is_stale { weight * policy().weights.superseded } else { *weight },
                    required: is_named || (keep.user && *is_users),
                    is_users: *is_users,
                });
            }
            items.of_part.push(items.list.range_from(first));
            items.whole.push(whole);
            items.fixed.push(fixed);
        }
        items
    }

    /// Gives each item its words.
    pub fn add_words(&mut self, facts: &Facts, of_part: &IndexVec<PartIndex, FactsIndex>, vocabulary: &Vocabulary) {
        let spans = of_part.iter().flat_map(|&text| facts.texts[text].spans);
        for (item, span) in self.list.iter_mut().zip(spans) {
            item.words = vocabulary.of_span[span];
        }
    }

    /// The runs of a part.
    pub fn runs(&self, part: PartIndex) -> impl Iterator<Item = IndexRange<ItemIndex>> + '_ {
        let items = self.of_part[part];
        let runs = self.list[items].chunk_by(|item, next| item.run == next.run);
        runs.scan(items.positions().start, |end, run| {
            let start = *end;
            *end += run.len();
            Some((start..*end).into())
        })
    }

    /// Sets the costs of all items by the scales of their messages.
    pub fn scale(&mut self, transcript: &Transcript, costs: &Costs, tokenizer: Tokenizer) {
        for item in self.list.iter_mut() {
            let scale = costs.scale(transcript.parts()[item.part].message);
            (item.cost, item.mark) = (item.tokens * scale, mark_tokens(item.form, tokenizer) * scale);
        }
    }
}

/// The tokens of each message, whose parts have `whole` tokens, without a scale.
pub(super) fn message_tokens(whole: &[f64], transcript: &Transcript, costs: &Costs) -> IndexVec<MessageIndex, f64> {
    let mut tokens = costs.messages.clone();
    for (part, whole) in transcript.parts().iter().zip(whole) {
        tokens[part.message] += whole;
    }
    // Counts are whole numbers; the shares of spans may not be.
    tokens.iter_mut().for_each(|tokens| *tokens = tokens.round());
    tokens
}

/// Approximate tokens of a mark in the place of a gap.
pub(super) fn mark_tokens(form: Form, tokenizer: Tokenizer) -> f64 {
    let marks = &policy().marks;
    match (form, tokenizer) {
        (Form::Text | Form::JsonText, _) => marks.text,
        (Form::Argument, Tokenizer::Estimate) => marks.argument_estimated,
        (Form::Argument, _) => marks.argument,
        (Form::Items | Form::Members(_), Tokenizer::Estimate) => marks.json_estimated,
        (Form::Items | Form::Members(_), _) => marks.json,
    }
}
