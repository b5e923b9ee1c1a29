//! Sentences, as the contract cuts them.

use crate::text::class::{LINE_END, SENTENCE_END, is, run_end, trim};
use crate::text::masks::Scanned;

/// The sentences in `start..end`, each trimmed: runs of units other than `.` `!` `?` LF that one of the first three
/// follows directly, with all the marks that follow. What no mark ends belongs to none.
pub fn sentences(text: Scanned<'_>, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    let bytes = &text.bytes[..end];
    let mut at = start;
    std::iter::from_fn(move || {
        while at < end {
            let from = at;
            at = text.find(at, |block| block.sentence_end | block.line_end).min(end);
            while at < end && is(bytes[at], LINE_END) && bytes[at] != b'\n' {
                at = text.find(at + 1, |block| block.sentence_end | block.line_end).min(end);
            }
            let marks = run_end(bytes, at, SENTENCE_END);
            if at > from && marks > at {
                at = marks;
                return Some(trim(bytes, from, marks));
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
