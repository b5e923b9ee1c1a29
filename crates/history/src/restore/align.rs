//! Finds the messages that a round left in a history that was edited since.
//!
//! Only what is certain counts: a message is found by its fingerprint, and equal messages are found only where none of them
//! was added or taken away.

use std::ops::Range;

use foldhash::fast::RandomState;

use super::fingerprint::Print;

type Map<K, V> = std::collections::HashMap<K, V, RandomState>;
/// A set of fingerprints.
pub(super) type Prints = std::collections::HashSet<Print, RandomState>;

/// Returns for each message of `left` its place in `now`, where that is certain.
///
/// `gone` are the messages that the round took out: one of these in the history may have been put back already. Takes
/// O(n log n) time for n messages.
pub(super) fn align(left: &[Print], now: &[Print], gone: &Prints) -> Vec<Option<usize>> {
    if now.starts_with(left) {
        return (0..left.len()).map(Some).collect();
    }
    let mut places = vec![None; left.len()];
    place_unique(left, now, gone, &mut places);
    let (mut from_left, mut from_now) = (0, 0);
    for anchor in longest_increasing(&places) {
        let place = places[anchor].unwrap_or(now.len());
        place_equal(left, now, gone, (from_left..anchor, from_now..place), &mut places);
        (from_left, from_now) = (anchor + 1, place + 1);
    }
    place_equal(left, now, gone, (from_left..left.len(), from_now..now.len()), &mut places);
    let placed: Vec<_> = (0..places.len()).map(|index| places[index].filter(|_| !is_alone(index, &places))).collect();
    // Whether somebody moved messages or copied them can't be told: only those that are in their order are certain.
    let mut ordered = vec![None; placed.len()];
    for index in longest_increasing(&placed) {
        ordered[index] = placed[index];
    }
    ordered
}

/// Returns whether a message stands beside none of its neighbours, nor at the start where it stood there: another branch may
/// hold one that reads the same. The end says nothing, because messages are appended there.
fn is_alone(index: usize, places: &[Option<usize>]) -> bool {
    let Some(place) = places[index] else { return true };
    let follows = if index == 0 { place == 0 } else { places[index - 1].is_some_and(|before| before + 1 == place) };
    let precedes = places.get(index + 1).is_some_and(|after| *after == Some(place + 1));
    !follows && !precedes
}

/// Places the messages of which there is one on both sides.
fn place_unique(left: &[Print], now: &[Print], gone: &Prints, places: &mut [Option<usize>]) {
    let (there, here) = (sole_indices(left), sole_indices(now));
    for (print, index) in there {
        if let (Some(index), Some(&Some(place))) = (index, here.get(print))
            && !gone.contains(print)
        {
            places[index] = Some(place);
        }
    }
}

/// Returns for each fingerprint the index of its message; `None` if there are several.
fn sole_indices(prints: &[Print]) -> Map<&Print, Option<usize>> {
    let mut indices = Map::default();
    for (index, print) in prints.iter().enumerate() {
        indices.entry(print).and_modify(|sole| *sole = None).or_insert(Some(index));
    }
    indices
}

/// Returns the indices of a longest increasing sequence of the known places (patience sorting): the messages that nobody moved.
fn longest_increasing(places: &[Option<usize>]) -> Vec<usize> {
    // For each length the index whose place ends such a sequence lowest, and for each index the one before it.
    let mut tails: Vec<usize> = Vec::new();
    let mut before = vec![None; places.len()];
    for (index, place) in places.iter().enumerate().filter(|(_, place)| place.is_some()) {
        let length = tails.partition_point(|&tail| places[tail] < *place);
        before[index] = length.checked_sub(1).map(|last| tails[last]);
        match tails.get_mut(length) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let mut sequence: Vec<usize> = std::iter::successors(tails.last().copied(), |&index| before[index]).collect();
    sequence.reverse();
    sequence
}

/// Places messages between two that are placed: all if nothing changed there (messages may have been appended after the last
/// one), else equal ones in their order, if there are as many as there were.
fn place_equal(
    left: &[Print],
    now: &[Print],
    gone: &Prints,
    (there, here): (Range<usize>, Range<usize>),
    places: &mut [Option<usize>],
) {
    let (left_here, now_here) = (&left[there.clone()], &now[here.clone()]);
    let is_appended = || there.end == left.len() && left_here.iter().all(|print| !gone.contains(print));
    if now_here.starts_with(left_here) && (now_here.len() == left_here.len() || is_appended()) {
        for index in 0..there.len() {
            places[there.start + index] = Some(here.start + index);
        }
        return;
    }
    let open = there.filter(|&index| places[index].is_none() && !gone.contains(&left[index]));
    let open = by_print(left, open);
    let found = by_print(now, here);
    for (print, indices) in open {
        if let Some(found) = found.get(print).filter(|found| found.len() == indices.len()) {
            for (index, &place) in indices.into_iter().zip(found) {
                places[index] = Some(place);
            }
        }
    }
}

fn by_print(prints: &[Print], indices: impl Iterator<Item = usize>) -> Map<&Print, Vec<usize>> {
    let mut groups = Map::<_, Vec<_>>::default();
    for index in indices {
        groups.entry(&prints[index]).or_default().push(index);
    }
    groups
}
