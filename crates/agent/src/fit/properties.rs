//! Properties that hold for every text, however it mixes structures.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::context::MAX_CHAIN;
use super::fit_input::modes;
use super::greedy::fill;
use super::groups::Groups;
use super::indices::{FactsIndex, ItemIndex};
use super::kept::{KeptFacts, TextKeys};
use super::plan::planned;
use super::required::Required;
use super::search::{Best, Search, Step, Tried};
use super::span::{Form, Span};
use super::split::spans_of;
use super::{CacheHandle, Conversation, Costs, Facts, FitInput, Keep, Query};
use crate::edit::{Change, Piece};
use crate::prune::Options;
use palimpsest_history::transcript::{Kind, Message, Part, PartIndex, Role, Transcript};
use palimpsest_text::index::to_usize;
use palimpsest_text::json::is_json_structure;
use palimpsest_text::random::cases;
use palimpsest_text::{Text, TextBuf, Texts};
use palimpsest_tokens::measure::Measured;
use palimpsest_tokens::{Tokenizer, estimate};

/// Lines that begin, end or are part of a structure.
const LINES: [&str; 52] = [
    "```",
    "```text",
    "````md",
    "  ```",
    "12→```",
    "## Part",
    "## ",
    "# no heading",
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "--- ",
    "+++ ",
    "@@ -1,3 +1,3 @@ fn a()",
    "@@ ",
    "+let a = 1;",
    "-let b = 2;",
    " same",
    "*** Update File: a.rs",
    "10:00:00 started",
    "10:00:01 INFO worker 1 polled",
    "[WARN] the queue is full",
    "level=DEBUG cli",
    "ERROR: no such file",
    "fn a() {",
    "    async fn b() {",
    "        let c = 3;",
    "}",
    "    }",
    "",
    " ",
    "{",
    "[",
    "]",
    "]},",
    "{\"a\": 1, \"b\": [1, 2, 3]}",
    "\"[… 2 members]\": null,",
    "[… 3 lines]",
    "[…]",
    "12→fn numbered() {",
    "13→    one();",
    " 14→--- a/y",
    " 15→+++ b/y",
    "A sentence about it. And another one, which is longer than that.",
    "\\n",
    "\\\\n \\\" \\u2026",
    "東京 😀",
    "---",
    "***",
    "(((",
    "\u{0}\u{7f}",
    "x",
];

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A line, and how often it comes in a row.
fn line() -> impl Strategy<Value = Vec<u16>> {
    prop_oneof![
        24 => prop::sample::select(&LINES[..]).prop_map(units),
        2 => (prop::sample::select(&LINES[..]), 2..40usize).prop_map(|(line, times)| units(&line.repeat(times))),
        1 => (0..20usize).prop_map(|depth| units(&format!("{}fn d() {{", "  ".repeat(depth)))),
        1 => prop::sample::select(vec![0xD83Du16, 0xDE00, 0xDC00]).prop_map(|half| vec![half]),
        1 => "\\PC{0,40}".prop_map(|text| units(&text)),
    ]
}

/// Lines of all kinds, as text, as JSON, or in a string of JSON.
fn text() -> impl Strategy<Value = Vec<u16>> {
    let line_end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\n\n"]);
    let lines = (prop::collection::vec(line(), 0..40), line_end).prop_map(|(lines, end)| lines.join(&units(end)[..]));
    let json = prop_oneof![Just(true), Just(false)].prop_flat_map(|pretty| {
        let leaf = prop_oneof![
            any::<i32>().prop_map(serde_json::Value::from),
            prop::collection::vec(prop::sample::select(&LINES[..]), 1..30).prop_map(|lines| lines.join("\n").into()),
        ];
        let key = prop::sample::select(vec![
            "a",
            "b",
            "[…]",
            "[… 1 member]",
            "[… 2 members]",
            "[… 2 members (2)]",
            "c\\n",
            "rows",
        ]);
        leaf.prop_recursive(3, 60, 8, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..12).prop_map(serde_json::Value::from),
                prop::collection::vec((key.clone(), 0..30u8, inner), 0..40).prop_map(|members| {
                    let name =
                        |(key, number): (&str, u8)| if number < 8 { key.to_owned() } else { format!("{key}{number}") };
                    members.into_iter().map(|(key, number, value)| (name((key, number)), value)).collect()
                }),
            ]
        })
        .prop_map(move |value| {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            units(&text.unwrap_or_default())
        })
    });
    prop_oneof![3 => lines, 1 => json]
}

