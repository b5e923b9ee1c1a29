//! A span: a stretch of a text that stays or goes as a whole.

use std::num::NonZeroU32;
use std::ops::Range;

/// Content of a run of adjacent spans, which decides what a mark in the place of some of them looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Lines and sentences of a text.
    Text,
    /// Lines and sentences inside a JSON string, where line ends are escaped.
    JsonText,
    /// Lines and sentences of a long text in the arguments of a call. One mark stands for all of that text, and quotes those that stay.
    Argument,
    /// Elements of an array; each but the last includes its comma.
    Items,
    /// Members of the object with this number; each but the last includes its comma.
    Members(u32),
}

/// A stretch of a text that stays or goes as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its position, in UTF-16 code units.
    pub range: Range<usize>,
    /// Number of its run: spans of a run follow each other without anything between them.
    pub run: u32,
    /// Content of the run.
    pub form: Form,
    /// How many spans above this one its context stands: the span without which it is hard to understand, such as the
    /// signature above a line of code, the header of a hunk, the heading of a section. The distance is positive, so chains of contexts
    /// have no cycles.
    pub context: Option<NonZeroU32>,
    /// Whether the first and the last span of the text stay wherever this one does, as in a log.
    pub needs_ends: bool,
}
