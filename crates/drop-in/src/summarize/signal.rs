//! Signals that raise the score of a sentence.

/// A signal that raises the score of its sentence at each occurrence.
#[derive(Clone, Copy, Debug)]
pub struct ScoreSignal {
    /// Position in it or right after it at which it was found.
    pub at: u32,
    /// End, exclusive.
    pub end: u32,
    /// Points that it adds.
    pub points: i32,
}
