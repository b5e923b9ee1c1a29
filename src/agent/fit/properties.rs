//! What holds for every text, whatever structures it mixes.

use proptest::prelude::*;

use super::context::MAX_CHAIN;
use super::span::{Form, Span};
use super::split::spans_of;
use super::{Case, Costs, Edit, Facts, Keep, Piece, Query};
use crate::agent::prune::Options;
use crate::text::json::is_json_structure;
use crate::text::{Text, TextBuf, Texts};
use crate::tokens::Tokenizer;
use crate::transcript::{Kind, Part, Role, Transcript};

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
        depths.push(span.context.map_or(0, |above| 1 + depths[at - above.get() as usize]));
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
        let case = read(&texts, is_value);
        let all: f64 = case.message_tokens().iter().sum();
        for limit in [limit, 0.3, 0.9] {
            let (state, _) = case.plan(all * limit, &[]);
            for (at, item) in case.items.list.iter().enumerate().filter(|&(at, _)| state.kept[at]) {
                prop_assert!(item.context.is_none_or(|above| state.kept[at - above.get() as usize]));
                let part = &case.items.of_part[item.part as usize];
                prop_assert!(!item.needs_ends || (state.kept[part.start as usize] && state.kept[part.end as usize - 1]));
            }
            let choice = case.choose(all * limit, &[]);
            for (part, edit) in &choice.edits {
                let Edit::Replace(pieces) = edit else { continue };
                let original = case.transcript.text(*part as usize);
                if is_json_structure(original) {
                    prop_assert!(is_json_structure(written(original, pieces).as_text()));
                }
            }
        }
    }
}

/// A call with each text as its result, and what follows.
fn read(texts: &[Vec<u16>], is_value: bool) -> Case {
    let count = 2 * texts.len() as u32 + 3;
    let (mut parts, mut given) = (Vec::new(), Texts::default());
    let mut push = |part, text: &[u16]| {
        parts.push(part);
        given.push_units(text);
    };
    push(Part::new(0, Role::User, Kind::Text), &units("Show me."));
    for (at, text) in texts.iter().enumerate() {
        let message = 1 + 2 * at as u32;
        push(Part { name: Some(0), ..Part::new(message, Role::Assistant, Kind::Call) }, &units("{}"));
        let call = Some(message);
        push(Part { call, is_value, ..Part::new(message + 1, Role::Tool, Kind::Result) }, text);
    }
    push(Part::new(count - 2, Role::Assistant, Kind::Text), &units("There it is."));
    push(Part::new(count - 1, Role::User, Kind::Text), &units("And now?"));
    let costs = Costs { parts: vec![0.0; parts.len()], messages: vec![4.0; count as usize], ..Costs::default() };
    let transcript = Transcript::new(count, vec!["bash".to_owned()], parts, given);
    let facts = Facts::new(Tokenizer::Estimate);
    Case::new(transcript, facts, costs, &Keep::default(), &Query::Current, Some(&Options::default()))
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
