//! A text whose memory others share.

use std::fmt;
use std::sync::Arc;

use super::{Text, TextBuf, Texts};

/// One of many texts that were written together and live as long as one of them is needed. Cloning it copies nothing.
#[derive(Clone)]
pub struct SharedText {
    texts: Arc<Texts>,
    index: u32,
}

impl SharedText {
    /// The text at `index` of `texts`.
    pub fn new(texts: &Arc<Texts>, index: u32) -> Self {
        SharedText { texts: texts.clone(), index }
    }

    /// The address of its memory and its number there: no other text has both as long as this one lives.
    pub fn place(&self) -> (usize, u32) {
        (Arc::as_ptr(&self.texts).addr(), self.index)
    }

    /// A view of the text.
    pub fn as_text(&self) -> Text<'_> {
        self.texts.get(self.index as usize)
    }

    /// The length in UTF-16 code units.
    pub fn len(&self) -> usize {
        self.as_text().len()
    }

    /// Whether the text has no unit at all.
    pub fn is_empty(&self) -> bool {
        self.as_text().is_empty()
    }
}

/// The text alone: what else is in its memory is none of its business.
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
