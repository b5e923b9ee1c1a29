//! Cutting a text by lines: a header with the marker, the lines that stay, and a mark in place of each gap.

use std::ops::Range;

use super::Piece;
use super::outcome::{Marker, Stub};
use super::stub::{count_lines, is_worth, lines, marked, total};
use crate::edit::length;
use palimpsest_text::Text;
use palimpsest_text::lines::lf_lines;
use palimpsest_world::lines::line_number;

/// Length of the segments of very long lines, in UTF-16 code units.
const SEGMENT_LENGTH: usize = 1000;

/// Returns the lines of a text with their ends. Very long lines are split, but never inside a surrogate pair.
pub(super) fn segments(text: Text<'_>) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    for (start, end) in lf_lines(text.bytes()) {
        let end = (end + 1).min(text.len());
        let mut from = start;
        while end - from > 2 * SEGMENT_LENGTH {
            let is_low = |at: usize| text.units().is_some_and(|units| (0xDC00..0xE000).contains(&units[at]));
            let to = from + SEGMENT_LENGTH + usize::from(is_low(from + SEGMENT_LENGTH));
            segments.push(from..to);
            from = to;
        }
        if from < end {
            segments.push(from..end);
        }
    }
    segments
}

/// The gaps in a text.
struct Gaps<'a> {
    text: Text<'a>,
    /// Lines that are gone.
    lines: usize,
    /// UTF-16 code units that are gone, without line ends.
    units: usize,
    /// Whether only whole lines are gone.
    are_lines: bool,
}

/// Cuts `text` to the segments for which `keep` returns true, after a header with `what`. Returns `None` if that saves too
/// little.
pub(super) fn cut(
    text: Text<'_>,
    what: &str,
    segments: &[Range<usize>],
    mut keep: impl FnMut(&Range<usize>) -> bool,
) -> Option<Vec<Piece>> {
    let mut pieces = vec![Piece::Mark(Stub::Marker(Marker::default()))];
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
    pieces[0] = Piece::Mark(Stub::Marker(Marker { size: Some(gaps.count()), after: "\n", ..marked(what) }));
    let kept: usize = pieces.iter().map(Piece::kept).sum();
    is_worth(total(&pieces) - kept, text.len() - kept).then_some(pieces)
}

impl Gaps<'_> {
    /// Ends a gap: adds a mark in its place, or keeps the text if the mark would not be shorter.
    fn close(&mut self, gap: Option<Range<usize>>, pieces: &mut Vec<Piece>) {
        let Some(gap) = gap else { return };
        let cut = self.text.slice(gap.clone());
        let ends_line = |at: usize| at == 0 || self.text.bytes()[at - 1] == b'\n';
        let are_lines = ends_line(gap.start) && (ends_line(gap.end) || gap.end == self.text.len());
        let count = count_lines(cut);
        // The line end is written again after the mark.
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
            pieces.push(Piece::Mark(Stub::Text(mark)));
            self.lines += count;
            self.units += units;
            self.are_lines &= are_lines;
        }
    }

    /// Formats how much is gone: in lines, or in UTF-16 code units if a line is cut in part.
    fn count(&self) -> String {
        if self.are_lines {
            format!("{} of {} cut", self.lines, lines(count_lines(self.text)))
        } else {
            format!("{} of {} characters cut", self.units, self.text.len())
        }
    }
}

/// Returns the numbers of the first and the last line if all lines are numbered consecutively, so that an agent can read them
/// again.
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
