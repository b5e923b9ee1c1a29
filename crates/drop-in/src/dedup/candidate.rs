//! Comparison of two texts by their lines.

use std::cmp::Ordering;

use super::fingerprint::Fingerprint;

/// Minimum length of the shorter text, as a share of the longer one's.
const MIN_LENGTH_RATIO: f64 = 0.7;

/// A text that may be a near duplicate.
pub(super) struct Candidate {
    /// Position of the text, as the caller numbers it.
    pub position: usize,
    /// Length in UTF-16 code units.
    pub length: usize,
    /// The first lines.
    pub fingerprint: Fingerprint,
    /// Numbers of all lines, sorted, including repetitions.
    pub lines: Vec<u32>,
}

impl Candidate {
    /// Returns whether the texts are near duplicates.
    pub(super) fn matches(&self, other: &Candidate, threshold: f64) -> bool {
        let (short, long) = (self.length.min(other.length), self.length.max(other.length));
        self.fingerprint.matches(&other.fingerprint)
            && short as f64 / long as f64 >= MIN_LENGTH_RATIO
            && self.similarity(other) >= threshold
    }

    /// Returns the Jaccard index of the lines as multisets: Σ min(counts) / Σ max(counts).
    pub(super) fn similarity(&self, other: &Candidate) -> f64 {
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
