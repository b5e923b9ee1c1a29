//! Lines that end in LF, and openings of code fences. (For other line ends see [`super::masks::Scanned::lines`].)

/// Returns the pieces between LFs, as `(start, end)`; a CR stays at the end of its piece. There is always at least one.
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

/// Returns the start of the line of an opening fence, if the three backticks at `ticks` open one: after at most three
/// spaces.
pub fn fence_indent(text: &[u8], ticks: usize) -> Option<usize> {
    let mut start = ticks;
    while start > 0 && ticks - start < 3 && text[start - 1] == b' ' {
        start -= 1;
    }
    super::class::is_line_start(text, start).then_some(start)
}