fn buffer(units: &[u16]) -> TextBuf {
    let mut text = TextBuf::new();
    text.push_units(units);
    text
}

/// How many contexts stand above one another, the longest way.
fn longest_chain(spans: &[Span]) -> usize {
    let mut depths: Vec<usize> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        depths.push(span.context.map_or(0, |above| 1 + depths[at - to_usize(above.get())]));
    }
    depths.into_iter().max().unwrap_or(0)
}

proptest! {
    #[test]
    fn spans_come_in_order_and_chains_of_contexts_are_short(units in text(), is_value: bool) {
        let text = buffer(&units);
        for kind in [Kind::Text, Kind::Call, Kind::Result] {
            let spans = spans_of(kind, is_value, text.as_text());
            prop_assert!(spans.iter().all(|span| !span.range.is_empty() && span.range.end <= units.len()));
            prop_assert!(spans.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
            prop_assert!(longest_chain(&spans) <= MAX_CHAIN);
            if kind != Kind::Call && spans.first().is_some_and(|span| span.form == Form::Text) {
                prop_assert_eq!(spans.iter().map(|span| span.range.len()).sum::<usize>(), units.len());
            }
        }
    }

    #[test]
    fn what_stays_has_its_context_and_json_stays_json(texts in prop::collection::vec(text(), 1..4), limit in 0.0..1.2f64, is_value: bool) {
        let input = read(&texts, is_value);
        let all: f64 = input.message_tokens().iter().sum();
        for limit in [limit, 0.3, 0.9] {
            let (state, _) = input.plan(all * limit, &[]);
            for (at, item) in input.items.list.iter_enumerated().filter(|&(at, _)| state.kept[at]) {
                prop_assert!(item.context.is_none_or(|above| state.kept[ItemIndex(at.0 - above.get())]));
                let kept = &state.kept[input.items.of_part[item.part]];
                prop_assert!(!item.needs_ends || (kept[0] && kept[kept.len() - 1]));
            }
            let choice = input.choose(all * limit, &[]);
            for (part, edit) in &choice.edits {
                let Change::Replace(pieces) = edit else { continue };
                let original = input.transcript.text(*part);
                if is_json_structure(original) {
                    prop_assert!(is_json_structure(written(original, pieces).as_text()));
                }
            }
        }
    }

}

proptest! {
    // Each case reads several conversations.
    #![proptest_config(ProptestConfig::with_cases(cases(48)))]

    #[test]
    fn plans_and_what_fills_them_do_not_depend_on_those_before(
        texts in prop::collection::vec(text(), 1..8), limits in prop::collection::vec(0.0..1.2f64, 1..6), is_value: bool,
    ) {
        let input = read(&texts, is_value);
        let all: f64 = input.message_tokens().iter().sum();
        let (required, mut seed) = (input.keep_required(all), None);
        for limit in limits.into_iter().flat_map(|limit| [all * limit, all * limit * 0.98]) {
            let [(mut state, mut queue), (mut alone, mut candidates)] =
                [&mut seed, &mut None].map(|seed| planned(&required, limit, &[], seed));
            for more in [0.0, 0.01, 0.3].map(|more| limit + all * more) {
                let before = state.clone();
                fill(&mut state, &mut queue, more, 0.0);
                fill(&mut alone, &mut candidates, more, 0.0);
                prop_assert!(state.keeps_as(&alone) && state.tokens == alone.tokens);
                if state.keeps_as(&before) {
                    // What does not fit does not fit the next time either.
                    let mut again = state.clone();
                    fill(&mut again, &mut queue.clone(), more, 0.0);
                    prop_assert!(again.keeps_as(&state));
                }
            }
        }
    }

    #[test]
    fn a_conversation_that_grows_is_chosen_from_as_one_that_is_read_at_once(
        texts in prop::collection::vec(text(), 1..5), again: prop::sample::Index, limit in 0.0..1.1f64, is_value: bool,
    ) {
        // A text that occurs again is one text.
        let texts = [&texts[..], &[texts[again.index(texts.len())].clone()]].concat();
        let (once, grown) = (read(&texts, is_value), read_growing(&texts, is_value, &Keep::default()));
        let all: f64 = once.message_tokens().iter().sum();
        prop_assert_eq!(once.message_tokens(), grown.message_tokens());
        for limit in [limit, 0.4, 0.8] {
            let [a, b] = [&once, &grown].map(|input| input.search(all * limit, Some(all), &[]));
            prop_assert_eq!(format!("{a:?}"), format!("{b:?}"));
        }
    }

    #[test]
    fn kept_facts_are_those_of_texts_that_are_read_anew(
        texts in prop::collection::vec(text(), 1..6), places in [conversation(), conversation()], is_value: bool, is_exact: bool,
    ) {
        let [before, after] = places.map(|(places, recent)| {
            let chosen: Vec<Vec<u16>> = places.iter().map(|place| texts[place.index(texts.len())].clone()).collect();
            (chosen, Keep { recent, ..Keep::default() })
        });
        let tokenizer = if is_exact { Tokenizer::O200kBase } else { Tokenizer::Estimate };
        let read = |(texts, keep): &(Vec<Vec<u16>>, Keep), known: KeptFacts| {
            let transcript = transcript(texts, is_value);
            let facts = known.facts(&TextKeys::of(&transcript), tokenizer);
            case_of(transcript, facts, keep)
        };
        let kept = |input: &FitInput| KeptFacts::of(&input.facts, &TextKeys::of(&input.transcript), &input.transcript, &input.texts);
        let known = kept(&read(&before, KeptFacts::default()));
        let (anew, other) = (read(&after, KeptFacts::default()), read(&after, known));
        // Packed, facts are in the order of the conversation.
        prop_assert_eq!(format!("{:?}", kept(&anew)), format!("{:?}", kept(&other)));
        let again = read(&after, kept(&other));
        let handle = CacheHandle::default();
        let [_, by_handle] = [&before, &after].map(|(texts, keep)| {
            let transcript = transcript(texts, is_value);
            let count = transcript.len();
            let measured = Measured { parts: vec![0.0; count], messages: vec![4.0; count], request: 3.0, system: 0.0 };
            let conversation = Conversation::new(transcript, measured, tokenizer, &[], (Vec::new(), 0.0));
            conversation.read(Some(&handle), keep, &Query::Current, Some(&Options::default()))
        });
        prop_assert_eq!(format!("{:?}", handle.take()), format!("{:?}", kept(&anew)));
        let texts: BTreeSet<FactsIndex> = other.texts.iter().copied().collect();
        prop_assert_eq!(again.facts.texts.len(), texts.len(), "nothing is read twice");
        let all: f64 = anew.message_tokens().iter().sum();
        for limit in [0.2, 0.5, 0.8] {
            let [a, others @ ..] = [&anew, &other, &again, by_handle.input()].map(|input| input.search(all * limit, Some(all), &[]));
            for other in others {
                prop_assert_eq!(format!("{a:?}"), format!("{other:?}"));
            }
        }
    }

    #[test]
    fn instructions_in_the_middle_go_last_and_from_the_oldest_on(
        texts in prop::collection::vec((text(), any::<bool>()), 1..8), limit in 0.0..1.1f64,
    ) {
        let input = instructed(&texts);
        let whole = input.costs.request + input.message_tokens().iter().sum::<f64>();
        let least = input.search(0.0, Some(whole), &[]).map_or(whole, |choice| choice.tokens);
        let budget = (least + (whole - least).max(0.0) * limit).floor();
        let Some(choice) = input.search(budget, Some(whole), &[]) else { return Ok(()) };
        prop_assert!(choice.tokens <= budget);
        let parts = input.transcript.parts().iter_enumerated();
        let instructions: Vec<_> = parts.filter(|(_, part)| part.role == Role::System).map(|(index, _)| index).collect();
        let edited: Vec<_> = choice.edits.iter().map(|(part, change)| (*part, *change == Change::Remove)).collect();
        let (head, rest) = instructions.split_first().expect("it begins with instructions");
        prop_assert!(edited.iter().all(|(part, is_gone)| *is_gone || !instructions.contains(part)));
        let tokens = |part: &PartIndex| 4.0 + estimate(input.transcript.text(*part).len()) as f64;
        let (newest, rest) = rest.split_last().map_or((None, rest), |(newest, rest)| (Some(newest), rest));
        let stays = |part: &PartIndex| !edited.iter().any(|(gone, _)| gone == part);
        prop_assert!(stays(head) && newest.is_none_or(stays));
        // Short ones stay.
        let (rest, short): (Vec<_>, Vec<_>) = rest.iter().partition(|part| tokens(part) > 24.0);
        prop_assert!(short.into_iter().all(stays));
        let gone: Vec<bool> = rest.iter().map(|part| !stays(part)).collect();
        prop_assert!(gone.windows(2).all(|pair| pair[0] || !pair[1]), "{gone:?}");
        // The newest that is gone found no room beside what has to stay and those after it, whatever else stays.
        if let Some(place) = gone.iter().rposition(|is_gone| *is_gone) {
            let needed = least + rest[place..].iter().copied().map(tokens).sum::<f64>();
            prop_assert!(budget < needed + MARKS, "{budget} of {needed}");
        }
    }

    #[test]
    fn the_current_exchange_stays_where_it_takes_little_of_what_is_left(
        texts in prop::collection::vec(text(), 2..8), limit in 0.0..1.1f64,
    ) {
        let input = asked_again(&texts);
        let whole = input.costs.request + input.message_tokens().iter().sum::<f64>();
        let least = input.search(0.0, Some(whole), &[]).map_or(whole, |choice| choice.tokens);
        let budget = (least + (whole - least).max(0.0) * limit).floor();
        let Some(choice) = input.search(budget, Some(whole), &[]) else { return Ok(()) };
        let tokens = input.message_tokens();
        let current = tokens.len() - 4;
        if tokens.iter().skip(current).sum::<f64>() > 0.25 * (budget - least) - MARKS {
            return Ok(());
        }
        let is_cut = |part: PartIndex| input.transcript.parts()[part].message.index() >= current;
        let cut = choice.edits.iter().filter(|(part, change)| is_cut(*part) && !holds_a_mark(change));
        prop_assert_eq!(cut.count(), 0);
    }

    #[test]
    fn a_search_keeps_its_budget_and_counts_what_it_writes(
        texts in prop::collection::vec(text(), 1..5), limit in 0.0..1.1f64, is_value: bool,
    ) {
        let input = read(&texts, is_value);
        let whole = input.costs.request + input.message_tokens().iter().sum::<f64>();
        let budget = (whole * limit).floor();
        let Some(choice) = input.search(budget, Some(whole), &[]) else { return Ok(()) };
        let least = input.choose(0.0, &[]);
        prop_assert!(choice.tokens <= budget || choice.tokens <= least.tokens);
        prop_assert!(choice.edits.is_sorted_by_key(|(part, _)| *part));
        let mut tokens = input.costs.request;
        let mut edits = choice.edits.iter().peekable();
        for part in input.transcript.parts().indices() {
            let original = input.transcript.text(part);
            tokens += match edits.next_if(|(edited, _)| *edited == part) {
                Some((_, Change::Remove)) => continue,
                Some((_, Change::Replace(pieces))) => 4.0 + estimate(written(original, pieces).len()) as f64,
                None => 4.0 + estimate(original.len()) as f64,
            };
        }
        prop_assert_eq!(choice.tokens, tokens);
    }
}

proptest! {
    #[test]
    fn a_search_uses_its_budget_where_estimates_are_too_low(
        whole in 500.0..1e6f64, excess in 0.0..0.01f64, error in 0.0..0.08f64, grain in 0.0..0.02f64,
    ) {
        let (whole, grain) = (whole.floor(), (whole * grain).floor().max(1.0));
        let budget = (whole * (1.0 - excess) - 1.0).floor();
        // All stays for every limit from its estimate on; below, so many tokens as the estimate is off, in steps.
        let count = |limit: f64| {
            let tokens = (limit.max(0.0) / (1.0 - error) / grain).floor() * grain;
            Tried { tokens: tokens.min(whole), is_cut: tokens < whole }
        };
        let (search, mut tried) = (Search::new(budget, None), Vec::new());
        let best = loop {
            match search.next(&tried) {
                Step::Try { limit, .. } => tried.push(count(limit)),
                Step::Done(best) => break best,
            }
        };
        let Best::Choice(number) = best else { panic!("nothing was chosen") };
        let tokens = tried[number].tokens;
        prop_assert!(tokens <= budget && tokens >= 0.8 * budget, "{tokens} of {budget}: {tried:?}");
    }
}

/// A call with each text as its result, and what follows: parts, each in a message of its own, with their texts.
fn messages(texts: &[Vec<u16>], is_value: bool) -> Vec<(Part, Vec<u16>)> {
    let mut list = vec![(Part::new(0, Role::User, Kind::Text), units("Show me."))];
    for text in texts {
        let message = list.len();
        list.push((Part { name: Some(0.into()), ..Part::new(message, Role::Assistant, Kind::Call) }, units("{}")));
        let result = Part::new(message + 1, Role::Tool, Kind::Result);
        list.push((Part { call: Some(message.into()), is_value, ..result }, text.clone()));
    }
    let count = list.len();
    list.push((Part::new(count, Role::Assistant, Kind::Text), units("There it is.")));
    list.push((Part::new(count + 1, Role::User, Kind::Text), units("And now?")));
    list
}

/// Tokens that marks take at most.
const MARKS: f64 = 300.0;

/// Whether a change leaves all of a text, and only adds a mark for messages.
fn holds_a_mark(change: &Change) -> bool {
    matches!(change, Change::Replace(pieces) if pieces.iter().filter(|piece| matches!(piece, Piece::Keep(_))).count() == 1)
}

/// Reads exchanges with a call each, of which the last one is over, too.
fn asked_again(texts: &[Vec<u16>]) -> FitInput {
    let (mut parts, mut given) = (Vec::new(), Texts::default());
    for text in texts {
        let call = parts.len() + 1;
        parts.push(Part::new(parts.len(), Role::User, Kind::Text));
        parts.push(Part { name: Some(0.into()), ..Part::new(call, Role::Assistant, Kind::Call) });
        parts.push(Part { call: Some(call.into()), ..Part::new(call + 1, Role::Tool, Kind::Result) });
        parts.push(Part::new(call + 2, Role::Assistant, Kind::Text));
        for said in [&units("Show me.")[..], &units("{}"), text, &units("There it is.")] {
            given.push_units(said);
        }
    }
    let transcript = Transcript::new(parts.len(), vec!["bash".to_owned()], parts, given);
    case_of(transcript, Facts::new(Tokenizer::Estimate), &Keep::default())
}

/// Reads a conversation that begins with instructions, and has each text in an exchange or as instructions.
fn instructed(texts: &[(Vec<u16>, bool)]) -> FitInput {
    let (mut parts, mut given) = (Vec::new(), Texts::default());
    let mut push = |role: Role, text: &[u16]| {
        parts.push(Part::new(parts.len(), role, Kind::Text));
        given.push_units(text);
    };
    push(Role::System, &units("Be brief."));
    for (text, is_instruction) in texts {
        push(Role::User, &units("Show me."));
        push(if *is_instruction { Role::System } else { Role::Assistant }, text);
        push(Role::Assistant, &units("There it is."));
    }
    push(Role::User, &units("And now?"));
    case_of(Transcript::new(parts.len(), Vec::new(), parts, given), Facts::new(Tokenizer::Estimate), &Keep::default())
}

fn case_of(transcript: Transcript, facts: Facts, keep: &Keep) -> FitInput {
    let count = transcript.len();
    let costs =
        Costs { parts: vec![0.0; count].into(), messages: vec![4.0; count].into(), request: 3.0, ..Costs::default() };
    FitInput::read(transcript, facts, costs, keep, &Query::Current, Some(&Options::default()))
}

/// The places of a conversation's texts in a list, and how many of its messages stay.
fn conversation() -> impl Strategy<Value = (Vec<prop::sample::Index>, u32)> {
    (prop::collection::vec(any::<prop::sample::Index>(), 1..5), 0..6u32)
}

/// Reads everything at once.
fn read(texts: &[Vec<u16>], is_value: bool) -> FitInput {
    case_of(transcript(texts, is_value), Facts::new(Tokenizer::Estimate), &Keep::default())
}

fn transcript(texts: &[Vec<u16>], is_value: bool) -> Transcript {
    let (mut parts, mut given) = (Vec::new(), Texts::default());
    for (part, text) in messages(texts, is_value) {
        parts.push(part);
        given.push_units(&text);
    }
    Transcript::new(parts.len(), vec!["bash".to_owned()], parts, given)
}

/// Reads what is new after each message.
fn read_growing(texts: &[Vec<u16>], is_value: bool, keep: &Keep) -> FitInput {
    let mut transcript = Transcript::default();
    let mut facts = Facts::new(Tokenizer::Estimate);
    transcript.push_name("bash".to_owned());
    for (part, text) in messages(texts, is_value) {
        transcript.push_message(Message::default(), &[]);
        transcript.push_part(part, buffer(&text).as_text());
        let groups = Groups::of(&transcript);
        let modes = modes(&transcript, &groups, &Required::new(&transcript, &groups, keep));
        facts.extend(&transcript, &modes);
        let known = facts.texts.len();
        facts.extend(&transcript, &modes);
        assert_eq!(facts.texts.len(), known, "nothing is read twice");
    }
    case_of(transcript, facts, keep)
}

fn written(original: Text<'_>, pieces: &[Piece]) -> TextBuf {
    let mut text = TextBuf::new();
    for piece in pieces {
        match piece {
            Piece::Keep(range) => text.push(original.slice(range.clone())),
            Piece::Mark(mark) => text.push_str(mark),
        }
    }
    text
}
