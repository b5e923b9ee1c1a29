//! Messages of the result.

use crate::compress::decisions::Reason;
use crate::compress::statistics::Statistics;
use crate::summarize::round;
use palimpsest_text::SharedText;

/// A message of the result.
#[derive(Clone, Debug)]
pub struct Output {
    /// Index of the first input message that it replaces.
    pub start: usize,
    /// Number of successive input messages that it replaces.
    pub count: usize,
    /// Its text; `None` if it is the input message itself.
    pub text: Option<SharedText>,
    /// Hash of the ids of the messages it replaces, if it has a text of its own.
    pub ids_hash: u32,
    /// Length of its text in UTF-16 code units.
    pub(in crate::compress) length: usize,
    /// Why it is what it is.
    pub(in crate::compress) reason: Reason,
}

impl Output {
    /// Length of its text in UTF-16 code units.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the same message with another text.
    pub(in crate::compress) fn with_text(&self, text: SharedText, ids_hash: u32, reason: Reason) -> Self {
        Output { length: text.len(), text: Some(text), ids_hash, reason, ..*self }
    }

    /// Returns its share, in UTF-16 code units, of each input message that it replaces.
    pub(in crate::compress) fn share(&self) -> usize {
        round(self.length as f64 / self.count as f64) as usize
    }
}

/// All messages of the result, and what became of the input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Emission {
    pub outputs: Vec<Output>,
    /// Its counts and decisions.
    pub statistics: Statistics,
}
