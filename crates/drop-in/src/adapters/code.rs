//! Prose around fenced code: the code stays.

use crate::summarize::fences;
use palimpsest_text::{Text, TextBuf};

pub(super) fn detect(text: Text<'_>) -> bool {
    fences::has_backticks(text.bytes())
}

pub(super) fn preserved(text: Text<'_>) -> Vec<TextBuf> {
    pieces(text, &fences::segments(text.bytes()).code)
}

pub(super) fn compressible(text: Text<'_>) -> Vec<TextBuf> {
    pieces(text, &fences::segments(text.bytes()).prose)
}

fn pieces(text: Text<'_>, ranges: &[(usize, usize)]) -> Vec<TextBuf> {
    ranges.iter().map(|&(start, end)| text.slice(start..end).into()).collect()
}
