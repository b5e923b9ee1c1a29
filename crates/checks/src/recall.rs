//! `recall` returns passages that stand in the history and not in the request, within the tokens.

use std::convert::Infallible;
use std::ops::Range;

use super::input::{Digits, buffer, records, units_of};
use palimpsest_recall::{Index, Passage, Query};
use palimpsest_text::{TextBuf, Texts};
use palimpsest_tokens::Tokenizer;

/// Asks a history of a line of options and records. The first record is the query, the others begin with a letter: a text that has to stand in each
/// passage (`x`), a text of the request (`s`), or a part of the history (any other).
pub fn recall(bytes: &[u8]) {
    let (digits, mut records) = records(bytes);
    let mut digits = Digits(digits.iter());
    let tokenizer = digits.pick(&[Tokenizer::Estimate, Tokenizer::O200kBase]);
    let tokens = usize::from(digits.number()) * 10;
    let cut = usize::from(digits.number());
    let text = buffer(&units_of(records.next().unwrap_or_default()));
    let mut query = Query { text, tokens, overhead: 3, tokenizer, ..Query::default() };
    let mut history: Vec<Vec<u16>> = Vec::new();
    let mut sent = Texts::default();
    let mut sent_texts: Vec<TextBuf> = Vec::new();
    for record in records {
        let Some((letter, text)) = record.split_first() else { continue };
        let units = units_of(text);
        match letter {
            b'x' if !units.is_empty() => query.exact.push(buffer(&units)),
            b's' => {
                sent.push_units(&units);
                sent_texts.push(buffer(&units));
            }
            _ => history.push(units),
        }
    }
    let mut index = Index::default();
    append(&mut index, &history);
    index.set_sent(Vec::new(), &sent);
    let found = index.search(&query);
    assert_eq!(found, index.search(&query));
    assert!(found.iter().map(|passage| passage.tokens + query.overhead).sum::<usize>() <= tokens);
    assert!(found.is_sorted_by(|a, b| a.score >= b.score), "the best come first");
    for (place, passage) in found.iter().enumerate() {
        let part = buffer(&history[passage.part as usize]);
        let shown = part.as_text().slice(passage.range.clone());
        assert!(!shown.trim().is_empty());
        assert!((0.0..=1.0).contains(&passage.score));
        let ends = |to: usize| part.as_text().prefix(to).bytes().iter().filter(|&&byte| byte == b'\n').count() as u32;
        assert_eq!(passage.lines.0, 1 + ends(passage.range.start), "{passage:?}");
        assert!(passage.lines.1 >= passage.lines.0 && passage.lines.1 <= 1 + ends(passage.range.end), "{passage:?}");
        let holds = |text: &TextBuf, other: &[u16]| {
            let units: Vec<u16> = (0..text.len()).map(|at| text.as_text().unit(at)).collect();
            other.is_empty() || units.windows(other.len()).any(|some| some == other)
        };
        let own = &history[passage.part as usize][passage.range.clone()];
        assert!(!sent_texts.iter().any(|text| holds(text, own)), "{shown:?} was sent");
        let overlaps = |other: &Passage| {
            other.part == passage.part && other.range.start < passage.range.end && passage.range.start < other.range.end
        };
        assert!(!found[..place].iter().any(overlaps), "passages overlap");
    }
    // An index that shrank and grew finds the same.
    let count = cut.min(history.len());
    index.truncate(count);
    append(&mut index, &history[count..]);
    assert_eq!(found, index.search(&query));
}

/// Appends parts that answer the part before them.
fn append(index: &mut Index, texts: &[Vec<u16>]) {
    let first = index.len();
    let lengths: Vec<u32> = texts.iter().map(|text| text.len() as u32).collect();
    let read = |chunk: Range<usize>, all: &mut Texts| {
        texts[chunk].iter().for_each(|text| all.push_units(text));
        Ok::<(), Infallible>(())
    };
    let call_of = |number: usize| (first + number).checked_sub(1).map(|before| before as u32);
    let name = TextBuf::from("run_parser");
    let Ok(()) =
        index.append(&lengths, read, call_of, |number| (first + number).is_multiple_of(3).then(|| name.as_text()));
}
