//! Messages that a later one takes back or puts right.

mod signal;
mod topic;

pub use signal::{Signal, signal};
pub use topic::Topics;

/// Shorter texts, in UTF-16 code units, are about nothing that could be corrected.
pub const MIN_LENGTH: usize = 50;
/// The overlap that two messages need, unless the caller says otherwise.
pub const DEFAULT_THRESHOLD: f64 = 0.15;

/// A message that a later one supersedes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// Position of the message that is superseded.
    pub of: usize,
    /// Position of the message that supersedes it.
    pub by: usize,
    /// How much of their topics both have in common, 0 to 1.
    pub overlap: f64,
    /// What shows it.
    pub signal: Signal,
}
