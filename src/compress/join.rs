//! One text for several messages that belong together: a chain of the conversation's flow, or a cluster.
//!
//! Only successive messages are joined, and before any are grouped: so each has one place in the result, and all of them
//! come back in order. What a hard rule or the caller's patterns or classifier keep is never joined, for most of it would
//! be cut off.

use rustc_hash::FxHashMap;

use super::Host;
use super::corrections::Correction;
use super::decisions::Reason;
use super::engine::Engine;
use super::route::Route;
use crate::classify::hard_reasons;
use crate::cluster::{self, Document, Terms, TermsTable, cluster_label, cluster_summary, clusters};
use crate::dedup::recency_start;
use crate::flow::{Chain, Cues, Link, chain_summary, detect_chains};
use crate::parallel::map_chunks;
use crate::summarize::fences::has_backticks;
use crate::text::json::is_json_structure;
use crate::text::masks::Scratch;
use crate::text::{SharedText, TextBuf};

/// Shorter texts, in UTF-16 code units, belong to no cluster.
const MIN_LENGTH: usize = 80;

/// The text for the messages `start..start + count`.
#[derive(Debug)]
pub struct Join {
    pub start: usize,
    pub count: usize,
    pub reason: Reason,
    pub text: SharedText,
}

/// All joins of a call, whatever recency window they were made under.
#[derive(Debug, Default)]
pub struct Joins {
    pub all: Vec<Join>,
    /// Their numbers by start, count and whether they are clusters; `None` where the text would not be shorter.
    numbers: FxHashMap<(usize, usize, bool), Option<u32>>,
    labels: Vec<TextBuf>,
    /// What clusters are found by, for messages that were compared.
    terms: FxHashMap<usize, Terms>,
    table: TermsTable,
    /// Whether messages that no route tells of have something that must not be cut.
    fragile: FxHashMap<usize, bool>,
}

impl Joins {
    /// The labels of clusters, by the numbers that their reasons have.
    pub fn take_labels(&mut self) -> Vec<TextBuf> {
        std::mem::take(&mut self.labels)
    }
}

impl Engine {
    /// What each message says about its part in the flow.
    pub(super) fn read_links(&self) -> Vec<Link> {
        let conversation = &self.conversation;
        let read = |part: std::ops::Range<usize>| {
            let mut scratch = Scratch::default();
            part.map(|index| {
                let (message, text) = (conversation.message(index), conversation.text(index));
                let is_free = !(message.has_preserved_role || message.has_tool_calls || message.answers_tool_call);
                let cues =
                    if is_free { Cues::of(scratch.scan(text.bytes()), message.speaker) } else { Cues::default() };
                Link { role: message.role, speaker: message.speaker, is_free, cues, length: text.len() }
            })
            .collect::<Vec<_>>()
        };
        map_chunks(conversation.len(), |index| conversation.text(index).len(), read).concat()
    }

    /// Routes messages together that belong together and for which one text is shorter.
    pub(super) fn join<H: Host>(&mut self, routes: &mut [Route], window: f64, host: &mut H) -> Result<(), H::Error> {
        // No index is a fraction: what is before the window is before its ceiling.
        let start = (recency_start(routes.len(), window).ceil() as usize).min(routes.len());
        let mut is_linked = vec![false; routes.len()];
        if self.options.conversation_flow {
            for chain in detect_chains(&self.links[..start]) {
                chain.members.iter().for_each(|&index| is_linked[index] = true);
                self.join_chain(&chain, routes, host)?;
            }
        }
        if let Some(threshold) = self.options.cluster_threshold {
            let mut eligible = Vec::new();
            for index in (0..start).rev() {
                if eligible.len() == cluster::MAX_MESSAGES {
                    break;
                }
                if !is_linked[index]
                    && self.conversation.text(index).len() >= MIN_LENGTH
                    && self.is_joinable(index, routes[index], host)?
                {
                    eligible.push(index);
                }
            }
            eligible.reverse();
            self.join_clusters(&eligible, threshold, routes);
        }
        Ok(())
    }

