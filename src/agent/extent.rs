//! How much of a file a call reads.

/// Extent of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The whole file.
    Whole,
    /// The first and the last line, counted from 1, both inclusive.
    Lines(u32, u32),
    /// Unknown parts of the file.
    Part,
}
