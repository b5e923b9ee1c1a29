//! Messages that a later one retracts or corrects.

mod signal;
mod topic;

pub use signal::{Signal, signal};
pub use topic::Topics;

/// Minimum length of a text that corrects or is corrected, in UTF-16 code units.
pub const MIN_LENGTH: usize = 50;
/// Default of the minimum topic overlap.
pub const DEFAULT_THRESHOLD: f64 = 0.15;

/// A message superseded by a later one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// Position of the superseded message.
    pub of: usize,
    /// Position of the superseding message.
    pub by: usize,
    /// Topic overlap of both, 0 to 1.
    pub overlap: f64,
    /// Kind of correction.
    pub signal: Signal,
}