    /// Joins the first members of a chain, as far as they stand one behind the other.
    fn join_chain<H: Host>(&mut self, chain: &Chain, routes: &mut [Route], host: &mut H) -> Result<(), H::Error> {
        let start = chain.members[0];
        let mut count = 0;
        for &member in &chain.members {
            if member != start + count || !self.is_joinable(member, routes[member], host)? {
                break;
            }
            count += 1;
        }
        if count < 2 {
            return Ok(());
        }
        let key = (start, count, false);
        let number = match self.joins.numbers.get(&key) {
            Some(number) => *number,
            None => {
                let [first, second] = [start, start + 1].map(|index| self.conversation.text(index));
                let mut text = TextBuf::from("[summary: ");
                text.push(chain_summary(chain.kind, first, second, count > 2).as_text());
                text.push_str(&format!(" ({count} messages, {})]", chain.kind.name()));
                self.add_join(key, Reason::Flow(chain.kind), &text)
            }
        };
        route(routes, start, count, number);
        Ok(())
    }

    fn join_clusters(&mut self, eligible: &[usize], threshold: f64, routes: &mut [Route]) {
        let Joins { terms, table, .. } = &mut self.joins;
        for &index in eligible {
            terms.entry(index).or_insert_with(|| table.terms(self.conversation.text(index).bytes()));
        }
        let document = |index: &usize| {
            let entities = self.entities.listed(self.traits[*index].entities);
            let entities = &entities[..entities.len().min(cluster::ENTITY_LIMIT)];
            Document { terms: &self.joins.terms[index], entities }
        };
        let documents: Vec<Document<'_>> = eligible.iter().map(document).collect();
        for found in clusters(&documents, eligible, threshold) {
            let (start, count) = (eligible[found.members[0]], found.members.len());
            let key = (start, count, true);
            let number = match self.joins.numbers.get(&key) {
                Some(number) => *number,
                None => {
                    let names = || found.shared.iter().map(|&id| self.entities.name(id));
                    let mut text = TextBuf::from("[summary: ");
                    let texts = (start..start + count).map(|index| self.conversation.text(index));
                    text.push(cluster_summary(names(), texts).as_text());
                    text.push_str("]");
                    let label = cluster_label(names(), start);
                    let reason = Reason::Cluster(self.joins.labels.len() as u32);
                    self.joins.labels.push(label);
                    self.add_join(key, reason, &text)
                }
            };
            route(routes, start, count, number);
        }
    }

    /// Keeps `text` for the messages that `key` names, unless it is not shorter than they are.
    fn add_join(&mut self, key: (usize, usize, bool), reason: Reason, text: &TextBuf) -> Option<u32> {
        let (start, count, _) = key;
        let total: usize = (start..start + count).map(|index| self.conversation.text(index).len()).sum();
        let number = (text.len() < total).then(|| {
            self.joins.all.push(Join { start, count, reason, text: SharedText::from(text) });
            self.joins.all.len() as u32 - 1
        });
        self.joins.numbers.insert(key, number);
        number
    }

    /// Whether a message may be joined with others: one that would be summarised, or is only too short or too important for
    /// that by itself, and that has nothing that must not be cut.
    fn is_joinable<H: Host>(&mut self, index: usize, route: Route, host: &mut H) -> Result<bool, H::Error> {
        let is_read = match route {
            Route::Summarise => true,
            Route::Preserve(Reason::ShortContent | Reason::Importance(_)) => false,
            _ => return Ok(false),
        };
        let is_latest = matches!(self.corrections.get(index), Some(Correction::Latest(_)));
        if self.conversation.message(index).answers_tool_call || is_latest {
            return Ok(false);
        }
        let is_judged = is_read && !self.options.full_classifier_mode && !self.is_large(index);
        if !is_judged && self.is_fragile(index) {
            return Ok(false);
        }
        let is_asked_for = !is_read && self.options.has_patterns;
        Ok(!is_asked_for || host.first_pattern(index)?.is_none())
    }

    /// Whether a text has code, or a hard reason to be kept, or is JSON.
    fn is_fragile(&mut self, index: usize) -> bool {
        let text = self.conversation.text(index);
        *self.joins.fragile.entry(index).or_insert_with(|| {
            has_backticks(text.bytes())
                || !hard_reasons(self.scratch.scan(text.bytes()), false, &mut Vec::new()).is_empty()
                || is_json_structure(text)
        })
    }
}

fn route(routes: &mut [Route], start: usize, count: usize, number: Option<u32>) {
    if let Some(number) = number {
        routes[start..start + count].fill(Route::Join(number));
    }
}
