//! What `fit` took out comes back exactly, or not at all, in a history that somebody edited since.

use super::fit::{Fitted, write};
use super::input::records;
use palimpsest_agent::edit::Change;
use palimpsest_history::restore::fingerprint::{Print, fingerprint};
use palimpsest_history::restore::places::{Cut, Place, Round, last_in_order, last_out_of_order};

/// The letter of a record of edits.
const EDITS: u8 = b'!';

/// A message: the number of its role, and its text.
type Message = Vec<u16>;

/// A message in the edited history, and its index in what `fit` left; `None` for somebody's own.
#[derive(Clone)]
struct Item {
    message: Message,
    of: Option<usize>,
}

/// Fits a conversation, edits the result, and puts back what was taken out. Takes the bytes of `fit`, and records of the letter `!` with
/// edits, three bytes each; see `edited`.
pub fn restore(bytes: &[u8]) {
    let (digits, records) = records(bytes);
    let (edits, records): (Vec<&[u8]>, Vec<&[u8]>) = records.partition(|record| record.first() == Some(&EDITS));
    let edits: Vec<[u8; 3]> = edits.iter().flat_map(|record| record[1..].as_chunks().0).copied().collect();
    let (given, left, round) = round_of(&Fitted::new(digits, records.into_iter()));

    let whole: Vec<Item> =
        left.iter().enumerate().map(|(index, message)| Item { message: message.clone(), of: Some(index) }).collect();
    assert_eq!(put_back(&round, &given, &left), (given.clone(), 0), "what nobody edited comes back");
    let more = [vec![u16::from(b'x')], left.first().cloned().unwrap_or_default()];
    let behind = |messages: &[Message]| [messages, &more[..]].concat();
    let (restored, missing) = put_back(&round, &given, &behind(&left));
    assert!(missing > 0 || restored == behind(&given), "messages behind change nothing");

    let now = edited(whole, &edits, &given, &left);
    let messages: Vec<Message> = now.iter().map(|item| item.message.clone()).collect();
    let places = round.places(&prints_of(&messages));
    check(&round, &places.cuts, &now, &given, &left);
    for (index, place) in places.left.iter().enumerate() {
        assert!(place.is_none_or(|place| messages[place] == left[index]), "message {index} is another one");
    }
    let (restored, missing) = put_back(&round, &given, &messages);
    if missing == 0 {
        assert_eq!(put_back(&round, &given, &restored).0, restored, "restored twice is restored once");
    }
    let prints = prints_of(&messages);
    assert_eq!(last_in_order(&[&round], &prints), Some(0));
    assert!(last_out_of_order(&[&round], &prints).is_none_or(|last| last == 0));
}

/// The messages that were given, those that `fit` left, and its round.
fn round_of(fitted: &Fitted) -> (Vec<Message>, Vec<Message>, Round) {
    let message = |index: usize, text: &[u16]| [&[fitted.parts[index].role as u16][..], text].concat();
    let units = |text: palimpsest_text::Text<'_>| (0..text.len()).map(|at| text.unit(at)).collect::<Vec<_>>();
    let given: Vec<Message> =
        fitted.texts.iter().enumerate().map(|(index, text)| message(index, &units(text.as_text()))).collect();
    let edits = fitted.choice.iter().flat_map(|choice| &choice.edits);
    let edits: std::collections::HashMap<usize, &Change> = edits.map(|(part, edit)| (part.index(), edit)).collect();

    let mut left: Vec<Message> = Vec::new();
    let mut cuts: Vec<Cut> = Vec::new();
    for (index, was) in given.iter().enumerate() {
        let of = vec![print_of(was)];
        match edits.get(&index) {
            None => left.push(was.clone()),
            Some(Change::Remove) => match cuts.last_mut().filter(|cut| cut.left == 0 && cut.at == left.len()) {
                Some(cut) => cut.of.extend(of),
                None => cuts.push(Cut { at: left.len(), left: 0, of, is_consistent: true }),
            },
            Some(Change::Replace(pieces)) => {
                let text = write(fitted.texts[index].as_text(), pieces);
                let written = message(index, &units(text.as_text()));
                if written != *was {
                    cuts.push(Cut { at: left.len(), left: 1, of, is_consistent: true });
                }
                left.push(written);
            }
        }
    }
    let round = Round { left: Some(prints_of(&left)), cuts };
    (given, left, round)
}

fn print_of(message: &Message) -> Print {
    fingerprint(message).map(u16::from)
}

fn prints_of(messages: &[Message]) -> Vec<Print> {
    messages.iter().map(print_of).collect()
}

