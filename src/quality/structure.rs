//! Counting structural elements: fences, lone braces, tables.

use crate::text::class::{LINE_END, SPACE, find, is, is_line_start};
use crate::text::lines::fence_indent;
use crate::text::masks::{Scanned, positions};

/// Half the fence lines, the lines that are only `{` or `[`, and one for a table, added up and rounded down.
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

/// Whether the line from `start` on has three units at least, and a bar at its end.
fn is_row(text: &[u8], start: usize) -> bool {
    let end = find(text, start, LINE_END);
    end - start >= 3 && text[end - 1] == b'|'
}

/// Whether nothing but white space stands beside the unit at `at` in its line.
fn is_alone(text: &[u8], at: usize) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|&byte| is(byte, LINE_END));
    let blank = |&&byte: &&u8| is(byte, SPACE) && !is(byte, LINE_END);
    let behind = text[at + 1..].iter().take_while(blank).count();
    if !is_edge(text.get(at + 1 + behind)) {
        return false;
    }
    let before = text[..at].iter().rev().take_while(blank).count();
    is_edge(text[..at].iter().rev().nth(before))
}
