//! A plan in the making: which spans are kept, which words they cover, how many tokens they cost.

use super::fit_input::FitInput;
use super::indices::{GroupIndex, ItemIndex, WordIndex};
use super::items::{Item, mark_tokens};
use super::keep_reason::KeepReason;
use super::passages::Worth;
use super::policy::policy;
use super::span::Form;
use palimpsest_history::transcript::Kind;
use palimpsest_text::index::{IndexRange, IndexVec};

/// A plan in the making.
#[derive(Clone)]
pub struct State<'f> {
    /// The conversation.
    pub input: &'f FitInput,
    /// For each item, whether it stays.
    pub kept: IndexVec<ItemIndex, bool>,
    /// For each group, why it stays.
    pub reasons: IndexVec<GroupIndex, KeepReason>,
    /// How often each word is covered, up to 2.
    covered: IndexVec<WordIndex, u8>,
    /// Gain of covering each word once more.
    pub gains: IndexVec<WordIndex, f64>,
    /// Approximate tokens of all that stays.
    pub tokens: f64,
    /// What passages get within the limit.
    pub passages: Worth,
}

impl<'f> State<'f> {
    /// An empty plan: nothing stays.
    pub fn new(input: &'f FitInput) -> Self {
        State {
            input,
            kept: vec![false; input.items.list.len()].into(),
            reasons: vec![KeepReason::Dropped; input.groups.list.len()].into(),
            covered: vec![0; input.vocabulary.values.len()].into(),
            gains: input.vocabulary.values.clone(),
            tokens: input.costs.request,
            passages: Worth::ALL,
        }
    }

    /// Whether the same stays as in another plan for this conversation.
    pub fn keeps_as(&self, other: &Self) -> bool {
        self.kept == other.kept && self.reasons == other.reasons
    }

    /// Whether nothing that is kept covers a word.
    pub fn is_uncovered(&self, word: WordIndex) -> bool {
        self.covered[word] == 0
    }

    /// Value that keeping an item adds.
    pub fn gain(&self, item: ItemIndex) -> f64 {
        let weights = &self.input.weights;
        let beside = weights.asked[item] + self.passages.value * weights.passages[item];
        let item = &self.input.items.list[item];
        let words = &self.input.vocabulary.words[item.words];
        let value: f64 = words.iter().map(|&word| self.gains[word]).sum();
        item.weight * value + beside + policy().weights.least_gain * item.tokens
    }

    /// Value that keeping an item adds for each token.
    pub fn density(&self, item: ItemIndex) -> f64 {
        self.density_at(item, self.cost(item))
    }

    /// The same for an item whose [`State::cost`] is known.
    pub fn density_at(&self, item: ItemIndex, cost: f64) -> f64 {
        self.gain(item) / cost.max(1.0)
    }

    /// Tokens that keeping an item costs, with the context it needs and the marks that come or go.
    pub fn cost(&self, item: ItemIndex) -> f64 {
        let here = &self.input.items.list[item];
        let is_gap = |next: ItemIndex| self.is_beside(item, next) && !self.kept[next];
        let gaps = i32::from(item.before().is_some_and(is_gap)) + i32::from(is_gap(item.next())) - 1;
        // Quotes cost as much as the blanks around their lines.
        let mut cost = if here.form == Form::Argument { 0.0 } else { f64::from(gaps) * here.mark };
        if !here.needs_ends {
            // Outside of logs there is one chain.
            let mut next = self.open_item(item);
            while let Some(item) = next {
                cost += self.input.items.list[item].cost;
                next = self.above(item);
            }
            return cost;
        }
        // The next item of each chain, the last one first: chains that meet go on as one.
        let mut chains = self.chains(item);
        while let Some(next) = chains.into_iter().flatten().max() {
            cost += self.input.items.list[next].cost;
            chains.iter_mut().filter(|chain| **chain == Some(next)).for_each(|chain| *chain = self.above(next));
        }
        cost
    }

    /// First items of the chains of contexts that stay with `item`: itself and, in a log, the last and the first.
    fn chains(&self, item: ItemIndex) -> [Option<ItemIndex>; 3] {
        let here = &self.input.items.list[item];
        if !here.needs_ends {
            return [self.open_item(item), None, None];
        }
        let ends = self.input.items.of_part[here.part];
        [Some(item), ends.end.before(), Some(ends.start)].map(|item| self.open_item(item?))
    }

    /// An item, unless it is kept.
    fn open_item(&self, item: ItemIndex) -> Option<ItemIndex> {
        (!self.kept[item]).then_some(item)
    }

    /// Context of an item, unless it is kept, together with all that it needs.
    fn above(&self, item: ItemIndex) -> Option<ItemIndex> {
        self.open_item(ItemIndex(item.0 - self.input.items.list[item].context?.get()))
    }

    /// Whether `next` is in the run of `item`.
    pub fn is_beside(&self, item: ItemIndex, next: ItemIndex) -> bool {
        let (here, next) = (&self.input.items.list[item], self.input.items.list.get(next));
        next.is_some_and(|next| next.part == here.part && next.run == here.run)
    }

