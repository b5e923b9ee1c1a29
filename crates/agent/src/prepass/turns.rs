//! The messages that tool results are trimmed in.

use palimpsest_history::transcript::Transcript;
use palimpsest_text::Text;
use palimpsest_world::outcome::rejection::users_answer;

/// TurnKind of a message for this pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// A message of the agent.
    Assistant,
    /// A result of a tool that may be trimmed.
    Trimmable,
    /// A result of a tool that stays as it is.
    Tool,
    /// Anything else.
    Other,
}

/// The messages of a conversation, in order.
#[derive(Debug)]
pub struct Turns<'a> {
    conversation: &'a Transcript,
    kinds: Vec<TurnKind>,
}

impl<'a> Turns<'a> {
    /// Reads the messages of `conversation`, which have these `kinds`. Results that pass on what the user said are not trimmed.
    pub fn new(conversation: &'a Transcript, mut kinds: Vec<TurnKind>) -> Self {
        for (index, kind) in kinds.iter_mut().enumerate().filter(|(_, kind)| **kind == TurnKind::Trimmable) {
            if users_answer(conversation.text(index)).is_some() {
                *kind = TurnKind::Tool;
            }
        }
        Turns { conversation, kinds }
    }

    /// Text of a message.
    pub fn text(&self, index: usize) -> Text<'a> {
        self.conversation.text(index)
    }

    /// Indices of the messages whose kind is `wanted`.
    pub fn of_kind(&self, wanted: impl Fn(TurnKind) -> bool) -> impl Iterator<Item = usize> {
        self.kinds.iter().enumerate().filter(move |(_, kind)| wanted(**kind)).map(|(index, _)| index)
    }
}
