//! What two texts are compared by.

use std::cmp::Ordering;

use super::fingerprint::Fingerprint;

/// The shorter of two texts must have this share of the longer one's length.
const MIN_LENGTH_RATIO: f64 = 0.7;

/// A text that may nearly say what another one says.
pub struct Candidate {
    /// The position of the text, which is the caller's.
    pub position: usize,
    /// Its length in UTF-16 code units.
    pub length: usize,
    /// How it starts.
    pub fingerprint: Fingerprint,
    /// Numbers of all lines, sorted, repetitions included.
    pub lines: Vec<u32>,
}

impl Candidate {
    /// Whether the texts are nearly the same.
    pub fn matches(&self, other: &Candidate, threshold: f64) -> bool {
        let (short, long) = (self.length.min(other.length), self.length.max(other.length));
        self.fingerprint.matches(&other.fingerprint)
            && short as f64 / long as f64 >= MIN_LENGTH_RATIO
            && self.similarity(other) >= threshold
    }

    /// Σ min(counts) / Σ max(counts) over the lines as multisets.
    pub fn similarity(&self, other: &Candidate) -> f64 {
        let (a, b) = (&self.lines, &other.lines);
        let (mut i, mut j, mut common) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(&b[j]) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => {
                    common += 1;
                    i += 1;
                    j += 1;
                }
            }
        }
        common as f64 / (a.len() + b.len() - common) as f64
    }
}