    /// Keeps an item and the context it needs.
    pub fn keep(&mut self, item: ItemIndex) {
        if self.kept[item] {
            return;
        }
        self.tokens += self.cost(item);
        let input = self.input;
        for chain in self.chains(item) {
            // A chain before this one may have kept it.
            let mut next = chain.filter(|&item| !self.kept[item]);
            while let Some(item) = next {
                let here = &input.items.list[item];
                self.kept[item] = true;
                if input.relevance.covers(here.part) {
                    self.cover(&input.vocabulary.words[here.words]);
                }
                next = self.above(item);
            }
        }
    }

    /// Keeps those of some items that fit, in this order.
    pub fn keep_fitting(&mut self, items: &[ItemIndex], limit: f64) {
        for &item in items {
            if !self.kept[item] && self.tokens + self.cost(item) <= limit {
                self.keep(item);
            }
        }
    }

    fn cover(&mut self, words: &[WordIndex]) {
        for &word in words {
            let covered = &mut self.covered[word];
            *covered = (*covered + 1).min(2);
            let value = self.input.vocabulary.values[word];
            self.gains[word] = if *covered == 1 { policy().weights.repeated * value } else { 0.0 };
        }
    }

    /// Tokens that keeping all of a group costs.
    pub fn whole_cost(&self, group: GroupIndex) -> f64 {
        let open = if self.is_open(group) { 0.0 } else { self.input.base_cost(group) };
        let items = self.input.items_of(group).filter(|&item| !self.kept[item]);
        open + items.map(|item| self.input.items.list[item].cost).sum::<f64>()
    }

    /// Keeps a group, and of its content what can't go as long as it stays.
    pub fn open(&mut self, group: GroupIndex, reason: KeepReason) {
        if self.is_open(group) {
            return;
        }
        self.reasons[group] = reason;
        self.tokens += self.input.base_cost(group);
        let input = self.input;
        for part in input.groups.parts(group, &input.transcript).filter(|&part| input.relevance.covers(part)) {
            self.cover(input.words_of(part));
        }
    }

    /// Whether a group stays.
    pub fn is_open(&self, group: GroupIndex) -> bool {
        self.reasons[group] != KeepReason::Dropped
    }

    /// Value of all that stays: that of its words, each by the highest weight of a span that says it, that of spans for the query, and that of
    /// passages whatever the limit.
    pub fn value(&self) -> f64 {
        let FitInput { vocabulary, items, weights, .. } = self.input;
        let mut highest: IndexVec<WordIndex, f64> = vec![0.0; vocabulary.values.len()].into();
        let mut count = |words: &[WordIndex], weight: f64| {
            for &word in words {
                highest[word] = highest[word].max(weight);
            }
        };
        for part in self.input.texts.indices() {
            if self.is_open(self.input.group_of(part)) {
                count(self.input.words_of(part), 1.0);
            }
        }
        let kept = || self.kept.iter_enumerated().filter(|(_, kept)| **kept).map(|(item, _)| item);
        kept().for_each(|item| count(&vocabulary.words[items.list[item].words], items.list[item].weight));
        let beside = kept().map(|item| weights.asked[item] + weights.passages[item]).sum::<f64>();
        // In an order that does not depend on how the words are numbered.
        let of_word = |&word: &WordIndex| highest[word] * vocabulary.values[word];
        beside + vocabulary.order.iter().map(of_word).sum::<f64>()
    }

    /// Keeps what costs about as much as the mark in its place.
    pub fn close_gaps(&mut self) {
        self.close_arguments();
        for (part, &items) in self.input.items.of_part.iter_enumerated() {
            if self.is_open(self.input.group_of(part)) {
                self.close_gaps_in(items);
            }
        }
    }

    /// Keeps all of the long texts in arguments of which so much is kept that a mark would save little.
    fn close_arguments(&mut self) {
        let input = self.input;
        let mark = mark_tokens(Form::Argument, input.tokenizer());
        let calls = input.transcript.parts().iter_enumerated().filter(|(_, part)| part.kind == Kind::Call);
        for (part, _) in calls {
            if !self.is_open(input.group_of(part)) {
                continue;
            }
            for run in input.items.runs(part) {
                let (mut kept, mut gone) = (0.0, 0.0);
                for item in run {
                    let here = &input.items.list[item];
                    match self.kept[item] {
                        false => gone += here.tokens,
                        // At the smallest budget, nothing stays beside what has to.
                        true => kept += if here.required { 0.0 } else { here.tokens },
                    }
                }
                if gone <= mark + policy().marks.quoted * kept {
                    run.iter().for_each(|item| self.keep(item));
                }
            }
        }
    }

    /// Keeps runs of items of a part that stays, where they cost no more than the mark in their place.
    fn close_gaps_in(&mut self, items: IndexRange<ItemIndex>) {
        let mut start = items.start;
        while start < items.end {
            let mut end = start.next();
            let Item { form, .. } = self.input.items.list[start];
            if self.kept[start] || form == Form::Argument {
                start = end;
                continue;
            }
            while self.is_beside(start, end) && !self.kept[end] {
                end = end.next();
            }
            let gap = IndexRange { start, end };
            let tokens: f64 = self.input.items.list[gap].iter().map(|item| item.tokens).sum();
            if tokens <= mark_tokens(form, self.input.tokenizer()) {
                gap.iter().for_each(|item| self.keep(item));
            }
            start = end;
        }
    }
}
