//! Lines, in the two senses of the contract.

use super::class::{LINE_END, find};

/// The pieces between LFs, as `(start, end)`; a CR stays at the end of its piece. There is always at least one.
pub fn lf_lines(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut start = 0;
    let mut ends = memchr::memchr_iter(b'\n', text).chain(std::iter::once(text.len()));
    std::iter::from_fn(move || {
        let end = ends.next()?;
        let line = (start, end);
        start = end + 1;
        Some(line)
    })
}

/// The pieces between any line terminators (LF, CR, U+2028, U+2029), as `(start, end)`.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let end = find(text, start, LINE_END);
        next = (end < text.len()).then_some(end + 1);
        Some((start, end))
    })
}

/// Where the line of an opening fence starts, if the three backticks at `ticks` open one: at a line start, behind at
/// most three blanks.
pub fn fence_indent(text: &[u8], ticks: usize) -> Option<usize> {
    let mut start = ticks;
    while start > 0 && ticks - start < 3 && text[start - 1] == b' ' {
        start -= 1;
    }
    super::class::is_line_start(text, start).then_some(start)
}
