//! The units that are ranked: lines, and sentences of long lines.

use std::ops::Range;

use palimpsest_text::Text;
use palimpsest_text::lines::lf_lines;

/// Length from which a line is split, in UTF-16 code units.
const LONG: usize = 240;
/// Minimum length of a piece of a long line, unless the line ends.
const SHORT: usize = 40;
/// Length from which a piece without the end of a sentence is split at a blank, and at any place.
const CLAUSE: usize = 240;
const LONGEST: usize = 400;
/// The start of the marks in cut messages.
const MARK: [u16; 2] = [0x5B, 0x2026];

/// Calls `visit` with the range of each unit; together they are the text. Linear in its length.
pub(crate) fn for_each_unit(text: Text<'_>, mut visit: impl FnMut(Range<usize>)) {
    let bytes = text.bytes();
    let mut start = 0;
    for (from, to) in lf_lines(bytes) {
        let end = (to + 1).min(bytes.len());
        // A blank line belongs to the unit before it.
        let next_is_blank = bytes.get(end) == Some(&b'\n');
        if next_is_blank || end == start {
            continue;
        }
        if end - start > LONG {
            split(text, start..end, &mut visit);
        } else {
            visit(start..end);
        }
        debug_assert!(start <= from);
        start = end;
    }
    if start < bytes.len() {
        split(text, start..bytes.len(), &mut visit);
    }
}

/// Splits a long line. Each boundary follows from what stands around it, so that what was cut beside a sentence moves none of the others
/// for long.
fn split(text: Text<'_>, line: Range<usize>, visit: &mut impl FnMut(Range<usize>)) {
    let mut start = line.start;
    while start < line.end {
        // No piece goes on in a mark.
        let mark = mark_in(text, start + 1..line.end.min(start + LONGEST));
        let end = piece_end(text, start, mark.unwrap_or(line.end));
        visit(start..end);
        start = end;
    }
}

/// End of the piece that begins at `start`, at most `last`: after a sentence, if it is long after a blank, or anywhere.
fn piece_end(text: Text<'_>, start: usize, last: usize) -> usize {
    let up_to = |length: usize| last.min(start + length);
    let ends = |&at: &usize| ends_before(text, start, at);
    let follows_blank = |&at: &usize| is_blank(text, at - 1);
    let sentence = (start + SHORT..up_to(CLAUSE)).find(ends);
    let clause = || (start + CLAUSE..up_to(LONGEST)).find(|at| ends(at) || follows_blank(at));
    let longest = || match start + LONGEST {
        longest if longest >= last || ends(&longest) => longest.min(last),
        longest => (start + SHORT + 1..=longest).rev().find(follows_blank).unwrap_or(longest),
    };
    sentence.or_else(clause).unwrap_or_else(longest)
}

/// The start of the first mark of a cut message in a range.
fn mark_in(text: Text<'_>, range: Range<usize>) -> Option<usize> {
    let units = text.units()?;
    let mut brackets = memchr::memchr_iter(b'[', &text.bytes()[range.clone()]).map(|at| range.start + at);
    brackets.find(|&at| units[at..].starts_with(&MARK))
}

fn is_blank(text: Text<'_>, at: usize) -> bool {
    match text.bytes()[at] {
        b' ' | b',' | b';' | b'\t' => true,
        // ，、；
        0x80.. => text.units().is_some_and(|units| matches!(units[at], 0xFF0C | 0x3001 | 0xFF1B)),
        _ => false,
    }
}

/// Whether a sentence, a line in a JSON string, an element of JSON or a mark ends before `at`.
fn ends_before(text: Text<'_>, start: usize, at: usize) -> bool {
    let bytes = text.bytes();
    let (before, last) = (if at >= start + 2 { bytes[at - 2] } else { 0 }, bytes[at - 1]);
    match last {
        b' ' => match before {
            b'.' | b'!' | b'?' => true,
            // ؟ of Arabic, ۔ of Urdu, । of Hindi
            0x80.. => text.units().is_some_and(|units| matches!(units[at - 2], 0x061F | 0x06D4 | 0x0964)),
            _ => false,
        },
        b'n' => before == b'\\',
        b',' => matches!(before, b'}' | b']'),
        // 。！？｡．
        0x80.. => text.units().is_some_and(|units| matches!(units[at - 1], 0x3002 | 0xFF01 | 0xFF1F | 0xFF61 | 0xFF0E)),
        _ => false,
    }
}

/// Returns the part of a unit by which it is recognised in what was sent.
pub(crate) fn core(unit: Text<'_>) -> Text<'_> {
    let mut core = unit.trim();
    while core.bytes().ends_with(b"\\n") {
        core = core.prefix(core.len() - 2).trim();
    }
    core
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;
    use palimpsest_text::random::below;

    /// The definition, unit by unit: where the pieces of a long line end.
    fn plain_ends(text: Text<'_>) -> Vec<usize> {
        let is_mark = |at: usize| text.units().is_some_and(|units| units[at..].starts_with(&MARK));
        let (mut ends, mut start, mut blank) = (Vec::new(), 0, 0);
        for at in 1..text.len() {
            let length = at - start;
            if is_blank(text, at - 1) {
                blank = at;
            }
            if is_mark(at) || length >= SHORT && ends_before(text, start, at) || length >= CLAUSE && blank == at {
                start = at;
            } else if length >= LONGEST {
                start = if blank > start + SHORT { blank } else { at };
            } else {
                continue;
            }
            ends.push(start);
        }
        ends.extend((start < text.len()).then_some(text.len()));
        ends
    }

    #[test]
    fn long_lines_are_split_where_the_definition_says() {
        let mut below = below();
        let pieces =
            [". ", "[…", "\\n", "}, ", "],", "word", "nnnnnnnnnnnnnnn", " ", "[", "。", "، ", "？", "é", "; ", "؟ "];
        for round in 0..3_000 {
            // Few kinds of pieces, each once in a while between long words.
            let (kinds, first, plain) = (1 + below(4), below(pieces.len()), below(60));
            let line: String = (0..round % 400)
                .map(|_| if below(60) < plain { "word" } else { pieces[(first + below(kinds)) % pieces.len()] })
                .collect();
            let line = TextBuf::from(line.as_str());
            let mut ends = Vec::new();
            split(line.as_text(), 0..line.len(), &mut |piece| ends.push(piece.end));
            assert_eq!(ends, plain_ends(line.as_text()), "{line:?}");
        }
    }
}
