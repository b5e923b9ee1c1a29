//! The places of what a round took out, in the history as it is now.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::align::{Prints, align};
use super::fingerprint::Print;

/// A run of messages that a round took out or rewrote.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// Index of the first message that stands for them, in what the round left; or of the message after them.
    pub at: usize,
    /// Number of messages that stand for them.
    pub left: usize,
    /// Fingerprints of the messages that were taken out.
    pub of: Vec<Print>,
    /// Whether the entry agrees with the round about the messages at and around it.
    pub is_consistent: bool,
}

/// Fingerprints of messages that hold stubs, and those of the same messages without them.
///
/// Stubs are found by their keys at any time. So for the places of cuts, a message is the same with them and without.
#[derive(Clone, Debug, Default)]
pub struct Stubs(HashMap<Print, Print, RandomState>);

impl Stubs {
    /// Takes the messages with stubs, and after each the message as it was before, which may hold earlier stubs. Takes O(n) time.
    pub fn new(pairs: impl Iterator<Item = (Print, Print)>) -> Self {
        let before: HashMap<Print, Print, RandomState> = pairs.collect();
        let mut whole = HashMap::with_capacity_and_hasher(before.len(), RandomState::default());
        for &first in before.keys() {
            let mut path = Prints::default();
            let mut print = first;
            // What was stored may lead in a circle.
            while !whole.contains_key(&print) && before.contains_key(&print) && path.insert(print) {
                print = before[&print];
            }
            let end = whole.get(&print).copied().unwrap_or(print);
            whole.extend(path.into_iter().map(|print| (print, end)));
        }
        Stubs(whole)
    }

    /// Replaces the fingerprints of messages with stubs by those of the messages without.
    pub fn undo(&self, prints: &mut [Print]) {
        if self.0.is_empty() {
            return;
        }
        for print in prints {
            *print = self.0.get(print).copied().unwrap_or(*print);
        }
    }
}

/// One round of edits.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Fingerprints of the messages that the round left. A round without cuts keeps none.
    pub left: Option<Vec<Print>>,
    /// Its cuts, from first to last.
    pub cuts: Vec<Cut>,
}

/// The place of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The message at this place stands for it, or nothing does in front of this place.
    At(usize),
    /// It can't be told.
    Unknown,
    /// The messages stand in the history again.
    Undone,
}

/// Places in the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The place of each cut.
    pub cuts: Vec<Place>,
    /// For each message that the round left its place, where that is certain.
    pub left: Vec<Option<usize>>,
}

impl Round {
    /// Finds the places of the round's cuts in the history `now`. Takes O(n log n) time for n messages.
    pub fn places(&self, now: &[Print]) -> Places {
        let Some(left) = &self.left else {
            // Without the fingerprints around them, nobody can say where the cuts stand.
            return Places { cuts: vec![Place::Unknown; self.cuts.len()], left: Vec::new() };
        };
        if self.is_undone(now) {
            // The messages that the round left, followed by equal messages, read the same.
            let place = if now.starts_with(left) { Place::Unknown } else { Place::Undone };
            return Places { cuts: vec![place; self.cuts.len()], left: Vec::new() };
        }
        let gone: Prints = self.cuts.iter().flat_map(|cut| &cut.of).copied().collect();
        let mut places = align(left, now, &gone);
        let is_edited = places.iter().enumerate().any(|(index, place)| *place != Some(index));
        let (were, are) = if is_edited { (count(left), count(now)) } else { Default::default() };
        let is_added = |print: &Print| are.get(print) > were.get(print);
        if is_edited {
            self.forget_copies(now, &mut places);
        }
        let slots = slots(&places, now, &gone);
        let place_of = |cut: &Cut| {
            // Of an edited history: messages that are there more often than they were left may have been put back already, beside a copy.
            let may_be_back = cut.left == 0 && is_edited && cut.of.iter().all(is_added);
            if !cut.is_consistent || may_be_back {
                return None;
            }
            if cut.left == 0 { gap(cut, &slots, now) } else { places.get(cut.at).copied().flatten() }
        };
        let cuts = self.cuts.iter().map(|cut| place_of(cut).map_or(Place::Unknown, Place::At)).collect();
        Places { cuts, left: places }
    }

    /// The number of messages from the start of the history `now` that are as the round left them.
    pub fn unchanged(&self, now: &[Print]) -> usize {
        self.left.iter().flatten().zip(now).take_while(|(left, now)| left == now).count()
    }

    /// Takes the places of rewritten messages away whose originals are in the history: what reads like such a message may be another one.
    fn forget_copies(&self, now: &[Print], places: &mut [Option<usize>]) {
        let present: Prints = now.iter().copied().collect();
        for cut in self.cuts.iter().filter(|cut| cut.of.iter().all(|print| present.contains(print))) {
            let end = places.len().min(cut.at.saturating_add(cut.left));
            places[cut.at.min(end)..end].fill(None);
        }
    }

    /// Returns whether the messages that the round left begin the history.
    fn is_here(&self, now: &[Print]) -> bool {
        self.left.as_ref().is_some_and(|left| now.starts_with(left))
    }

