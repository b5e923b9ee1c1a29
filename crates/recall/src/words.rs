//! The units that contain each term.

use super::dictionary::Dictionary;
use palimpsest_text::Text;

/// UTF-16 code units of a history to each of its postings, about: most have more.
const UNITS_PER_POSTING: usize = 8;

/// An entry of the list of a term.
#[derive(Clone, Copy, Debug)]
struct Posting {
    /// The unit, counted from the first of the words.
    unit: u32,
    /// One more than the number of the posting before it of the same term, 0 if there is none.
    before: u32,
}

/// The words of successive units.
#[derive(Debug, Default)]
pub(crate) struct Words {
    first_unit: u32,
    dictionary: Dictionary,
    postings: Vec<Posting>,
}

impl Words {
    /// Makes room for the words of about `units` UTF-16 code units.
    pub(crate) fn reserve(&mut self, units: usize) {
        self.postings.reserve(units / UNITS_PER_POSTING);
        self.dictionary.reserve(units);
    }

    pub(crate) fn postings(&self) -> u32 {
        self.postings.len() as u32
    }

    /// Lists a unit under the term at `start..end`, unless one of its postings, which follow the first `before`, does so already.
    #[inline]
    pub(crate) fn post(&mut self, unit: u32, before: u32, text: Text<'_>, start: usize, end: usize) {
        let last = self.dictionary.last(text, start, end);
        if *last <= before {
            self.postings.push(Posting { unit: unit - self.first_unit, before: *last });
            *last = self.postings.len() as u32;
        }
    }

    pub(crate) fn first_unit(&self) -> u32 {
        self.first_unit
    }

    /// The same words, of units whose numbers are higher by `units`.
    pub(crate) fn moved_by(self, units: u32) -> Self {
        Words { first_unit: self.first_unit + units, ..self }
    }

    /// Removes the units from `end` on.
    pub(crate) fn truncate(&mut self, end: u32) {
        let count = self.postings.partition_point(|posting| self.first_unit + posting.unit < end);
        self.dictionary.replace_last(|mut last| {
            while last > count as u32 {
                last = self.postings[last as usize - 1].before;
            }
            last
        });
        self.postings.truncate(count);
    }

    /// Adds the units that contain a form of a word, in order. One that contains several is added as often.
    pub(crate) fn find(&self, word: &[u16], found: &mut Vec<u32>) {
        let start = found.len();
        let forms = self.dictionary.last_of_forms(word);
        for &last in &forms {
            let mut at = last;
            while let Some(number) = at.checked_sub(1) {
                let posting = self.postings[number as usize];
                found.push(self.first_unit + posting.unit);
                at = posting.before;
            }
        }
        if forms.len() > 1 {
            found[start..].sort_unstable();
        } else {
            found[start..].reverse();
        }
    }
}
