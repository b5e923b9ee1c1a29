//! Finding the chains of a conversation.

use super::cues::Cues;
use crate::transcript::Speaker;

/// A message as a possible link of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The number of its role: equal roles have equal numbers.
    pub role: u32,
    /// Who says it.
    pub speaker: Speaker,
    /// Whether chains may have it, as far as that does not lie in its text.
    pub is_free: bool,
    /// What its text says.
    pub cues: Cues,
    /// The length of its text in UTF-16 code units.
    pub length: usize,
}

/// What holds a chain together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainKind {
    /// A question and its answer.
    Answer,
    /// A request, and what was done.
    Action,
    /// A statement and its correction.
    Correction,
    /// A long statement and a short consent.
    Acknowledgment,
}

impl ChainKind {
    /// The name that users see.
    pub fn name(self) -> &'static str {
        match self {
            ChainKind::Answer => "qa",
            ChainKind::Action => "request_action",
            ChainKind::Correction => "correction",
            ChainKind::Acknowledgment => "acknowledgment",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [ChainKind::Answer, ChainKind::Action, ChainKind::Correction, ChainKind::Acknowledgment]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// Messages that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Their positions, ascending: what comes first, what follows from it and, in some, a confirmation.
    pub members: Vec<usize>,
    /// What holds them together.
    pub kind: ChainKind,
}

/// How many messages further on a chain is looked for.
const REACH: usize = 3;
/// How many messages behind the second link its confirmation is looked for.
const CONFIRMATION_REACH: usize = 2;
/// Longer texts, in UTF-16 code units, are long statements.
const LONG: usize = 200;
/// Shorter texts, in UTF-16 code units, are short consents.
const SHORT: usize = 100;

/// The chains of `links`, by their first members. No message is in two. Takes time linear in their number.
pub fn detect_chains(links: &[Link]) -> Vec<Chain> {
    let mut is_claimed = vec![false; links.len()];
    let mut chains = Vec::new();
    for first in 0..links.len() {
        let is_eligible =
            |index: &usize| links[*index].is_free && links[*index].cues.is_eligible && !is_claimed[*index];
        let behind = |index: usize, reach: usize| index + 1..links.len().min(index + 1 + reach);
        if !is_eligible(&first) {
            continue;
        }
        let mut seconds = behind(first, REACH).filter(is_eligible);
        let Some((second, kind)) = seconds.find_map(|second| Some((second, kind_of(&links[first], &links[second])?)))
        else {
            continue;
        };
        let mut members = vec![first, second];
        if matches!(kind, ChainKind::Answer | ChainKind::Action) {
            let confirms = |index: &usize| is_eligible(index) && links[*index].cues.confirms;
            members.extend(behind(second, CONFIRMATION_REACH).find(confirms));
        }
        members.iter().for_each(|&index| is_claimed[index] = true);
        chains.push(Chain { members, kind });
    }
    chains
}

/// What holds two links together: the first rule that applies.
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