    /// Returns whether the history begins with what the round was given: then nothing is to be put back.
    fn is_undone(&self, now: &[Print]) -> bool {
        let Some(pieces) = self.given() else { return false };
        let mut rest = now;
        pieces.into_iter().all(|piece| rest.strip_prefix(piece).map(|after| rest = after).is_some())
    }

    /// Returns what the round was given, in pieces; `None` if the places of its cuts are not those of a round.
    fn given(&self) -> Option<Vec<&[Print]>> {
        let left = self.left.as_ref()?;
        let mut pieces = Vec::with_capacity(2 * self.cuts.len() + 1);
        let mut from = 0;
        for cut in &self.cuts {
            pieces.extend([left.get(from..cut.at)?, &cut.of]);
            from = cut.at + cut.left;
        }
        pieces.push(left.get(from..)?);
        Some(pieces)
    }

    /// Returns whether the round may have been the next one after `other`: it was given what that one left.
    fn continues(&self, other: &Round) -> bool {
        let (Some(mut rest), Some(pieces)) = (other.left.as_deref(), self.given()) else { return false };
        for piece in pieces {
            if rest.len() <= piece.len() {
                return piece.starts_with(rest);
            }
            let Some(after) = rest.strip_prefix(piece) else { return false };
            rest = after;
        }
        rest.is_empty()
    }
}

/// Returns which of some successive rounds was the last, in the history `now`; `None` if there is no round.
///
/// A round whose messages stand there as it left them comes before those of another branch, which left something else in their
/// place; and one that was given what another one left comes before that one, because originals are merged in any order.
pub fn last_in_order(rounds: &[&Round], now: &[Print]) -> Option<usize> {
    let last = rounds.len().checked_sub(1)?;
    let Some(left) = &rounds[last].left else { return Some(last) };
    let is_here = |round: &&Round| round.is_here(now) && round.left.as_ref().is_some_and(|own| !left.starts_with(own));
    let here = if now.starts_with(left) { None } else { rounds.iter().rposition(is_here) };
    Some(last_after(rounds, here.unwrap_or(last), now))
}

/// Returns which of some rounds in no certain order was the last, in the history `now`; `None` if that is not certain.
///
/// A round that is undone already comes first, because nobody can tell that any more once an earlier one is undone too; then
/// the first of `rounds` whose messages stand there as it left them.
pub fn last_out_of_order(rounds: &[&Round], now: &[Print]) -> Option<usize> {
    let is_gone = |round: &&Round| !round.is_here(now) && round.is_undone(now);
    let here = || rounds.iter().position(|round| round.is_here(now)).map(|here| last_after(rounds, here, now));
    rounds.iter().position(is_gone).or_else(here)
}

/// Follows the rounds that can only have been made after the one at `index`. Of two whose messages both stand there, and of which
/// none continues the other, that is the one that left more.
fn last_after(rounds: &[&Round], index: usize, now: &[Print]) -> usize {
    let is_after = |round: &Round, other: &Round| {
        let is_longer = || {
            let length = |round: &Round| round.left.as_ref().map_or(0, Vec::len);
            round.is_here(now) && length(round) > length(other)
        };
        let may_be = round.is_here(now) || !other.is_here(now);
        let order = [round.continues(other), other.continues(round)];
        may_be && (order == [true, false] || (order == [false, false] && other.is_here(now) && is_longer()))
    };
    let mut last = index;
    for _ in 0..rounds.len() {
        let Some(after) = rounds.iter().rposition(|round| is_after(round, rounds[last])) else { break };
        last = after;
    }
    last
}

/// Returns the places, and those of messages that were changed where they stood: between two that are where they were. A message
/// that went and was put back already is none of these.
fn slots(places: &[Option<usize>], now: &[Print], gone: &Prints) -> Vec<Option<usize>> {
    let between = |index: usize| {
        let place = if index == 0 { 0 } else { places[index - 1]? + 1 };
        let after = (*places.get(index + 1)?)?;
        (after == place + 1 && !gone.contains(&now[place])).then_some(place)
    };
    (0..places.len()).map(|index| places[index].or_else(|| between(index))).collect()
}

/// Returns how often each message is there.
fn count(prints: &[Print]) -> HashMap<Print, usize, RandomState> {
    let mut counts = HashMap::default();
    for &print in prints {
        *counts.entry(print).or_default() += 1;
    }
    counts
}

/// Returns the place in front of which a cut left nothing, if its neighbours stand side by side.
fn gap(cut: &Cut, slots: &[Option<usize>], now: &[Print]) -> Option<usize> {
    if slots.is_empty() {
        return Some(0);
    }
    let slot = |index: usize| slots.get(index).copied().flatten();
    let Some(before) = cut.at.checked_sub(1) else {
        // In front of what stood at the start anything may have been added, and after what stood at the end.
        let place = slot(0)?;
        return Some(place).filter(|_| place == 0 || !cut.of.contains(&now[place - 1]));
    };
    let place = slot(before)? + 1;
    if cut.at < slots.len() {
        return Some(place).filter(|_| slot(cut.at) == Some(place));
    }
    Some(place).filter(|_| now.get(place).is_none_or(|beside| !cut.of.contains(beside)))
}
