//! Sentences and paragraphs, as the contract splits them.

use palimpsest_text::class::{SENTENCE_END, run_end, trim};
use palimpsest_text::masks::Scanned;

/// Returns the sentences in `start..end`, trimmed: runs of characters other than `.` `!` `?` LF, followed directly by
/// one or more of the first three, which are included. Text that no such mark ends belongs to no sentence.
pub fn sentences(text: Scanned<'_>, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    let bytes = &text.bytes[..end];
    let mut at = start;
    std::iter::from_fn(move || {
        while at < end {
            let from = at;
            at = text.find(at, |block| block.sentence_end | block.lf).min(end);
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

/// Returns the paragraphs of `text`: the ranges between runs of two or more LFs, without blank ones.
pub(super) fn paragraphs(text: Scanned<'_>) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        while next < text.bytes.len() {
            let (start, end) = (next, text.find_blank_line(next));
            next = text.run_end(end, |block| block.lf);
            if !text.is_blank(start, end) {
                return Some((start, end));
            }
        }
        None
    })
}
