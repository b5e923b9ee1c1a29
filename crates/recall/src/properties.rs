//! Properties of recall over any texts, also those made to be slow.

use std::convert::Infallible;
use std::ops::Range;

use proptest::prelude::*;

use super::{Index, Passage, Query};
use palimpsest_text::random::below;
use palimpsest_text::{TextBuf, Texts};
use palimpsest_tokens::Tokenizer;

fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "parseHeader ",
        "src/io/read.ts ",
        "a",
        "\n",
        "\\n",
        ". ",
        "北京故宫",
        "。",
        "[…]",
        "[… 3 lines]",
        "}, {",
        "ORD-17 ",
        " ",
        "the worker reads the queue",
        "É",
        "\u{1F600}",
        "\"",
        "x1 ",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

fn texts_of(list: &[String]) -> Texts {
    let mut texts = Texts::default();
    list.iter().for_each(|text| texts.push_str(text));
    texts
}

/// Appends parts that answer the part before them.
fn append(index: &mut Index, texts: &[String]) {
    let first = index.len();
    let units: Vec<Vec<u16>> = texts.iter().map(|text| text.encode_utf16().collect()).collect();
    let lengths: Vec<u32> = units.iter().map(|text| text.len() as u32).collect();
    let read = |chunk: Range<usize>, all: &mut Texts| {
        units[chunk].iter().for_each(|text| all.push_units(text));
        Ok::<(), Infallible>(())
    };
    let call_of = |number: usize| (first + number).checked_sub(1).map(|before| before as u32);
    let name = TextBuf::from("run_parser");
    let Ok(()) =
        index.append(&lengths, read, call_of, |number| (first + number).is_multiple_of(3).then(|| name.as_text()));
}

fn index_of(history: &[String], sent: &[String]) -> Index {
    let mut index = Index::default();
    append(&mut index, history);
    index.set_sent(Vec::new(), &texts_of(sent));
    index
}

fn query(text: &str, exact: &[&str], tokens: usize) -> Query {
    let exact = exact.iter().map(|&text| TextBuf::from(text)).collect();
    Query { text: TextBuf::from(text), exact, tokens, overhead: 3, tokenizer: Tokenizer::Estimate }
}

fn shown(history: &[String], passage: &Passage) -> String {
    let units: Vec<u16> = history[passage.part as usize].encode_utf16().collect();
    String::from_utf16_lossy(&units[passage.range.clone()])
}

#[test]
fn blanks_are_no_passage() {
    let line = format!("{}\n ", "parseHeader ".repeat(8));
    let index = index_of(&[line], &[]);
    assert_eq!(index.search(&query("parseHeader", &[], 4)), [], "all that would fit is blank");
    assert_eq!(index.search(&query("parseHeader", &[], 100)).len(), 1);
}

/// Long enough for several threads, which read most of it before it shrinks and grows.
#[test]
fn a_long_history_is_found_as_if_it_had_been_read_step_by_step() {
    let mut below = below();
    let words =
        ["parse", "Header", "queue ", "worker ", "é", "→", ". ", "\n", "ORD-17 ", "北京", "src/io.ts ", "reads the "];
    let mut text = |length: usize| {
        (0..length).map(|_| words[below(words.len())].to_owned() + ["", "x", "yz"][below(3)]).collect::<String>()
    };
    let history: Vec<String> = (0..750).map(|number| text(number % 250)).collect();
    assert!(history.iter().map(|text| text.encode_utf16().count()).sum::<usize>() > 2 * 256 * 1024);
    let (mut whole, mut steps) = (Index::default(), Index::default());
    append(&mut whole, &history);
    history.chunks(7).for_each(|some| append(&mut steps, some));
    let queries = [query("which worker reads ORD-17?", &[], 400), query("parse", &["queue é"], 200)];
    for count in [history.len(), 600, 200, 0] {
        for index in [&mut whole, &mut steps] {
            index.truncate(count);
            append(index, &history[..3]);
        }
        for query in &queries {
            assert_eq!(whole.search(query), steps.search(query), "after {count} parts");
        }
    }
}

proptest! {
    #[test]
    fn parts_that_were_sent_are_like_texts_that_were(
        history in prop::collection::vec(any_text(), 1..5),
        parts in prop::collection::vec(0..6_u32, 0..4),
        others in prop::collection::vec(any_text(), 0..2),
        count in 0..6usize,
        asked in any_text(),
        exact in prop::option::of(prop::sample::select(vec!["worker", "北京", "a", "\\n"])),
    ) {
        let texts = parts.iter().filter_map(|&part| history.get(part as usize));
        let mut by_texts = index_of(&history, &texts.chain(&others).cloned().collect::<Vec<_>>());
        let mut by_parts = index_of(&history, &[]);
        by_parts.set_sent(parts, &texts_of(&others));
        let query = query(&asked, exact.as_slice(), 100);
        prop_assert_eq!(by_parts.search(&query), by_texts.search(&query));
        // What was sent stays when the history changes.
        for index in [&mut by_parts, &mut by_texts] {
            index.truncate(count);
            append(index, &history);
        }
        prop_assert_eq!(by_parts.search(&query), by_texts.search(&query));
    }

    #[test]
    fn passages_are_of_the_history_not_sent_and_within_the_tokens(
        history in prop::collection::vec(any_text(), 0..5),
        sent in prop::collection::vec(any_text(), 0..3),
        keeps in any::<bool>(),
        asked in any_text(),
        exact in prop::option::of(prop::sample::select(vec!["worker", "北京", "a", "\\n"])),
        tokens in 0..200usize,
    ) {
        let sent = if keeps { history.iter().take(1).chain(&sent).cloned().collect() } else { sent };
        let index = index_of(&history, &sent);
        let query = query(&asked, exact.as_slice(), tokens);
        let found = index.search(&query);
        prop_assert_eq!(&index.search(&query), &found);
        prop_assert!(found.iter().map(|passage| passage.tokens + query.overhead).sum::<usize>() <= tokens);
        prop_assert!(found.is_sorted_by(|a, b| a.score >= b.score));
        for (place, passage) in found.iter().enumerate() {
            let text = shown(&history, passage);
            prop_assert!(!text.trim().is_empty());
            prop_assert!((0.0..=1.0).contains(&passage.score));
            prop_assert!(!sent.iter().any(|sent| sent.contains(&text)), "{:?} was sent", text);
            prop_assert!(exact.iter().all(|&exact| text.contains(exact)));
            let overlaps = |other: &Passage| {
                other.part == passage.part && other.range.start < passage.range.end && passage.range.start < other.range.end
            };
            prop_assert!(!found[..place].iter().any(overlaps));
        }
    }

    #[test]
    fn an_index_that_shrank_and_grew_finds_the_same(
        history in prop::collection::vec(any_text(), 0..5),
        others in prop::collection::vec(any_text(), 0..4),
        start in 0..5usize,
        asked in any_text(),
    ) {
        let start = start.min(history.len());
        let mut changed = index_of(&[&history[..start], &others].concat(), &[]);
        changed.truncate(start);
        append(&mut changed, &history[start..]);
        let query = query(&asked, &[], 100);
        prop_assert_eq!(changed.search(&query), index_of(&history, &[]).search(&query));
    }
}
