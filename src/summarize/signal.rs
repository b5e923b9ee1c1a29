//! Signals that raise the score of a sentence.

/// Something that raises the score of its sentence each time that it is there.
#[derive(Clone, Copy, Debug)]
pub struct ScoreSignal {
    /// The position in it, or right behind it, where it was found.
    pub at: u32,
    /// Position behind its last unit.
    pub end: u32,
    /// By how much.
    pub points: i32,
}
