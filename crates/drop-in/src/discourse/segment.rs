//! Splitting a text into clauses.

use super::marks::{Mark, Sign};
use crate::summarize::sentences;
use palimpsest_text::class::{LETTER, SPACE, is, run_end, trim};
use palimpsest_text::masks::Scanned;

/// An elementary discourse unit: a clause or a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edu {
    /// Start, in UTF-16 code units.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
    /// Whether the clause before is needed to understand it.
    pub depends_on_last: bool,
    /// Value in a summary.
    pub score: f64,
}

/// Clauses that end at a boundary and are no longer than this are dropped, in UTF-16 code units.
const MIN_CLAUSE: usize = 10;
/// All other clauses that are no longer than this are dropped.
const MIN_EDU: usize = 5;

/// Words that start a clause after a comma, if a space follows.
const CONJUNCTIONS: &[&str] = &[
    "after", "although", "and", "as", "because", "before", "but", "if", "or", "since", "so", "then", "unless", "when",
    "where", "which", "while", "yet",
];
/// Words that start a clause after white space, even if more letters follow.
const ADVERBS: &[&str] = &[
    "accordingly",
    "additionally",
    "consequently",
    "furthermore",
    "hence",
    "however",
    "instead",
    "meanwhile",
    "moreover",
    "nevertheless",
    "nonetheless",
    "otherwise",
    "therefore",
    "thus",
];

/// Writes the clauses of `text`, which has `marks`, to `edus`, in order.
pub(super) fn segment(text: Scanned<'_>, marks: &[Mark], edus: &mut Vec<Edu>) {
    edus.clear();
    let mut next = 0;
    let mut push = |edus: &mut Vec<Edu>, (start, end): (usize, usize)| {
        if end - start > MIN_EDU {
            next += marks[next..].iter().take_while(|mark| mark.start < start).count();
            let found = marks[next..].iter().take_while(|mark| mark.start < end).filter(|mark| mark.end <= end);
            edus.push(judge(start, end, found, edus.is_empty()));
        }
    };
    let mut is_empty = true;
    for (start, end) in sentences(text, 0, text.bytes.len()) {
        is_empty = false;
        for_each_clause(text.bytes, start, end, |clause| push(edus, clause));
    }
    if is_empty {
        let (start, end) = trim(text.bytes, 0, text.bytes.len());
        for_each_clause(text.bytes, start, end, |clause| push(edus, clause));
    }
}

pub(super) fn clause_score(text: &[u8], marks: &[Mark]) -> f64 {
    judge(0, text.len(), marks.iter(), true).score
}

/// Returns the clause `start..end` with its score, by the weights of the contract, and its dependency.
fn judge<'a>(start: usize, end: usize, marks: impl Iterator<Item = &'a Mark>, is_first: bool) -> Edu {
    let (mut points, mut is_important, mut is_filler, mut depends) = (0, false, false, false);
    for mark in marks {
        let is_start = mark.start == start;
        match mark.sign {
            Sign::Identifier => points += 3,
            Sign::Quantity => points += 2,
            Sign::Importance => is_important = true,
            Sign::Filler => is_filler |= is_start,
            Sign::Anaphor => depends |= is_start,
            Sign::Connective => depends = true,
        }
    }
    let words = points + 4 * i32::from(is_important) - 5 * i32::from(is_filler);
    let score = f64::from(words) + f64::min((end - start) as f64 / 50.0, 2.0);
    Edu { start, end, depends_on_last: depends && !is_first, score }
}

/// Calls `visit` with each clause of the sentence `start..end`, trimmed.
fn for_each_clause(text: &[u8], start: usize, end: usize, mut visit: impl FnMut((usize, usize))) {
    let sentence = &text[..end];
    let (mut from, mut at) = (start, start);
    while at < end {
        if sentence[at] != b',' && !is(sentence[at], SPACE) {
            at += 1;
            continue;
        }
        match boundary_end(sentence, at) {
            Some(after) => {
                let clause = trim(sentence, from, at);
                if clause.1 - clause.0 > MIN_CLAUSE {
                    visit(clause);
                }
                (from, at) = (at, after);
            }
            // If a run of white space is not a boundary, no part of it is.
            None => at = run_end(sentence, at, SPACE).max(at + 1),
        }
    }
    visit(trim(sentence, from, end));
}

/// Returns the end of the clause boundary at the comma or white space at `at`, if there is one.
fn boundary_end(sentence: &[u8], at: usize) -> Option<usize> {
    let starts_with = |from: usize, word: &str| {
        sentence.get(from..from + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    };
    if sentence[at] == b',' {
        let word = run_end(sentence, at + 1, SPACE);
        let word_end = run_end(sentence, word, LETTER);
        let has_blank = word_end > word && sentence.get(word_end) == Some(&b' ');
        return (has_blank && CONJUNCTIONS.iter().any(|name| name.len() == word_end - word && starts_with(word, name)))
            .then_some(word_end + 1);
    }
    let word = run_end(sentence, at, SPACE);
    let initial = sentence.get(word)?.to_ascii_lowercase();
    let adverb = ADVERBS.iter().find(|adverb| adverb.as_bytes()[0] == initial && starts_with(word, adverb))?;
    let end = run_end(sentence, word + adverb.len(), SPACE);
    Some(if matches!(sentence.get(end), Some(b',' | b'.')) { end + 1 } else { end })
}
