//! Cutting a text by lines: a header with the marker, the lines that stay, and a mark where lines are missing.

use std::ops::Range;

use super::Piece;
use super::stub::{count_lines, is_worth, length, lines, marked, total};
use crate::agent::lines::line_number;
use crate::text::Text;
use crate::text::lines::lf_lines;

/// A line that is longer is cut like several lines of this length, in UTF-16 code units.
const LONGEST_LINE: usize = 1000;

/// The lines of a text with their ends, very long ones in parts; never between the halves of a surrogate pair.
pub fn segments(text: Text<'_>) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    for (start, end) in lf_lines(text.bytes()) {
        let end = (end + 1).min(text.len());
        let mut from = start;
        while end - from > 2 * LONGEST_LINE {
            let is_low = |at: usize| text.units().is_some_and(|units| (0xDC00..0xE000).contains(&units[at]));
            let to = from + LONGEST_LINE + usize::from(is_low(from + LONGEST_LINE));
            segments.push(from..to);
            from = to;
        }
        if from < end {
            segments.push(from..end);
        }
    }
    segments
}

/// What is cut out of a text.
struct Gaps<'a> {
    text: Text<'a>,
    lines: usize,
    units: usize,
    /// No line is cut in part.
    are_lines: bool,
}

/// The pieces that are left of `text` when only the segments stay that `keep` names, behind a header that says `what`
/// was cut; nothing where that saves too little.
pub fn cut(
    text: Text<'_>,
    what: &str,
    segments: &[Range<usize>],
    mut keep: impl FnMut(&Range<usize>) -> bool,
) -> Option<Vec<Piece>> {
    let mut pieces = vec![Piece::Marker(String::new())];
    let mut gaps = Gaps { text, lines: 0, units: 0, are_lines: true };
    let mut gap: Option<Range<usize>> = None;
    for segment in segments {
        if keep(segment) {
            gaps.close(gap.take(), &mut pieces);
            push_kept(&mut pieces, segment.clone());
        } else {
            gap = Some(gap.map_or(segment.start, |gap| gap.start)..segment.end);
        }
    }
    gaps.close(gap, &mut pieces);
    pieces[0] = Piece::Marker(marked(&format!("{what}, {}", gaps.count())) + "\n");
    let kept: usize = pieces.iter().map(|piece| if let Piece::Keep(range) = piece { range.len() } else { 0 }).sum();
    is_worth(total(&pieces) - kept, text.len() - kept).then_some(pieces)
}

impl Gaps<'_> {
    /// Ends a gap: a mark in place of what stood there, or that itself where the mark would be as long.
    fn close(&mut self, gap: Option<Range<usize>>, pieces: &mut Vec<Piece>) {
        let Some(gap) = gap else { return };
        let cut = self.text.slice(gap.clone());
        let ends_line = |at: usize| at == 0 || self.text.bytes()[at - 1] == b'\n';
        let are_lines = ends_line(gap.start) && (ends_line(gap.end) || gap.end == self.text.len());
        let count = count_lines(cut);
        // The line's end is written again behind the mark.
        let has_end = cut.bytes().ends_with(b"\n");
        let units = gap.len() - usize::from(has_end);
        let mut mark = match numbers(cut).filter(|(first, last)| first != last) {
            _ if !are_lines => format!("[… {units} characters]"),
            Some((first, last)) => format!("[… lines {first}–{last}]"),
            None => format!("[… {}]", lines(count)),
        };
        if has_end {
            mark.push('\n');
        }
        if length(&mark) >= gap.len() {
            push_kept(pieces, gap);
        } else {
            pieces.push(Piece::Stub(mark));
            self.lines += count;
            self.units += units;
            self.are_lines &= are_lines;
        }
    }

    /// How much is gone of how much: in UTF-16 code units where lines are cut in part.
    fn count(&self) -> String {
        if self.are_lines {
            format!("{} of {} cut", self.lines, lines(count_lines(self.text)))
        } else {
            format!("{} of {} characters cut", self.units, self.text.len())
        }
    }
}

/// The numbers of the first and the last line, where all lines are numbered one after the other: with them they can be asked
/// for again.
fn numbers(cut: Text<'_>) -> Option<(u32, u32)> {
    let bytes = cut.bytes();
    let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut found: Option<(u32, u32)> = None;
    for (start, end) in lf_lines(lines) {
        let (number, _) = line_number(&lines[start..end])?;
        let first = found.map_or(number, |(first, _)| first);
        if found.is_some_and(|(_, last)| last.checked_add(1) != Some(number)) {
            return None;
        }
        found = Some((first, number));
    }
    found
}

fn push_kept(pieces: &mut Vec<Piece>, range: Range<usize>) {
    match pieces.last_mut() {
        Some(Piece::Keep(last)) if last.end == range.start => last.end = range.end,
        _ => pieces.push(Piece::Keep(range)),
    }
}
