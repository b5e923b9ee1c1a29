//! Properties of finding places, over random histories, edits and changes by others.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::fingerprint::{LENGTH, Print};
use super::places::{Cut, Place, Round, last_in_order};

/// The effect of a round on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Keep,
    Remove,
    Rewrite,
    /// Becomes one message together with the one before it.
    Merge,
}

/// The fingerprint of message `number`.
fn print(number: u32) -> Print {
    let mut print = [0; LENGTH];
    (print[0], print[1]) = (number as u16, (number >> 16) as u16);
    print
}

/// Makes fingerprints that no history has yet.
struct Fresh(u32);

impl Fresh {
    fn print(&mut self) -> Print {
        self.0 += 1;
        print(self.0)
    }
}

/// The round that makes what `actions` say of `history`; what it leaves is in it.
fn edited(history: &[Print], actions: &[Action], fresh: &mut Fresh) -> Round {
    let mut left: Vec<Print> = Vec::new();
    let mut cuts: Vec<Cut> = Vec::new();
    for (index, &was) in history.iter().enumerate() {
        let last = cuts.last_mut().filter(|cut| cut.at + cut.left == left.len());
        match (actions[index % actions.len()], last) {
            (Action::Keep, _) => left.push(was),
            (Action::Remove, Some(cut)) if cut.left == 0 => cut.of.push(was),
            (Action::Remove, _) => cuts.push(Cut { at: left.len(), left: 0, of: vec![was], is_consistent: true }),
            (Action::Merge, Some(cut)) if cut.left == 1 => cut.of.push(was),
            (Action::Rewrite | Action::Merge, _) => {
                cuts.push(Cut { at: left.len(), left: 1, of: vec![was], is_consistent: true });
                left.push(fresh.print());
            }
        }
    }
    Round { left: Some(left), cuts }
}

/// Puts back what a round took out, and counts the cuts whose place can't be told.
fn put_back(round: &Round, now: &[Print]) -> (Vec<Print>, usize) {
    let places = round.places(now);
    let mut missing = 0;
    let mut restored = Vec::new();
    for index in 0..=now.len() {
        let here = || round.cuts.iter().zip(&places.cuts).filter(|(_, place)| **place == Place::At(index));
        restored.extend(here().filter(|(cut, _)| cut.left == 0).flat_map(|(cut, _)| &cut.of));
        match here().find(|(cut, _)| cut.left > 0) {
            Some((cut, _)) => restored.extend(&cut.of),
            None => restored.extend(now.get(index)),
        }
    }
    missing += places.cuts.iter().filter(|place| **place == Place::Unknown).count();
    (restored, missing)
}

/// Histories in which messages repeat, and what a round does with each.
fn history() -> impl Strategy<Value = Vec<Print>> {
    vec((0..8_u32).prop_map(print), 0..24)
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        4 => Just(Action::Keep),
        2 => Just(Action::Remove),
        2 => Just(Action::Rewrite),
        1 => Just(Action::Merge),
    ];
    vec(action, 1..24)
}

#[test]
fn what_is_back_stays_where_a_rewritten_message_reads_like_another_one() {
    let [system, user, call, result, told, next, cut] = [0, 1, 2, 3, 4, 5, 6].map(print);
    let cut_of = |at, left, of| Cut { at, left, of: vec![of], is_consistent: true };
    // The result is cut and what was told about it goes; then the call and what is left of its result, and the message says no more than that.
    let earlier =
        Round { left: Some(vec![system, user, call, cut, next]), cuts: vec![cut_of(3, 1, result), cut_of(4, 0, told)] };
    let later = Round { left: Some(vec![system, user, told, next]), cuts: vec![cut_of(2, 1, call), cut_of(3, 0, cut)] };
    let back = |now: &[Print]| put_back(&earlier, &put_back(&later, now).0).0;
    let whole = back(&[system, user, told, next]);
    assert_eq!(whole, [system, user, call, result, told, next]);
    assert_eq!(back(&whole), whole);
}

