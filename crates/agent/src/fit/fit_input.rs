//! All that is known of a conversation before anything is chosen.

use rustc_hash::FxHashMap;

use super::facts::{Facts, ReadMode};
use super::first_lines::{FirstLine, first_lines};
use super::groups::{Groups, open_calls};
use super::indices::{FactsIndex, GroupIndex, ItemIndex, WordIndex};
use super::input::{Costs, Keep};
use super::items::{Items, message_tokens};
use super::kept::{FactsSource, KeptFacts};
use super::obligations::Obligations;
use super::passages::Passages;
use super::relevance::{Asked, Query, Relevance};
use super::required::Required;
use super::superseded::Superseded;
use super::vocabulary::Vocabulary;
use super::weights::Weights;
use crate::prune;
use palimpsest_history::transcript::{Kind, MessageIndex, PartIndex, Transcript};
use palimpsest_text::index::IndexVec;
use palimpsest_text::parallel::join;
use palimpsest_tokens::Tokenizer;
use palimpsest_world::ReadOptions;
use palimpsest_world::operation::Operations;

/// A conversation with its facts, values and costs. No choice changes it.
#[derive(Debug, Default)]
pub struct FitInput {
    /// The conversation.
    pub transcript: Transcript,
    /// Facts about its texts.
    pub facts: Facts,
    /// For each part its text in the facts.
    pub texts: IndexVec<PartIndex, FactsIndex>,
    /// Its message groups.
    pub groups: Groups,
    /// Groups that the caller wants to keep.
    pub required: Required,
    /// Its spans, and the tokens of its parts.
    pub items: Items,
    /// Its words and their values.
    pub vocabulary: Vocabulary,
    /// Descriptions of superseded parts, for the marks in their place.
    pub superseded: FxHashMap<PartIndex, String>,
    /// For results that show lines of a file without numbers, the first one.
    pub first_lines: FxHashMap<PartIndex, FirstLine>,
    /// Relevance of its spans to the query.
    pub relevance: Relevance,
    /// Its passages.
    pub passages: Passages,
    /// What has to be in a request.
    pub obligations: Obligations,
    /// Its costs beside the texts.
    pub costs: Costs,
    /// Values and costs of spans and groups.
    pub weights: Weights,
}

/// For each part the mode in which its text is read: as spans where some of it may go.
pub(super) fn modes(transcript: &Transcript, groups: &Groups, required: &Required) -> Vec<ReadMode> {
    let parts = transcript.parts().iter().zip(open_calls(transcript));
    let mode = parts.map(|(part, is_waiting)| {
        let is_text =
            matches!(part.kind, Kind::Text | Kind::Result) || (part.kind == Kind::Call && !required.arguments);
        // The arguments of a call that waits for its result are in use.
        let group = groups.of_message[part.message];
        let may_go = !part.locked && !is_waiting && !required.whole[group] && !groups.list[group].is_system;
        ReadMode::of(part, is_text && may_go)
    });
    mode.collect()
}

impl FitInput {
    /// Reads a conversation, as far as its texts aren't among `facts`. `costs` has to name every part and message. Spans that `pruning`
    /// would take out lose weight.
    pub fn read(
        transcript: Transcript,
        facts: Facts,
        costs: Costs,
        keep: &Keep,
        query: &Query,
        pruning: Option<&prune::Options<'_>>,
    ) -> Self {
        FitInput::read_known(transcript, FactsSource::Facts(facts), costs, keep, query, pruning).0
    }

