//! What holds for every text, whatever structures it mixes.

use std::collections::HashSet;

use proptest::prelude::*;

use super::context::MAX_CHAIN;
use super::spans::{Form, Span, spans_of};
use super::{Costs, Edit, Fit, Keep, Piece};
use crate::agent::prune::Options;
use crate::agent::transcript::{Kind, Part, Role, Transcript};
use crate::text::TextBuf;
use crate::tokens::Tokenizer;

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
    #![proptest_config(ProptestConfig::with_cases(cases()))]

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
        let fit = read(&texts, is_value);
        let all: f64 = fit.tokens_of_messages().iter().sum();
        for limit in [limit, 0.3, 0.9] {
            let (state, _) = fit.fill(all * limit, &[]);
            for (at, item) in fit.items.iter().enumerate().filter(|&(at, _)| state.kept[at]) {
                prop_assert!(item.context.is_none_or(|above| state.kept[at - above.get() as usize]));
                let part = &fit.of_part[item.part as usize];
                prop_assert!(!item.needs_ends || (state.kept[part.start as usize] && state.kept[part.end as usize - 1]));
            }
            let choice = fit.choose(all * limit, &[]);
            for (part, edit) in &choice.edits {
                let Edit::Replace(pieces) = edit else { continue };
                let original = fit.transcript.text(*part as usize);
                if super::structure::read(original).is_some() {
                    let before = names(&written(&fit, *part, &[Piece::Keep(0..original.len())]));
                    prop_assert!(before.is_some());
                    prop_assert!(names(&written(&fit, *part, pieces)).is_some());
                }
            }
        }
    }
}

/// So many cases; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

/// A call with each text as its result, and what follows.
fn read(texts: &[Vec<u16>], is_value: bool) -> Fit {
    let count = 2 * texts.len() as u32 + 3;
    let mut transcript = Transcript::new(count, vec!["bash".to_owned()], 0, 0);
    transcript.push(Part::new(0, Role::User, Kind::Text), &units("Show me."));
    for (at, text) in texts.iter().enumerate() {
        let message = 1 + 2 * at as u32;
        transcript.push(Part { name: Some(0), ..Part::new(message, Role::Assistant, Kind::Call) }, &units("{}"));
        let call = Some(message);
        transcript.push(Part { call, is_value, ..Part::new(message + 1, Role::Tool, Kind::Result) }, text);
    }
    transcript.push(Part::new(count - 2, Role::Assistant, Kind::Text), &units("There it is."));
    transcript.push(Part::new(count - 1, Role::User, Kind::Text), &units("And now?"));
    let costs =
        Costs { parts: vec![0.0; transcript.parts().len()], messages: vec![4.0; count as usize], ..Costs::default() };
    Fit::new(transcript, costs, &Keep::default(), Some(&Options::default()), Tokenizer::Estimate)
}

fn written(fit: &Fit, part: u32, pieces: &[Piece]) -> String {
    let mut text = TextBuf::new();
    for piece in pieces {
        match piece {
            Piece::Keep(range) => text.push(fit.transcript.text(part as usize).slice(range.clone())),
            Piece::Mark(mark) => text.push_str(mark),
        }
    }
    let text = text.as_text();
    text.units().map_or_else(|| String::from_utf8_lossy(text.bytes()).into_owned(), String::from_utf16_lossy)
}

/// How many objects a JSON text has; None where it is none, or where an object has two members of one name.
fn names(text: &str) -> Option<usize> {
    serde_json::from_str::<Unique>(text).ok().map(|Unique(objects)| objects)
}

/// The number of objects in a value, each of whose names is there once.
struct Unique(usize);

impl<'de> serde::Deserialize<'de> for Unique {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor)
    }
}

struct UniqueVisitor;

impl<'de> serde::de::Visitor<'de> for UniqueVisitor {
    type Value = Unique;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique(0))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
        Ok(Unique(0))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
        Ok(Unique(0))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
        Ok(Unique(0))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
        Ok(Unique(0))
    }

    fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
        Ok(Unique(0))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Unique, A::Error> {
        let mut objects = 0;
        while let Some(Unique(inside)) = items.next_element()? {
            objects += inside;
        }
        Ok(Unique(objects))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut members: A) -> Result<Unique, A::Error> {
        let mut seen = HashSet::new();
        let mut objects = 1;
        while let Some((name, Unique(inside))) = members.next_entry::<String, Unique>()? {
            objects += inside;
            if !seen.insert(name) {
                return Err(serde::de::Error::custom("a name is there twice"));
            }
        }
        Ok(Unique(objects))
    }
}
