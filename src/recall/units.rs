//! The units that are ranked: lines, and sentences of long lines.

use std::ops::Range;

use crate::text::Text;
use crate::text::lines::lf_lines;

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
pub fn for_each_unit(text: Text<'_>, mut visit: impl FnMut(Range<usize>)) {
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
    let mut blank = start;
    for at in line.start + 1..line.end {
        let length = at - start;
        if is_blank(text, at - 1) {
            blank = at;
        }
        let ends = is_mark_start(text, at) || length >= SHORT && ends_before(text, start, at);
        let end = match length {
            _ if ends => at,
            LONGEST.. => {
                if blank > start + SHORT {
                    blank
                } else {
                    at
                }
            }
            CLAUSE.. if blank == at => at,
            _ => continue,
        };
        if end > start {
            visit(start..end);
            start = end;
        }
    }
    if start < line.end {
        visit(start..line.end);
    }
}

fn is_blank(text: Text<'_>, at: usize) -> bool {
    match text.bytes()[at] {
        b' ' | b',' | b';' | b'\t' => true,
        // ，、；
        0x80.. => text.units().is_some_and(|units| matches!(units[at], 0xFF0C | 0x3001 | 0xFF1B)),
        _ => false,
    }
}

fn is_mark_start(text: Text<'_>, at: usize) -> bool {
    text.units().is_some_and(|units| units[at..].starts_with(&MARK))
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
pub fn core(unit: Text<'_>) -> Text<'_> {
    let mut core = unit.trim();
    while core.bytes().ends_with(b"\\n") {
        core = core.prefix(core.len() - 2).trim();
    }
    core
}