    /// The same, and the facts that a session is to keep of it.
    pub(super) fn read_known(
        transcript: Transcript,
        known: FactsSource,
        costs: Costs,
        keep: &Keep,
        query: &Query,
        pruning: Option<&prune::Options<'_>>,
    ) -> (Self, Option<KeptFacts>) {
        let groups = Groups::of(&transcript);
        let mut required = Required::new(&transcript, &groups, keep);
        let modes = modes(&transcript, &groups, &required);
        let asked = Asked::new(&transcript, query);
        let judge = || {
            let (edits, operations) = match pruning {
                Some(options) => prune::superseded(&transcript, options),
                None => (Vec::new(), Operations::read(&transcript, ReadOptions::default())),
            };
            let first_lines = first_lines(&operations, &transcript);
            (edits, operations, first_lines)
        };
        // Judging is one piece of work; the other two are split between threads where they are long.
        let read = || {
            let (mut facts, keys) = known.open(&transcript);
            let texts = facts.extend(&transcript, &modes);
            (facts, keys, texts, asked.find(&transcript))
        };
        let ((facts, keys, texts, found), (edits, operations, first_lines)) = join(transcript.units(), read, judge);
        let mut weigh = || {
            let superseded: Vec<(PartIndex, Superseded)> =
                edits.iter().map(|edit| (edit.part, Superseded::new(edit))).collect();
            let list = || {
                let mut items = Items::new(&facts, &texts, &costs, keep, &superseded);
                items.scale(&transcript, &costs, facts.tokenizer());
                let relevance = Relevance::new(&transcript, &items, &asked, &found);
                let passages = Passages::new(&transcript, &operations, &items);
                (items, relevance, passages)
            };
            let ((mut items, relevance, passages), vocabulary) =
                join(transcript.units(), list, || Vocabulary::new(&facts, &transcript, &texts));
            if keep.user {
                // The user's answer to a call stands in its result.
                let answers = items.list.iter().filter(|item| item.is_users);
                let messages = answers.map(|item| transcript.parts()[item.part].message);
                required.retain(messages.map(|message| groups.of_message[message]));
            }
            let described = superseded.into_iter().filter_map(|(part, stale)| Some((part, stale.description?)));
            let superseded = described.collect();
            items.add_words(&facts, &texts, &vocabulary);
            let obligations = Obligations::read(&transcript, &operations, &items, &groups);
            let weights = Weights::new(&transcript, &groups, &items, &vocabulary, (&relevance, &passages), &costs);
            (superseded, items, vocabulary, relevance, passages, obligations, weights)
        };
        let ((superseded, items, vocabulary, relevance, passages, obligations, weights), kept) = match keys {
            Some(keys) => {
                let pack = || KeptFacts::of(&facts, &keys, &transcript, &texts);
                let (weighed, packed) = join(transcript.units(), weigh, pack);
                (weighed, Some(packed))
            }
            None => (weigh(), None),
        };
        let input = FitInput {
            transcript,
            facts,
            texts,
            groups,
            required,
            items,
            vocabulary,
            superseded,
            first_lines,
            relevance,
            passages,
            obligations,
            costs,
            weights,
        };
        (input, kept)
    }

    /// The same conversation with these factors between the tokens of each message as the caller counts them and as they are counted here.
    pub fn scaled(mut self, scales: Vec<f64>) -> Self {
        self.costs.scales = scales.into();
        self.items.scale(&self.transcript, &self.costs, self.tokenizer());
        let FitInput { transcript, groups, items, vocabulary, relevance, passages, costs, .. } = &self;
        self.weights = Weights::new(transcript, groups, items, vocabulary, (relevance, passages), costs);
        self
    }

    /// The tokenizer that counts.
    pub fn tokenizer(&self) -> Tokenizer {
        self.facts.tokenizer()
    }

    /// The tokens of each message as they were counted, without a scale.
    pub fn message_tokens(&self) -> IndexVec<MessageIndex, f64> {
        message_tokens(&self.items.whole, &self.transcript, &self.costs)
    }

    /// The message of a part.
    pub fn message_of(&self, part: PartIndex) -> MessageIndex {
        self.transcript.parts()[part].message
    }

    /// The group of a part.
    pub fn group_of(&self, part: PartIndex) -> GroupIndex {
        self.groups.of_message[self.message_of(part)]
    }

    /// The items of a group.
    pub fn items_of(&self, group: GroupIndex) -> impl Iterator<Item = ItemIndex> + '_ {
        self.groups.parts(group, &self.transcript).flat_map(|part| self.items.of_part[part])
    }

    /// The words of a part that is read as a whole.
    pub fn words_of(&self, part: PartIndex) -> &[WordIndex] {
        &self.vocabulary.words[self.vocabulary.of_text[self.texts[part]]]
    }

    /// The tokens of keeping a group with a mark in the place of all that can go.
    pub fn base_cost(&self, group: GroupIndex) -> f64 {
        self.weights.groups[group].base_cost
    }
}
