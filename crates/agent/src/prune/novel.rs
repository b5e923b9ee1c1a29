//! LineWords with words that occur nowhere else, which stay where the rest of their text goes.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cut::segments;
use super::vocabulary::{CoveredWords, WordLists};
use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_world::lines::line_number;
use palimpsest_world::outcome::words::is_error_line;

/// Such lines take at most the text's length divided by this.
const NOVEL_DIVISOR: usize = 2;

/// Texts that go but for such lines.
pub(super) struct NovelLines {
    texts: FxHashMap<PartIndex, LineWords>,
    /// All their words; those that stay elsewhere are covered.
    pub words: CoveredWords,
}

/// The lines of a text, and the words of each.
struct LineWords {
    ranges: Vec<Range<usize>>,
    words: WordLists,
}

impl NovelLines {
    /// Reads the lines of the texts of `parts`.
    pub(super) fn read(transcript: &Transcript, parts: impl Iterator<Item = PartIndex>) -> Self {
        let texts: FxHashMap<_, _> = parts.map(|part| (part, LineWords::read(transcript.text(part)))).collect();
        let words = CoveredWords::of(texts.values().map(|lines| &lines.words));
        NovelLines { texts, words }
    }

    /// Takes the lines of a part's text, and the starts of those with a word that is not covered; their words are covered from then on. In
    /// failures, lines that look like errors come first, and the `decisive` lines always stay.
    pub(super) fn take(
        &mut self,
        part: PartIndex,
        text: Text<'_>,
        decisive: &[Range<usize>],
    ) -> Option<(Vec<Range<usize>>, FxHashSet<usize>)> {
        let LineWords { ranges, words } = self.texts.remove(&part)?;
        let mut budget = text.len() / NOVEL_DIVISOR;
        let mut chosen = FxHashSet::default();
        for decisive in decisive {
            let line = ranges.iter().find(|line| line.contains(&decisive.start));
            chosen.extend(line.map(|line| line.start));
        }
        for errors_only in [true, false].into_iter().skip(usize::from(decisive.is_empty())) {
            for (index, line) in ranges.iter().enumerate() {
                let stays = line.len() <= budget
                    && (!errors_only || is_error_line(&text.bytes()[line.clone()]))
                    && self.words.misses_one_of(words.get(index));
                if stays {
                    budget -= line.len();
                    self.words.cover_all(words.get(index));
                    chosen.insert(line.start);
                }
            }
        }
        Some((ranges, chosen))
    }
}

impl LineWords {
    fn read(text: Text<'_>) -> Self {
        let ranges = segments(text);
        let mut words = WordLists::default();
        for line in &ranges {
            let content = &text.bytes()[line.clone()];
            let number = line_number(content).map_or(0, |(_, after)| after);
            words.push(text.slice(line.start + number..line.end));
        }
        LineWords { ranges, words }
    }
}
