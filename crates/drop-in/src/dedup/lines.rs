//! Lines of texts, lowercased and trimmed.

use palimpsest_text::class::trim;
use palimpsest_text::lines::lf_lines;
use palimpsest_text::{Interner, Text, TextBuf};

/// Interner of distinct lines.
#[derive(Default)]
pub(super) struct Lines {
    distinct: Interner,
    lowered: TextBuf,
}

impl Lines {
    /// Returns the number of distinct lines so far; their numbers are below it.
    pub(super) fn len(&self) -> usize {
        self.distinct.len()
    }

    /// Appends the numbers of at most `count` lines of `text`, from position `from` on, to `numbers`. Blank lines are
    /// skipped. Returns the start of the next line.
    pub(super) fn read(&mut self, text: Text<'_>, from: usize, count: usize, numbers: &mut Vec<u32>) -> usize {
        let enough = numbers.len().saturating_add(count);
        for (start, end) in lf_lines(&text.bytes()[from..]) {
            let (start, end) = (from + start, from + end);
            if numbers.len() == enough {
                return start;
            }
            let (start, end) = trim(text.bytes(), start, end);
            if start < end {
                numbers.push(self.number_of(text.slice(start..end)));
            }
        }
        text.len()
    }

    fn number_of(&mut self, line: Text<'_>) -> u32 {
        self.lowered.set_lowercase(line);
        self.distinct.intern(self.lowered.as_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_on_where_it_stopped() {
        let text = TextBuf::from("\n One\r\ntwo\n \u{3000}\nONE \nÉa\n\néA");
        let mut lines = Lines::default();
        let mut at_once = Vec::new();
        assert_eq!(lines.read(text.as_text(), 0, usize::MAX, &mut at_once), text.len());
        assert_eq!(at_once, [0, 1, 0, 2, 2]);
        for count in 0..7 {
            let mut numbers = Vec::new();
            let rest = lines.read(text.as_text(), 0, count, &mut numbers);
            assert_eq!(numbers.len(), count.min(5));
            lines.read(text.as_text(), rest, usize::MAX, &mut numbers);
            assert_eq!(numbers, at_once, "in two parts, the first of {count}");
        }
    }
}
