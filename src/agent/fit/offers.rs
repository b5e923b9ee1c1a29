//! What would go, as texts that somebody may sum up.

use std::ops::Range;

use super::prose::is_plain_prose;
use super::spans::Form;
use super::state::State;
use super::words::{WordKind, for_each_word};
use super::{About, Fit};
use crate::transcript::{Kind, Role};

/// A summary of fewer tokens than this is not worth asking for.
const WORTHWHILE: f64 = 80.0;
/// So many facts of a group have to be in its summary.
const NEEDED: usize = 8;
/// A fact is needed if its worth is at least this: that of a name which was said once, some 40 messages ago.
const NEEDED_WORTH: f64 = 0.3;

/// A group of texts that go: prose of the model and of its tools, never code, never what the user said.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Where a summary would stand.
    pub about: About,
    /// The parts and the ranges of their texts, in UTF-16 code units, in order.
    pub ranges: Vec<(u32, Range<usize>)>,
    /// What they take.
    pub tokens: f64,
    /// Names, paths, numbers in them that nothing else says which stays, most wanted first.
    pub facts: Vec<String>,
}

impl Fit {
    /// The groups that go where `limit` tokens are to be met, largest first.
    pub fn offers(&self, limit: f64) -> Vec<Offer> {
        let (state, _) = self.fill(limit, &[]);
        let mut offers = Vec::new();
        for (first, last) in state.gone() {
            let parts = (first..=last).flat_map(|message| self.parts(message)).map(|part| part as u32);
            let ranges = parts.map(|part| (part, 0..self.transcript.text(part as usize).len()));
            offers.extend(state.offer(About::Messages(first), ranges));
        }
        for part in 0..self.of_part.len() as u32 {
            if state.is_open(self.unit_of[self.transcript.parts()[part as usize].message as usize] as usize) {
                let text = self.transcript.text(part as usize);
                let fences: Vec<usize> = memchr::memmem::find_iter(text.bytes(), b"```").collect();
                let is_fenced = |gap: &Range<usize>| fences.partition_point(|&at| at < gap.start) % 2 == 1;
                let gaps = state.gaps(part).into_iter().filter(|gap| gap.form == Form::Text && !is_fenced(&gap.range));
                offers.extend(state.offer(About::Part(part), gaps.map(|gap| (part, gap.range))));
            }
        }
        offers.sort_by(|a, b| b.tokens.total_cmp(&a.tokens));
        offers
    }
}

impl State<'_> {
    fn offer(&self, about: About, ranges: impl Iterator<Item = (u32, Range<usize>)>) -> Option<Offer> {
        let fit = self.fit;
        let ranges: Vec<_> = ranges
            .filter(|(part, range)| {
                let index = *part as usize;
                let part = fit.transcript.parts()[index];
                let is_theirs = matches!((part.role, part.kind), (Role::Assistant, Kind::Text) | (_, Kind::Result));
                is_theirs && is_plain_prose(fit.transcript.text(index).slice(range.clone()))
            })
            .collect();
        let of_range = |(part, range): &(u32, Range<usize>)| {
            let items = fit.of_part[*part as usize].clone().map(|item| &fit.items[item as usize]);
            items
                .filter(|item| range.start <= item.range.start as usize && item.range.end as usize <= range.end)
                .map(|item| item.tokens)
                .sum::<f64>()
        };
        let tokens: f64 = ranges.iter().map(of_range).sum();
        (tokens >= WORTHWHILE).then(|| Offer { about, tokens, facts: self.facts(&ranges), ranges })
    }

    fn facts(&self, ranges: &[(u32, Range<usize>)]) -> Vec<String> {
        let fit = self.fit;
        let mut found: Vec<(f64, u32, String)> = Vec::new();
        for (part, range) in ranges {
            let text = fit.transcript.text(*part as usize).slice(range.clone());
            for_each_word(text, |hash, kind, place| {
                let Some(word) = fit.dictionary.number(hash, kind) else { return };
                let worth = fit.values[word as usize];
                let is_new = self.is_new(word) && found.iter().all(|(_, known, _)| *known != word);
                if kind != WordKind::Specific || worth < NEEDED_WORTH || !is_new {
                    return;
                }
                let at = found.partition_point(|(other, ..)| *other >= worth);
                if at < NEEDED {
                    let word_text = text.slice(place);
                    let written = match word_text.units() {
                        Some(units) => String::from_utf16_lossy(units),
                        None => String::from_utf8_lossy(word_text.bytes()).into_owned(),
                    };
                    found.insert(at, (worth, word, written));
                    found.truncate(NEEDED);
                }
            });
        }
        found.into_iter().map(|(.., written)| written).collect()
    }
}
