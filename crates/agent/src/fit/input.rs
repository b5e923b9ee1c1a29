//! The caller's input about a conversation: costs, required content, and notes on dropped content.

use super::indices::Unit;
use palimpsest_history::transcript::{MessageIndex, PartIndex};
use palimpsest_text::index::{IndexRange, IndexVec};

/// Tokens that a conversation costs beside the texts that can be cut, as the caller counts.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// For each part the tokens beside its text: an image, or a call's name and id.
    pub parts: IndexVec<PartIndex, f64>,
    /// For each message the tokens that belong to none of its parts.
    pub messages: IndexVec<MessageIndex, f64>,
    /// Tokens that belong to no message.
    pub request: f64,
    /// For each message the factor between its tokens as another counter gives them and as they are counted here. Empty: 1 for all.
    pub scales: IndexVec<MessageIndex, f64>,
    /// For each message its turn, where the provider merges messages of equal turns when those between them are removed. Empty: none are.
    pub turns: IndexVec<MessageIndex, u32>,
    /// Tokens that a message costs less when it is merged into the one before.
    pub merging: f64,
    /// For each message, whether an edit of any part removes it. Empty: none is.
    pub emptied: IndexVec<MessageIndex, bool>,
}

impl Costs {
    /// The factor of a message.
    pub fn scale(&self, message: MessageIndex) -> f64 {
        self.scales.get(message).copied().unwrap_or(1.0)
    }

    /// Whether two messages are merged when those between them are removed.
    pub fn are_merged(&self, first: MessageIndex, second: MessageIndex) -> bool {
        !self.turns.is_empty() && self.turns.get(first) == self.turns.get(second)
    }

    /// Whether an edit of any part removes a message.
    pub fn is_emptied(&self, message: MessageIndex) -> bool {
        self.emptied.get(message).copied().unwrap_or(false)
    }
}

/// What the caller says of content: what has to stay, and what is worth more.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    /// Number of messages at the end that stay.
    pub recent: u32,
    /// Whether everything that the user said stays.
    pub user: bool,
    /// Tools whose calls and results stay.
    pub tools: Vec<String>,
    /// Whether the arguments of a call stay as they are where the call stays.
    pub arguments: bool,
    /// Ranges of parts' texts, in UTF-16 code units, in order.
    pub ranges: Vec<(PartIndex, IndexRange<Unit>)>,
    /// If given, marks name the dropped messages by their places plus this number, by which a model can ask for them.
    pub numbers: Option<u32>,
    /// Results that the model asked for again, in order: they are worth more.
    pub asked_again: Vec<PartIndex>,
}

/// A text that stands in a mark and sums up what is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Subject of the note.
    pub about: About,
    /// One line. Empty where what it is about has to go, and nothing sums it up.
    pub text: String,
}

/// Subject of a note or an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The run of removed messages that includes this one.
    Messages(MessageIndex),
    /// The cut ranges of a part that stays.
    Part(PartIndex),
}
