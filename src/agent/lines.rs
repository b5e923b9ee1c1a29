//! Which lines of a file a read shows.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::text::MATH;
use crate::text::Text;
use crate::text::lines::lf_lines;

/// How much of a file a read shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The lines from the first to the last, counted from 1, both included.
    Lines(u32, u32),
    /// Some of it, nobody knows which.
    Part,
}

/// Where the text of a line starts behind the number that a tool wrote before it, and that number: `  12→x`, `12: x`,
/// `12 | x`, `00012| x`, `12` and a tab.
pub fn line_number(line: &[u8]) -> Option<(u32, usize)> {
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    let digits = line[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let at = blanks + digits;
    if digits == 0 {
        return None;
    }
    let number = line[blanks..at]
        .iter()
        .try_fold(0u32, |number, digit| number.checked_mul(10)?.checked_add(u32::from(digit - b'0')))?;
    match line[at..] {
        [b' ', b'|', b' ', ..] => Some((number, at + 3)),
        [b' ', b'|', ..] | [b'|', b' ', ..] => Some((number, at + 2)),
        // The arrow of `cat -n` in Claude Code, U+2192, is one of the mathematical signs.
        [MATH | b'\t' | b':' | b'|', ..] => Some((number, at + 1)),
        _ => None,
    }
}

/// The lines of `text` that are numbered one after the other: number and range, with the line's end.
pub fn numbered(text: Text<'_>) -> impl Iterator<Item = (u32, Range<usize>)> {
    let mut next = None;
    lf_lines(text.bytes()).filter_map(move |(start, end)| {
        let (number, _) = line_number(&text.bytes()[start..end])?;
        if next.is_some_and(|next| next != Some(number)) {
            return None;
        }
        next = Some(number.checked_add(1));
        Some((number, start..(end + 1).min(text.len())))
    })
}

/// The first and the last number of those lines.
pub fn numbers(text: Text<'_>) -> Option<(u32, u32)> {
    numbered(text).fold(None, |found, (number, _)| Some((found.map_or(number, |(first, _)| first), number)))
}

/// Whether a read's result says that it leaves lines out.
fn says_truncated(text: Text<'_>) -> bool {
    const WINDOW: usize = 400;
    static SIGNS: LazyLock<[Finder<'_>; 5]> = LazyLock::new(|| {
        ["truncated", "more lines", "lines omitted", "showing lines", "lines not shown"].map(Finder::new)
    });
    [text.prefix(WINDOW), text.suffix(WINDOW)].iter().any(|window| {
        let lower = window.bytes().to_ascii_lowercase();
        SIGNS.iter().any(|sign| sign.find(&lower).is_some())
    })
}

/// What a read that asked for `asked` shows in `text`.
pub fn extent(asked: Extent, text: Text<'_>) -> Extent {
    let is_truncated = says_truncated(text);
    if asked == Extent::Whole && !is_truncated {
        return Extent::Whole;
    }
    let (first, last) = match numbers(text) {
        Some(numbers) => numbers,
        None => match asked {
            Extent::Lines(first, last) if !is_truncated => {
                let count = lf_lines(text.bytes()).count() - usize::from(text.bytes().ends_with(b"\n"));
                (first, last.min(first.saturating_add(count as u32).saturating_sub(1)))
            }
            _ => return Extent::Part,
        },
    };
    match asked {
        // The file ended before the last line that was asked for.
        Extent::Lines(asked_first, asked_last)
            if asked_first <= 1 && first <= 1 && last < asked_last && !is_truncated =>
        {
            Extent::Whole
        }
        Extent::Part => Extent::Part,
        _ => Extent::Lines(first, last),
    }
}

/// Lines that are shown somewhere, as disjoint ranges.
#[derive(Debug, Default)]
pub struct LineSet {
    /// First line → last line.
    ranges: std::collections::BTreeMap<u32, u32>,
}

impl LineSet {
    /// Adds the lines from `first` to `last`.
    pub fn add(&mut self, mut first: u32, mut last: u32) {
        while let Some((&start, &end)) = self.ranges.range(..=last.saturating_add(1)).next_back() {
            if end.saturating_add(1) < first {
                break;
            }
            self.ranges.remove(&start);
            first = first.min(start);
            last = last.max(end);
        }
        if first <= last {
            self.ranges.insert(first, last);
        }
    }

    /// Whether all lines from `first` to `last` are among them.
    pub fn covers(&self, first: u32, last: u32) -> bool {
        self.ranges.range(..=first).next_back().is_some_and(|(_, &end)| end >= last)
    }

    /// Those from `first` to `last`, as ranges in order.
    pub fn within(&self, first: u32, last: u32) -> Vec<(u32, u32)> {
        let start = self.ranges.range(..=first).next_back().map_or(first, |(&start, _)| start);
        let touching = self.ranges.range(start.min(last)..=last).filter(|&(_, &end)| end >= first);
        touching.map(|(&start, &end)| (start.max(first), end.min(last))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    fn shown(asked: Extent, text: &str) -> Extent {
        extent(asked, TextBuf::from(text).as_text())
    }

    #[test]
    fn the_numbers_in_a_result_say_what_it_shows() {
        assert_eq!(shown(Extent::Lines(590, 639), "   590→a\n   591→b\n"), Extent::Lines(590, 591));
        assert_eq!(shown(Extent::Lines(1, 2000), "1\ta\n2\tb"), Extent::Whole, "the file ended");
        assert_eq!(shown(Extent::Lines(1, 2), "1: a\n2: b"), Extent::Lines(1, 2));
        assert_eq!(shown(Extent::Lines(5, 9), "a\nb\n"), Extent::Lines(5, 6));
        assert_eq!(shown(Extent::Whole, "a\nb\n"), Extent::Whole);
        assert_eq!(shown(Extent::Whole, "1→a\n2→b\n[truncated]"), Extent::Lines(1, 2));
        assert_eq!(shown(Extent::Whole, "a\n(Output truncated)"), Extent::Part);
    }

    #[test]
    fn a_set_of_lines_joins_what_touches() {
        let mut set = LineSet::default();
        for (first, last) in [(10, 20), (40, 50), (21, 25), (18, 22)] {
            set.add(first, last);
        }
        assert!(set.covers(10, 25) && set.covers(40, 50) && !set.covers(10, 26) && !set.covers(24, 41));
        assert_eq!((set.within(26, 40), set.within(26, 39)), (vec![(40, 40)], vec![]));
        assert_eq!(set.within(15, 45), [(15, 25), (40, 45)]);
        set.add(1, 100);
        assert!(set.covers(1, 100));
    }
}
