//! Counting structural elements: fences, lone braces, tables.

use crate::text::class::trim;
use crate::text::lines::lines;

/// Half the fence lines, the lines that are only `{` or `[`, and one for a table, added up and rounded down.
pub fn structural_elements(text: &[u8]) -> u32 {
    let (mut fences, mut braces, mut rows) = (0, 0, 0);
    for (start, end) in lines(text) {
        let line = &text[start..end];
        let Some(&first) = line.first() else { continue };
        match first {
            b'`' | b' ' if is_fence(line) => fences += 1,
            b'|' if line.len() >= 3 && line.ends_with(b"|") => rows += 1,
            _ => {}
        }
        if matches!(trim(text, start, end), (from, to) if to - from == 1 && matches!(text[from], b'{' | b'[')) {
            braces += 1;
        }
    }
    fences / 2 + braces + u32::from(rows >= 2)
}

fn is_fence(line: &[u8]) -> bool {
    let indent = line.iter().take(3).take_while(|&&byte| byte == b' ').count();
    line[indent..].starts_with(b"```")
}
