//! First lines of texts: only texts with similar first lines are compared.

use super::lines::Lines;
use palimpsest_text::Text;

/// Number of lines in a fingerprint.
const LINES: usize = 5;
/// Minimum number of pairs of equal lines in two matching fingerprints.
const MIN_SHARED: usize = 3;

/// Numbers of the first lines of a text, including repetitions.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Fingerprint(Vec<u32>);

impl Fingerprint {
    /// Returns whether two texts start with similar lines. The contract counts every pair of equal lines.
    pub(super) fn matches(&self, other: &Fingerprint) -> bool {
        self.0.iter().map(|&line| other.count(line)).sum::<usize>() >= MIN_SHARED
    }

    /// Returns the fingerprint with the `wanted` lines only.
    pub(super) fn filter(&self, wanted: impl Fn(u32) -> bool) -> Self {
        Fingerprint(self.0.iter().copied().filter(|&line| wanted(line)).collect())
    }

    fn count(&self, line: u32) -> usize {
        self.0.iter().filter(|&&own| own == line).count()
    }
}

/// A text of which only the first lines were read. Most texts start like no other one and are not read further.
pub(super) struct Start<'a> {
    /// Position of the text, as the caller numbers it.
    pub position: usize,
    /// The whole text.
    pub text: Text<'a>,
    pub fingerprint: Fingerprint,
    /// Start of the lines after the fingerprint.
    rest: usize,
}

impl<'a> Start<'a> {
    /// Reads the first lines of `text`. Returns `None` for fewer than two lines: such a text matches no other.
    pub(super) fn of(position: usize, text: Text<'a>, lines: &mut Lines) -> Option<Self> {
        let mut numbers = Vec::with_capacity(LINES);
        let rest = lines.read(text, 0, LINES, &mut numbers);
        (numbers.len() >= 2).then_some(Start { position, text, fingerprint: Fingerprint(numbers), rest })
    }

    /// Reads the rest, and returns the numbers of all lines.
    pub(super) fn read_on(&self, lines: &mut Lines) -> Vec<u32> {
        let mut all = self.fingerprint.0.clone();
        lines.read(self.text, self.rest, usize::MAX, &mut all);
        all
    }
}

/// For each line, the number of fingerprints that contain it, and its maximum count in one of them.
pub(super) struct Shared(Vec<(usize, usize)>);

impl Shared {
    /// Counts the lines of `starts`, whose numbers are below `lines`.
    pub(super) fn of(starts: &[Start<'_>], lines: usize) -> Self {
        let mut shared = vec![(0, 0); lines];
        for Start { fingerprint, .. } in starts {
            for (at, &line) in fingerprint.0.iter().enumerate() {
                let (fingerprints, most) = &mut shared[line as usize];
                *fingerprints += usize::from(!fingerprint.0[..at].contains(&line));
                *most = fingerprint.count(line).max(*most);
            }
        }
        Shared(shared)
    }

    /// Returns whether another fingerprint can match. The upper bound is a fingerprint that contains each line with its
    /// maximum count.
    pub(super) fn may_match(&self, fingerprint: &Fingerprint) -> bool {
        let pairs = |&line: &u32| match self.0[line as usize] {
            (2.., most) => most,
            _ => 0,
        };
        fingerprint.0.iter().map(pairs).sum::<usize>() >= MIN_SHARED
    }
}
