//! What the user says where they refuse what a tool was to do.

use std::ops::Range;

use crate::text::Text;

/// The user's words in a result.
pub fn users_words(_text: Text<'_>) -> Option<Range<usize>> {
    None
}
