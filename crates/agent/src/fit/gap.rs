//! A stretch of a text that is left out.

use std::ops::Range;

use super::span::Form;

/// Adjacent spans that are left out.
pub(super) struct Gap {
    /// Their position in the text, in UTF-16 code units.
    pub range: Range<usize>,
    /// Content of their run.
    pub form: Form,
    /// Number of spans.
    pub count: usize,
}

/// `1 line`, `2 lines`.
pub(super) fn counted(count: usize, what: &str) -> String {
    // Several times as fast as formatting, and each rendering writes its marks.
    [&count.to_string()[..], " ", what, if count == 1 { "" } else { "s" }].concat()
}
