//! Sentences, as the contract cuts them.

use crate::text::class::{SENTENCE_END, is, run_end, trim};

/// The sentences in `start..end`, each trimmed: runs of units other than `.` `!` `?` LF that one of the first three
/// follows directly, with all the marks that follow. What no mark ends belongs to none.
pub fn sentences(text: &[u8], start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let text = &text[..end];
    let mut at = start;
    std::iter::from_fn(move || {
        while at < text.len() {
            let from = at;
            while at < text.len() && !is(text[at], SENTENCE_END) && text[at] != b'\n' {
                at += 1;
            }
            let marks = run_end(text, at, SENTENCE_END);
            if at > from && marks > at {
                at = marks;
                return Some(trim(text, from, marks));
            }
            at = marks.max(at + 1);
        }
        None
    })
}

/// The paragraphs of `text`: what stands between runs of two or more LFs, without the blank ones.
pub fn paragraphs(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at;
            let end = memchr::memmem::find(&text[start..], b"\n\n").map_or(text.len(), |offset| start + offset);
            at = end;
            while text.get(at) == Some(&b'\n') {
                at += 1;
            }
            let (from, to) = trim(text, start, end);
            if from < to {
                return Some((start, end));
            }
        }
        None
    })
}
