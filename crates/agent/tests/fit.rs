//! The promises of `fit`, kept by the engine alone: within the budget by a count of our own, and back again to the letter.

mod support;

use palimpsest_agent::edit::{Change, Piece};
use palimpsest_agent::fit::{Choice, Costs, Facts, FitInput, Keep, Query};
use palimpsest_history::restore::fingerprint::{Print, fingerprint};
use palimpsest_history::restore::places::{Cut, Place, Round};
use palimpsest_text::random::cases;
use palimpsest_tokens::Tokenizer;
use proptest::prelude::*;
use serde_json::json;
use support::{Talk, prose};

/// Tokens of a message beside its text, and of the request.
const MESSAGE: f64 = 4.0;
const REQUEST: f64 = 3.0;

/// Possible next steps of a conversation, each a message of its own.
#[derive(Clone, Debug)]
enum Step {
    User(String),
    Assistant(String),
    Read(usize, String),
}

fn step() -> impl Strategy<Value = Step> {
    let text = || {
        prop_oneof![
            3 => prop::sample::select(vec!["one", "two", "three"]).prop_map(prose),
            2 => "(error: |parseUrl |x_1 |東京 |😀|\n|word |0 failed ){0,120}",
            1 => ("[a-z ]{5,40}", 1..60_usize).prop_map(|(line, count)| format!("{line}\n").repeat(count)),
        ]
    };
    prop_oneof![
        1 => text().prop_map(Step::User),
        2 => text().prop_map(Step::Assistant),
        3 => (0..3_usize, text()).prop_map(|(path, text)| Step::Read(path, text)),
    ]
}

fn talk_of(steps: &[Step]) -> Talk {
    let mut talk = Talk::new();
    for step in steps {
        match step {
            Step::User(text) => _ = talk.user(text),
            Step::Assistant(text) => _ = talk.assistant(text),
            Step::Read(path, text) => _ = talk.call("Read", json!({ "file_path": format!("/r/{path}.ts") }), text),
        }
    }
    talk
}

fn texts_of(talk: &Talk) -> Vec<Vec<u16>> {
    talk.parts().iter().map(|(_, text)| text.encode_utf16().collect()).collect()
}

/// The tokens of messages of these texts, by the definition of the estimate.
fn count(texts: &[Vec<u16>]) -> f64 {
    REQUEST + texts.iter().map(|text| MESSAGE + (text.len() as f64 / 3.5).ceil()).sum::<f64>()
}

/// The texts that are left, and the round that leads back.
fn apply(texts: &[Vec<u16>], choice: &Choice) -> (Vec<Vec<u16>>, Round) {
    let (mut left, mut cuts): (Vec<Vec<u16>>, Vec<Cut>) = (Vec::new(), Vec::new());
    let mut edits = choice.edits.iter().peekable();
    for (index, text) in texts.iter().enumerate() {
        let cut = |at, left| Cut { at, left, of: vec![print_of(text)], is_consistent: true };
        match edits.next_if(|(part, _)| part.index() == index) {
            None => left.push(text.clone()),
            Some((_, Change::Remove)) => match cuts.last_mut().filter(|cut| cut.left == 0 && cut.at == left.len()) {
                Some(run) => run.of.push(print_of(text)),
                None => cuts.push(cut(left.len(), 0)),
            },
            Some((_, Change::Replace(pieces))) => {
                let written = write(text, pieces);
                if written != *text {
                    cuts.push(cut(left.len(), 1));
                }
                left.push(written);
            }
        }
    }
    assert!(edits.next().is_none(), "edits are in the order of the parts");
    let prints = left.iter().map(|text| print_of(text)).collect();
    (left, Round { left: Some(prints), cuts })
}

fn write(text: &[u16], pieces: &[Piece]) -> Vec<u16> {
    let (mut written, mut last) = (Vec::new(), 0);
    for piece in pieces {
        match piece {
            Piece::Keep(range) => {
                assert!(last <= range.start && range.end <= text.len(), "pieces are in the order of the text");
                last = range.end;
                written.extend_from_slice(&text[range.clone()]);
            }
            Piece::Mark(mark) => written.extend(mark.encode_utf16()),
        }
    }
    written
}

fn print_of(text: &[u16]) -> Print {
    fingerprint(text).map(u16::from)
}

/// The fingerprints of the conversation that `round` was made of, found in `now`.
fn put_back(round: &Round, now: &[Print]) -> Vec<Print> {
    let places = round.places(now);
    let mut whole = Vec::new();
    for index in 0..=now.len() {
        let here = || round.cuts.iter().zip(&places.cuts).filter(|(_, place)| **place == Place::At(index));
        whole.extend(here().filter(|(cut, _)| cut.left == 0).flat_map(|(cut, _)| &cut.of));
        match here().find(|(cut, _)| cut.left > 0) {
            Some((cut, _)) => whole.extend(&cut.of),
            None => whole.extend(now.get(index)),
        }
    }
    whole
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_stays_is_within_the_budget_and_leads_back(
        steps in prop::collection::vec(step(), 1..24),
        share in 0.02..0.99_f64,
        appended in prop::collection::vec(step(), 0..3),
    ) {
        let talk = talk_of(&steps);
        let texts = texts_of(&talk);
        let budget = (count(&texts) * share).floor();
        let costs = Costs {
            parts: vec![0.0; texts.len()].into(),
            messages: vec![MESSAGE; texts.len()].into(),
            request: REQUEST,
            ..Costs::default()
        };
        let input = FitInput::read(talk.transcript(), Facts::new(Tokenizer::Estimate), costs, &Keep::default(), &Query::Current, None);
        prop_assert_eq!(REQUEST + input.message_tokens().iter().sum::<f64>(), count(&texts));
        // As `fit` does, which leaves all as it is if that fits.
        prop_assume!(count(&texts) > budget);
        let choice = input.search(budget, Some(count(&texts)), &[]).unwrap_or_default();
        let (left, round) = apply(&texts, &choice);
        let (least, _) = apply(&texts, &input.choose(0.0, &[]));
        prop_assert!(count(&left) <= budget.max(count(&least)), "{} of {budget} tokens", count(&left));
        let prints = |texts: &[Vec<u16>]| texts.iter().map(|text| print_of(text)).collect::<Vec<_>>();
        prop_assert_eq!(put_back(&round, &prints(&left)), prints(&texts));
        // Later messages follow it.
        let more = prints(&texts_of(&talk_of(&appended)));
        let whole = put_back(&round, &[prints(&left), more.clone()].concat());
        let is_ambiguous = !round.cuts.is_empty() && round.places(&[prints(&left), more.clone()].concat()).cuts.contains(&Place::Unknown);
        prop_assert!(is_ambiguous || whole == [prints(&texts), more].concat());
    }
}
