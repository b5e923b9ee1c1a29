//! Messages that say what another one says: the same text, or nearly the same lines.

mod candidate;
mod exact;
mod fingerprint;
mod fuzzy;
mod lines;

pub use exact::ExactGroups;
pub use fuzzy::FuzzyIndex;

/// Shorter texts, in UTF-16 code units, are no duplicates of anything.
pub const MIN_LENGTH: usize = 200;

/// What a duplicate is a duplicate of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duplicate {
    /// Position of the message that stays.
    pub of: usize,
    /// How much of both is the same, 0 to 1, for near duplicates; `None` for exact ones.
    pub similarity: Option<f64>,
}

/// The message of `members` (positions, ascending) that stays: the first one in the recency window, else the last.
fn keep_target(members: &[usize], recency_start: f64) -> usize {
    let in_window = || members.iter().copied().find(|&position| position as f64 >= recency_start);
    let last = members[members.len() - 1];
    if recency_start > 0.0 { in_window().unwrap_or(last) } else { last }
}

/// Where the recency window of `window` messages starts in a history of `count`; its end when there is no window.
pub fn recency_start(count: usize, window: f64) -> f64 {
    if window > 0.0 { f64::max(0.0, count as f64 - window) } else { count as f64 }
}