/// Edits a history. The bytes of an edit: what is done, the place of the message, and which other message, or which code unit.
fn edited(mut now: Vec<Item>, edits: &[[u8; 3]], given: &[Message], left: &[Message]) -> Vec<Item> {
    let own = |message: Message| Item { message, of: None };
    for (number, &[action, place, other]) in edits.iter().enumerate() {
        let place = usize::from(place) % (now.len() + 1);
        let pick = |messages: &[Message]| messages.get(usize::from(other) % messages.len().max(1)).cloned();
        match action % 6 {
            0 if place < now.len() => drop(now.remove(place)),
            1 if place < now.len() => {
                let Item { message, of } = &mut now[place];
                let unit = usize::from(other) % message.len();
                message[unit] ^= 1;
                *of = None;
            }
            2 => now.extend(pick(left).map(own)),
            3 => now.splice(place..place, pick(left).map(own)).for_each(drop),
            4 => now.splice(place..place, pick(given).map(own)).for_each(drop),
            _ => now.insert(place, own(format!("new {number}").encode_utf16().collect())),
        }
    }
    settle(&mut now, left);
    now
}

/// A message that stands where one stood that reads the same can't be told from it, so it is that one.
fn settle(now: &mut [Item], left: &[Message]) {
    for index in 0..now.len() {
        if now[index].of.is_some() {
            continue;
        }
        let from = now[..index].iter().rev().find_map(|item| item.of).map_or(0, |of| of + 1);
        let to = now[index..].iter().find_map(|item| item.of).unwrap_or(left.len());
        now[index].of = (from..to).find(|&of| left[of] == now[index].message);
    }
}

/// Checks that each cut is where its messages stood, or nowhere.
fn check(round: &Round, places: &[Place], now: &[Item], given: &[Message], left: &[Message]) {
    let mut last = 0;
    for (cut, place) in round.cuts.iter().zip(places) {
        let place = match *place {
            Place::At(place) => place,
            Place::Unknown => continue,
            Place::Undone => {
                let is_given =
                    now.len() >= given.len() && now.iter().zip(given).all(|(item, was)| item.message == *was);
                assert!(is_given, "undone, but not as it was given");
                continue;
            }
        };
        assert!(place >= last && place <= now.len(), "cuts stay in their order");
        last = place + cut.left;
        if cut.left > 0 {
            assert_eq!(now[place].message, left[cut.at], "the message was changed");
        }
        // Of messages that read alike, nobody can tell which one was moved.
        if now.iter().any(|item| item.of.is_none() && left.contains(&item.message)) {
            continue;
        }
        // What was left in front of it is in front of it still, and what was left after it is after.
        let stands = |item: &Item, is_there: fn(usize, usize) -> bool| item.of.is_none_or(|of| is_there(of, cut.at));
        assert!(now[..place].iter().all(|item| stands(item, |of, at| of < at)), "a cut is behind its place");
        assert!(now[place..].iter().all(|item| stands(item, |of, at| of >= at)), "a cut is in front of its place");
    }
}

/// Puts back what a round took out, and counts the cuts whose place can't be told.
fn put_back(round: &Round, given: &[Message], now: &[Message]) -> (Vec<Message>, usize) {
    let places = round.places(&prints_of(now)).cuts;
    let originals = |cut: &Cut| -> Vec<Message> {
        let was = |print: &Print| given.iter().find(|message| print_of(message) == *print).cloned();
        cut.of.iter().filter_map(was).collect()
    };
    let mut restored = Vec::new();
    for index in 0..=now.len() {
        let here =
            || round.cuts.iter().zip(&places).filter(|(_, place)| **place == Place::At(index)).map(|(cut, _)| cut);
        restored.extend(here().filter(|cut| cut.left == 0).flat_map(originals));
        match here().find(|cut| cut.left > 0) {
            Some(cut) => restored.extend(originals(cut)),
            None => restored.extend(now.get(index).cloned()),
        }
    }
    let missing = places.iter().filter(|place| **place == Place::Unknown).count();
    (restored, missing)
}

#[cfg(test)]
mod tests {
    use palimpsest_text::random::cases;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Conversations of which much reads alike, also when it is cut.
    fn record() -> impl Strategy<Value = Vec<u8>> {
        let talk = |topic: &str| {
            format!("Well, {topic} is a nice thing to talk about. We like it a lot, and so it goes on. ").repeat(3)
        };
        let log: String =
            (0..20).map(|line| format!("12:00:{line} worker-{} wrote {} rows\n", line % 3, line * 7)).collect();
        let texts = ["ok".to_owned(), "Go on.".to_owned(), talk("music"), talk("sport"), log];
        (prop::sample::select(b"uuaacr".to_vec()), prop::sample::select(texts.to_vec()))
            .prop_map(|(letter, text)| [&[0x1E, letter], text.as_bytes()].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: cases(128), ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_edited_comes_back_or_stays(
            share in 0..10_u8,
            messages in vec(record(), 1..16),
            edits in vec((0..6_u8, 0..16_u8, 0..16_u8), 0..6),
        ) {
            let edits = edits.into_iter().flat_map(|(action, place, other)| [action, place, other]);
            let edits: Vec<u8> = [0x1E, super::EDITS].into_iter().chain(edits).collect();
            super::restore(&[&[b'0' + share][..], b"0001", &edits, &messages.concat()].concat());
        }
    }
}
