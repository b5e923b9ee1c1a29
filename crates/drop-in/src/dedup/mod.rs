//! Duplicate messages: with the same text, or with nearly the same lines.

mod candidate;
mod exact;
mod fingerprint;
mod fuzzy;
mod lines;

pub use exact::ExactGroups;
pub use fuzzy::FuzzyIndex;

/// Minimum length of a duplicate, in UTF-16 code units.
pub const MIN_LENGTH: usize = 200;

/// A duplicate and the message that keeps its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duplicate {
    /// Position of the message that stays.
    pub of: usize,
    /// Share of common lines, 0 to 1, for near duplicates; `None` for exact ones.
    pub similarity: Option<f64>,
}

/// Returns the member (of positions, ascending) that stays: the first one in the recency window, or else the last.
fn keep_target(members: &[usize], recency_start: f64) -> usize {
    let in_window = || members.iter().copied().find(|&position| position as f64 >= recency_start);
    let last = members[members.len() - 1];
    if recency_start > 0.0 { in_window().unwrap_or(last) } else { last }
}

/// Returns the start of a recency window of `window` messages in a history of `count`; its end if there is no window.
pub fn recency_start(count: usize, window: f64) -> f64 {
    if window > 0.0 { f64::max(0.0, count as f64 - window) } else { count as f64 }
}
