//! Lines of a file that later reads show again. A number of a line says nothing: the file may have changed in between. So a line is shown again
//! only if a later read says the same at the same number.

use rustc_hash::FxHashMap;

use palimpsest_text::Text;
use palimpsest_text::hashing::text_hash;
use palimpsest_text::lines::lf_lines;
use palimpsest_world::extent::Extent;
use palimpsest_world::lines::{are_plain, line_number, numbered};

/// What later reads show of a file: for each number of a line a hash of what it says. A read adds its lines as they are counted, and as their
/// own numbers say, which may be the tool's or the file's.
#[derive(Default)]
pub(super) struct ShownLines {
    counted: FxHashMap<u32, u64>,
    numbered: FxHashMap<u32, u64>,
}

/// A line of a read.
pub(super) struct Line {
    /// Its number if all lines are the file's, and a hash of all that it says.
    counted: (u32, u64),
    /// The number that it has itself, and a hash of what is behind it.
    numbered: Option<(u32, u64)>,
}

impl ShownLines {
    /// Adds the lines of a read that is before all others.
    pub(super) fn add(&mut self, lines: &[Line]) {
        self.counted.extend(lines.iter().map(|line| line.counted));
        self.numbered.extend(lines.iter().filter_map(|line| line.numbered));
    }

    /// Returns whether a line says the same here.
    pub(super) fn has(&self, line: &Line) -> bool {
        let is = |shown: &FxHashMap<u32, u64>, (number, hash): (u32, u64)| shown.get(&number) == Some(&hash);
        // Without its number, the line of a read is that of another one which has none.
        is(&self.counted, line.counted)
            || line.numbered.is_some_and(|line| is(&self.numbered, line) || is(&self.counted, line))
            || is(&self.numbered, line.counted)
    }
}

/// Returns the lines that a read shows, in order. Returns none where they can't be told: in several texts, or in JSON.
pub(super) fn lines_of(extent: Extent, shown: &[Text<'_>]) -> Vec<Line> {
    let (&[text], Some(first)) = (shown, first_of(extent)) else { return Vec::new() };
    if !are_plain(text) {
        return Vec::new();
    }
    let numbered = numbered(text);
    let has_numbers = numbered.first().is_some_and(|&(number, _)| number == first);
    let mut numbers = numbered.iter().filter(|_| has_numbers).peekable();
    let end = text.len() - usize::from(text.bytes().ends_with(b"\n"));
    let lines = (first..).zip(lf_lines(&text.bytes()[..end])).map(|(counted, (start, end))| Line {
        counted: (counted, text_hash(text.slice(start..end))),
        numbered: numbers.next_if(|(_, line)| line.start == start).map(|&(number, _)| {
            let after = line_number(&text.bytes()[start..end]).map_or(0, |(_, after)| after);
            (number, text_hash(text.slice(start + after..end)))
        }),
    });
    lines.collect()
}

fn first_of(extent: Extent) -> Option<u32> {
    match extent {
        Extent::Whole => Some(1),
        Extent::Lines(lines) => Some(lines.first()),
        Extent::Part => None,
    }
}
