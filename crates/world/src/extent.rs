//! How much of a file a call reads.

/// Lines of a file, counted from 1: at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    first: u32,
    last: u32,
}

impl LineRange {
    /// Returns the lines from `first` to `last`, both inclusive; `None` if there is no line between them.
    pub fn new(first: u32, last: u32) -> Option<Self> {
        (1..=last).contains(&first).then_some(LineRange { first, last })
    }

    /// The first line.
    pub fn first(self) -> u32 {
        self.first
    }

    /// The last line.
    pub fn last(self) -> u32 {
        self.last
    }
}

/// Extent of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The whole file.
    Whole,
    /// Some lines.
    Lines(LineRange),
    /// Unknown parts of the file.
    Part,
}

impl Extent {
    /// Returns the lines from `first` to `last`, both inclusive. What a call shows that asks for none is unknown.
    pub fn lines(first: u32, last: u32) -> Self {
        LineRange::new(first, last).map_or(Extent::Part, Extent::Lines)
    }
}
