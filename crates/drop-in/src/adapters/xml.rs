//! XML and HTML: the tags stay, long texts between them are summarised.

use memchr::memchr;
use memchr::memmem;

use palimpsest_text::class::{LETTER, SPACE, is, is_at, run_end};
use palimpsest_text::{Text, TextBuf};

/// Returns whether the text starts with an element, after an optional XML declaration, and contains a closing tag.
pub(super) fn detect(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    let mut at = run_end(bytes, 0, SPACE);
    if bytes[at..].starts_with(b"<?xml")
        && let Some(end) = memchr(b'>', &bytes[at..])
        && bytes[at..at + end].ends_with(b"?")
    {
        at = run_end(bytes, at + end + 1, SPACE);
    }
    bytes.get(at) == Some(&b'<')
        && is_at(bytes, at + 1, LETTER)
        && memmem::find_iter(bytes, b"</").any(|at| is_at(bytes, at + 2, LETTER))
}

/// Returns the text as one piece, with `[…]` in place of each long text between two tags.
pub(super) fn preserved(text: Text<'_>) -> Vec<TextBuf> {
    let mut skeleton = TextBuf::new();
    let mut from = 0;
    for (start, end) in nodes(text.bytes()).filter(|&(start, end)| is_prose(text.slice(start..end))) {
        skeleton.push(text.slice(from..start));
        skeleton.push_str("[\u{2026}]");
        from = end;
    }
    skeleton.push(text.slice(from..text.len()));
    vec![skeleton.as_text().trim().into()]
}

/// Returns the long texts between tags, followed by the long comments.
pub(super) fn compressible(text: Text<'_>) -> Vec<TextBuf> {
    let pieces = nodes(text.bytes()).chain(comments(text.bytes())).map(|(start, end)| text.slice(start..end).trim());
    pieces.filter(|piece| is_prose(*piece)).map(TextBuf::from).collect()
}

/// Returns the non-empty ranges between a `>` and the next `<`.
fn nodes(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + memchr(b'>', &text[from..])? + 1;
            let end = start + memchr(b'<', &text[start..])?;
            from = end;
            if start < end {
                return Some((start, end));
            }
        }
    })
}

fn comments(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + memmem::find(&text[from..], b"<!--")? + 4;
        let end = start + memmem::find(&text[start..], b"-->")?;
        from = end + 3;
        Some((start, end))
    })
}

/// Returns whether a piece of markup is prose worth a summary: at least 100 UTF-16 code units and six words.
fn is_prose(text: Text<'_>) -> bool {
    let text = text.trim();
    text.len() >= 100 && text.bytes().split(|&byte| is(byte, SPACE)).filter(|word| !word.is_empty()).count() >= 6
}
