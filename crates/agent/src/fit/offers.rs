//! Texts that would be dropped, offered for a summary.

use std::ops::Range;

use super::fit_input::FitInput;
use super::indices::WordIndex;
use super::input::About;
use super::prose::is_plain_prose;
use super::render::{dropped, gaps};
use super::span::Form;
use super::state::State;
use super::words::{WordKind, for_each_word};
use palimpsest_history::transcript::{Kind, PartIndex, Role};

/// Minimum tokens of a group for a summary to be worth asking for.
const MIN_TOKENS: f64 = 80.0;
/// Maximum number of facts that a summary has to name.
const MAX_FACTS: usize = 8;
/// Minimum value of a fact that a summary has to name: that of a name which was said once, some 40 messages ago.
const MIN_FACT_VALUE: f64 = 0.3;

/// A group of texts that would be dropped: prose of the model and of its tools, never code, never the user's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The place of a summary.
    pub about: About,
    /// The parts and the ranges of their texts, in UTF-16 code units, in order.
    pub ranges: Vec<(PartIndex, Range<usize>)>,
    /// Their tokens.
    pub tokens: f64,
    /// Names, paths and numbers in them that nothing kept says, the most valuable first.
    pub facts: Vec<String>,
}

impl FitInput {
    /// The groups that would be dropped for a limit of tokens, largest first.
    pub fn offers(&self, limit: f64) -> Vec<Offer> {
        let (state, _) = self.plan(limit, &[]);
        let mut offers = Vec::new();
        for run in dropped(&state) {
            let parts = run.iter().flat_map(|message| self.transcript.parts_of(message));
            let ranges = parts.map(|part| (part, 0..self.transcript.text(part).len()));
            offers.extend(offer(&state, About::Messages(run.start), ranges));
        }
        for part in self.texts.indices() {
            if state.is_open(self.group_of(part)) {
                let text = self.transcript.text(part);
                let fences: Vec<usize> = memchr::memmem::find_iter(text.bytes(), b"```").collect();
                let is_fenced = |gap: &Range<usize>| fences.partition_point(|&at| at < gap.start) % 2 == 1;
                let gaps =
                    gaps(&state, part).into_iter().filter(|gap| gap.form == Form::Text && !is_fenced(&gap.range));
                offers.extend(offer(&state, About::Part(part), gaps.map(|gap| (part, gap.range))));
            }
        }
        offers.sort_by(|a, b| b.tokens.total_cmp(&a.tokens));
        offers
    }
}

fn offer(state: &State<'_>, about: About, ranges: impl Iterator<Item = (PartIndex, Range<usize>)>) -> Option<Offer> {
    let input = state.input;
    let ranges: Vec<_> = ranges
        .filter(|(part, range)| {
            let here = input.transcript.parts()[*part];
            let is_theirs = matches!((here.role, here.kind), (Role::Assistant, Kind::Text) | (_, Kind::Result));
            is_theirs && is_plain_prose(input.transcript.text(*part).slice(range.clone()))
        })
        .collect();
    let of_range = |(part, range): &(PartIndex, Range<usize>)| {
        let items = input.items.list[input.items.of_part[*part]].iter().filter(|item| {
            let Range { start, end } = item.range.positions();
            range.start <= start && end <= range.end
        });
        items.map(|item| item.tokens).sum::<f64>()
    };
    let tokens: f64 = ranges.iter().map(of_range).sum();
    (tokens >= MIN_TOKENS).then(|| Offer { about, tokens, facts: facts(state, &ranges), ranges })
}

fn facts(state: &State<'_>, ranges: &[(PartIndex, Range<usize>)]) -> Vec<String> {
    let input = state.input;
    let mut found: Vec<(f64, WordIndex, String)> = Vec::new();
    for (part, range) in ranges {
        let text = input.transcript.text(*part).slice(range.clone());
        for_each_word(text, |hash, kind, place| {
            let Some(word) = input.facts.dictionary.number(hash, kind) else { return };
            let value = input.vocabulary.values[word];
            let is_new = state.is_uncovered(word) && found.iter().all(|(_, known, _)| *known != word);
            if kind != WordKind::Specific || value < MIN_FACT_VALUE || !is_new {
                return;
            }
            let at = found.partition_point(|(other, ..)| *other >= value);
            if at < MAX_FACTS {
                found.insert(at, (value, word, text.slice(place).to_string_lossy()));
                found.truncate(MAX_FACTS);
            }
        });
    }
    found.into_iter().map(|(.., written)| written).collect()
}
