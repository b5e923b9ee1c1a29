//! Structural elements: code fences, lone braces, tables.

use palimpsest_text::class::{LINE_END, SPACE, find, is, is_line_start};
use palimpsest_text::lines::fence_indent;
use palimpsest_text::masks::{Scanned, positions};

/// Counts structural elements: half of the fence lines, rounded down, plus the lines that are only `{` or `[`, plus one
/// if there is a table.
pub fn structural_elements(text: Scanned<'_>) -> u32 {
    let bytes = text.bytes;
    let (mut fences, mut braces, mut rows) = (0, 0, 0);
    for (number, block) in text.blocks.iter().enumerate() {
        for at in positions(number, block.opener) {
            match bytes[at] {
                b'`' => fences += u32::from(bytes[at..].starts_with(b"```") && fence_indent(bytes, at).is_some()),
                b'|' => rows += u32::from(is_line_start(bytes, at) && is_row(bytes, at)),
                _ => braces += u32::from(is_alone(bytes, at)),
            }
        }
    }
    fences / 2 + braces + u32::from(rows >= 2)
}

/// Returns whether the line from `start` on has at least three UTF-16 code units and ends in a bar.
fn is_row(text: &[u8], start: usize) -> bool {
    let end = find(text, start, LINE_END);
    end - start >= 3 && text[end - 1] == b'|'
}

/// Returns whether the character at `at` is alone on its line, apart from white space.
fn is_alone(text: &[u8], at: usize) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|&byte| is(byte, LINE_END));
    let blank = |&&byte: &&u8| is(byte, SPACE) && !is(byte, LINE_END);
    let after = text[at + 1..].iter().take_while(blank).count();
    if !is_edge(text.get(at + 1 + after)) {
        return false;
    }
    let before = text[..at].iter().rev().take_while(blank).count();
    is_edge(text[..at].iter().rev().nth(before))
}
