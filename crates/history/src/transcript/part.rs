//! A part of a message: a text, a call, a result, an image.

use palimpsest_text::index_types;

index_types! {
    /// A message of a transcript.
    MessageIndex;
    /// A part of a transcript, in the list of all messages' parts.
    PartIndex;
    /// A name of a tool, in [`Transcript::names`](super::Transcript::names).
    NameIndex;
}

/// Author of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Instructions of the system or the developer.
    System,
    /// The user, whose words are never edited by pruning.
    #[default]
    User,
    /// The model.
    Assistant,
    Tool,
}

/// Content type of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Ordinary text.
    #[default]
    Text,
    /// A tool call; its text is the arguments, JSON or free-form.
    Call,
    /// A tool's answer to a call. An answer of several blocks is several parts.
    Result,
    /// Reasoning of the model.
    Reasoning,
    /// An image, a document, a sound.
    Media,
    /// Any other content.
    Opaque,
}

/// Outcome of a call, where the provider's format states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The tool succeeded.
    Ok,
    /// The tool failed.
    Error,
}

/// How a part may be removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Removal {
    /// With its message.
    #[default]
    Message,
    /// With its message and the message before it.
    Previous,
    /// With all that stands between two turns of the user: what belongs to it isn't known.
    Turn,
    /// Not at all.
    Never,
}

/// A part of a message, apart from its text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// Its message.
    pub message: MessageIndex,
    /// Its author.
    pub role: Role,
    /// Its content type.
    pub kind: Kind,
    /// Outcome that the format states for a result.
    pub status: Option<Status>,
    /// Whether it may not be edited.
    pub locked: bool,
    /// How it may be removed.
    pub removal: Removal,
    /// Tool of a call.
    pub name: Option<NameIndex>,
    /// The part with the call that a result answers.
    pub call: Option<PartIndex>,
    /// Number of a medium; equal media have equal numbers.
    pub media: Option<u32>,
    /// Time of the message in milliseconds since the epoch, where it has one.
    pub time: Option<f64>,
    /// Whether the text is the JSON of a value that is no string, and becomes that value again.
    pub is_value: bool,
}

impl Part {
    /// An editable part of message `message`.
    pub fn new(message: impl Into<MessageIndex>, role: Role, kind: Kind) -> Self {
        Part { message: message.into(), role, kind, ..Part::default() }
    }
}
