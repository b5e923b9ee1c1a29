//! Detection of chains in a conversation.

use super::cues::Cues;
use palimpsest_history::transcript::Speaker;

/// A message as a possible link of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Number of its role: equal roles have equal numbers.
    pub role: u32,
    /// Speaker of the message.
    pub speaker: Speaker,
    /// Whether it may belong to a chain, regardless of its text.
    pub is_free: bool,
    /// Cues in its text.
    pub cues: Cues,
    /// Length of its text in UTF-16 code units.
    pub length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainKind {
    /// A question and its answer.
    Answer,
    /// A request and the report of what was done.
    Action,
    /// A statement and its correction.
    Correction,
    /// A long statement and a short consent.
    Acknowledgment,
}

impl ChainKind {
    /// Returns the name that users see.
    pub fn name(self) -> &'static str {
        match self {
            ChainKind::Answer => "qa",
            ChainKind::Action => "request_action",
            ChainKind::Correction => "correction",
            ChainKind::Acknowledgment => "acknowledgment",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [ChainKind::Answer, ChainKind::Action, ChainKind::Correction, ChainKind::Acknowledgment]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// Messages that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Positions, ascending: the opening message, the response and, in some chains, a confirmation.
    pub members: Vec<usize>,
    pub kind: ChainKind,
}

/// Maximum distance of the second link from the first, in messages.
const REACH: usize = 3;
/// Maximum distance of a confirmation from the second link, in messages.
const CONFIRMATION_REACH: usize = 2;
/// A long statement is longer than this, in UTF-16 code units.
const LONG: usize = 200;
/// A short consent is shorter than this, in UTF-16 code units.
const SHORT: usize = 100;

/// Returns the chains of `links`, by their first members. No message belongs to two. Runs in time linear in the number
/// of links.
pub fn detect_chains(links: &[Link]) -> Vec<Chain> {
    let mut is_claimed = vec![false; links.len()];
    let mut chains = Vec::new();
    for first in 0..links.len() {
        let is_eligible =
            |index: &usize| links[*index].is_free && links[*index].cues.is_eligible && !is_claimed[*index];
        let after = |index: usize, reach: usize| index + 1..links.len().min(index + 1 + reach);
        if !is_eligible(&first) {
            continue;
        }
        let mut seconds = after(first, REACH).filter(is_eligible);
        let Some((second, kind)) = seconds.find_map(|second| Some((second, kind_of(&links[first], &links[second])?)))
        else {
            continue;
        };
        let mut members = vec![first, second];
        if matches!(kind, ChainKind::Answer | ChainKind::Action) {
            let confirms = |index: &usize| is_eligible(index) && links[*index].cues.confirms;
            members.extend(after(second, CONFIRMATION_REACH).find(confirms));
        }
        members.iter().for_each(|&index| is_claimed[index] = true);
        chains.push(Chain { members, kind });
    }
    chains
}

/// Returns the kind of chain that two links form, by the first rule that applies.
fn kind_of(first: &Link, second: &Link) -> Option<ChainKind> {
    let is_turn = first.speaker == Speaker::User && second.speaker == Speaker::Assistant;
    let is_same = first.role == second.role;
    if is_turn && first.cues.requests && second.cues.reports {
        Some(ChainKind::Action)
    } else if is_turn && first.cues.asks && !second.cues.asks {
        Some(ChainKind::Answer)
    } else if (is_same || is_turn) && second.cues.corrects {
        Some(ChainKind::Correction)
    } else if !is_same && first.length > LONG && second.length < SHORT && second.cues.confirms {
        Some(ChainKind::Acknowledgment)
    } else {
        None
    }
}
