//! Texts with shared memory.

use std::fmt;
use std::sync::Arc;

use super::{Text, TextBuf, Texts};

/// One of many texts in shared memory, which lives as long as one of them is needed. Cloning it copies no text.
#[derive(Clone)]
pub struct SharedText {
    texts: Arc<Texts>,
    index: u32,
}

impl SharedText {
    pub fn new(texts: &Arc<Texts>, index: u32) -> Self {
        SharedText { texts: texts.clone(), index }
    }

    /// Returns the address of its memory and its number there, which together are unique as long as this text lives.
    pub fn place(&self) -> (usize, u32) {
        (Arc::as_ptr(&self.texts).addr(), self.index)
    }

    /// Returns a view of the text.
    pub fn as_text(&self) -> Text<'_> {
        self.texts.get(self.index as usize)
    }

    /// Returns the length in UTF-16 code units.
    pub fn len(&self) -> usize {
        self.as_text().len()
    }

    pub fn is_empty(&self) -> bool {
        self.as_text().is_empty()
    }
}

/// Formats only this text, not the memory it shares.
impl fmt::Debug for SharedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_text().fmt(formatter)
    }
}

impl From<&TextBuf> for SharedText {
    fn from(text: &TextBuf) -> Self {
        let mut texts = Texts::with_capacity(1, text.len());
        texts.push(text.as_text());
        SharedText { texts: Arc::new(texts), index: 0 }
    }
}