#[test]
fn what_is_back_is_not_put_back_again_beside_copies() {
    let [first, second, third, go_on, cut, other, last] = [0, 1, 2, 3, 4, 5, 6].map(print);
    let cut_of = |at, left, of: &[Print]| Cut { at, left, of: of.to_vec(), is_consistent: true };
    let round = Round {
        left: Some(vec![first, second, cut]),
        cuts: vec![cut_of(1, 0, &[go_on, go_on, third]), cut_of(2, 0, &[go_on]), cut_of(2, 1, &[third])],
    };
    // The first message was changed, and copies of the first two were added.
    let (restored, missing) = put_back(&round, &[other, second, cut, first, second, last]);
    assert_eq!(missing, 0);
    assert_eq!(restored, [other, go_on, go_on, third, second, go_on, third, first, second, last]);
    assert_eq!(put_back(&round, &restored).0, restored);
}

#[test]
fn messages_that_were_moved_or_copied_are_not_certain() {
    let [first, log, table, ask, answer, end] = [0, 1, 2, 3, 4, 5].map(print);
    let cut = |at| Cut { at, left: 1, of: vec![print(10 + at as u32)], is_consistent: true };
    let round =
        Round { left: Some(vec![first, log, table, ask, answer, end]), cuts: vec![cut(0), cut(1), cut(2), cut(5)] };
    let places = round.places(&[first, ask, answer, end, log, table]);
    assert_eq!(places.cuts, [Place::At(0), Place::Unknown, Place::Unknown, Place::At(3)]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn several_rounds_are_put_back_exactly(start in history(), rounds in vec((actions(), 0..3_usize), 1..6)) {
        let mut fresh = Fresh(1000);
        let (mut now, mut whole) = (start.clone(), start);
        let mut made = Vec::new();
        for (actions, appended) in rounds {
            let round = edited(&now, &actions, &mut fresh);
            now = round.left.clone().unwrap_or_default();
            made.push(round);
            for _ in 0..appended {
                let message = fresh.print();
                now.push(message);
                whole.push(message);
            }
        }
        while !made.is_empty() {
            let last = last_in_order(&made.iter().collect::<Vec<_>>(), &now).expect("there is a round");
            // A round that changed nothing may be undone at any time.
            let round = made.remove(last);
            let (restored, missing) = put_back(&round, &now);
            prop_assert_eq!(missing, 0);
            now = restored;
        }
        prop_assert_eq!(now, whole);
    }

    #[test]
    fn a_changed_message_is_missing_and_the_others_stay_where_they_are(
        start in history(),
        actions in actions(),
        changed in any::<Index>(),
    ) {
        let mut fresh = Fresh(1000);
        let round = edited(&start, &actions, &mut fresh);
        let mut now = round.left.clone().unwrap_or_default();
        if now.is_empty() {
            return Ok(());
        }
        let changed = changed.index(now.len());
        now[changed] = fresh.print();
        for (cut, place) in round.cuts.iter().zip(round.places(&now).cuts) {
            if cut.left > 0 && cut.at == changed {
                prop_assert_eq!(place, Place::Unknown, "guessed where the message was changed");
            }
            prop_assert!(matches!(place, Place::Unknown) || place == Place::At(cut.at), "{:?} for {:?}", place, cut);
        }
    }

    #[test]
    fn whatever_was_done_to_the_history_a_cut_is_found_only_where_its_message_stands(
        start in history(),
        actions in actions(),
        changes in vec((any::<Index>(), 0..4_u8), 1..5),
    ) {
        let mut fresh = Fresh(1000);
        let round = edited(&start, &actions, &mut fresh);
        let left = round.left.clone().unwrap_or_default();
        let mut now = left.clone();
        for (index, change) in changes {
            let index = index.index(now.len() + 1);
            match change {
                0 => now.insert(index, fresh.print()),
                1 if index < now.len() => drop(now.remove(index)),
                2 if index < now.len() => now[index] = fresh.print(),
                // A copy of a message that is there, or that went.
                _ => now.insert(index, *start.get(index).or(left.first()).unwrap_or(&print(0))),
            }
        }
        let places = round.places(&now);
        let mut last = 0;
        for (cut, place) in round.cuts.iter().zip(&places.cuts) {
            if let Place::At(place) = *place {
                prop_assert!(place >= last, "cuts stay in their order");
                last = place;
                prop_assert!(place <= now.len());
                if cut.left > 0 {
                    prop_assert_eq!(now[place], left[cut.at]);
                }
            }
        }
        for (index, place) in places.left.iter().enumerate() {
            if let Some(place) = *place {
                prop_assert_eq!(now[place], left[index]);
            }
        }
    }
}
