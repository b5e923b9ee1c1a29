//! How texts start: only what starts alike is compared.

use super::lines::Lines;
use crate::text::Text;

/// Lines at the start of a text that make its fingerprint.
const LINES: usize = 5;
/// How many pairs of equal lines the fingerprints of two texts must have.
const MIN_SHARED: usize = 3;

/// Numbers of the first lines of a text, repetitions included.
#[derive(PartialEq, Eq, Hash)]
pub struct Fingerprint(Vec<u32>);

impl Fingerprint {
    /// Whether two texts start alike: the contract counts each pair of equal lines.
    pub fn matches(&self, other: &Fingerprint) -> bool {
        self.0.iter().map(|&line| other.count(line)).sum::<usize>() >= MIN_SHARED
    }

    /// The fingerprint without the lines that are not `wanted`.
    pub fn filter(&self, wanted: impl Fn(u32) -> bool) -> Self {
        Fingerprint(self.0.iter().copied().filter(|&line| wanted(line)).collect())
    }

    fn count(&self, line: u32) -> usize {
        self.0.iter().filter(|&&own| own == line).count()
    }
}

/// A text as far as its fingerprint needs it. Most texts start like no other one, and are not read any further.
pub struct Start<'a> {
    /// The position of the text, which is the caller's.
    pub position: usize,
    /// The whole text.
    pub text: Text<'a>,
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Where the lines behind the fingerprint start.
    rest: usize,
}

impl<'a> Start<'a> {
    /// Reads the first lines of `text`. A text that has fewer than two is like no other one.
    pub fn of(position: usize, text: Text<'a>, lines: &mut Lines) -> Option<Self> {
        let mut numbers = Vec::with_capacity(LINES);
        let rest = lines.read(text, 0, LINES, &mut numbers);
        (numbers.len() >= 2).then_some(Start { position, text, fingerprint: Fingerprint(numbers), rest })
    }

    /// Reads the rest, and gives the numbers of all lines.
    pub fn read_on(&self, lines: &mut Lines) -> Vec<u32> {
        let mut all = self.fingerprint.0.clone();
        lines.read(self.text, self.rest, usize::MAX, &mut all);
        all
    }
}

/// For each line in how many fingerprints it is, and how many times it is in one of them at most.
pub struct Shared(Vec<(usize, usize)>);

impl Shared {
    /// Counts the lines of `starts`, whose numbers are below `lines`.
    pub fn of(starts: &[Start<'_>], lines: usize) -> Self {
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

    /// Whether any other fingerprint can match: none does if one that has each line as often as any has it would not.
    pub fn may_match(&self, fingerprint: &Fingerprint) -> bool {
        let pairs = |&line: &u32| match self.0[line as usize] {
            (2.., most) => most,
            _ => 0,
        };
        fingerprint.0.iter().map(pairs).sum::<usize>() >= MIN_SHARED
    }
}
