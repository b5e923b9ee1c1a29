//! A conversation as a flat list of parts, the same for every provider's format.

use crate::text::{Text, Texts};

/// Who says a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Instructions, of the system or the developer.
    System,
    /// The user; never edited.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What is said.
    Text,
    /// A tool call; its text is the arguments, JSON or free-form.
    Call,
    /// What a tool answered; one of several where it answered with several blocks.
    Result,
    /// Reasoning of the model.
    Reasoning,
    /// An image, a document, a sound.
    Media,
    /// Anything else.
    Opaque,
}

/// What a provider's format itself says of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The tool did what it was asked for.
    Ok,
    /// It did not.
    Error,
}

/// A part of a message.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The number of its message in the input.
    pub message: u32,
    /// Who says it.
    pub role: Role,
    /// What it is.
    pub kind: Kind,
    /// What the format says of a result.
    pub status: Option<Status>,
    /// It may not be edited.
    pub locked: bool,
    /// A call's tool: a number in [`Transcript::names`].
    pub name: Option<u32>,
    /// The part that holds the call which a result answers.
    pub call: Option<u32>,
    /// Equal media have equal numbers.
    pub media: Option<u32>,
    /// Milliseconds since the epoch, where the message has a timestamp.
    pub time: Option<f64>,
    /// Whether the text is the JSON of a value, which it becomes again: not a text that may be JSON.
    pub is_value: bool,
}

impl Part {
    /// A part of `kind` that `role` says in message `message`, free to be edited.
    pub fn new(message: u32, role: Role, kind: Kind) -> Self {
        Part {
            message,
            role,
            kind,
            status: None,
            locked: false,
            name: None,
            call: None,
            media: None,
            time: None,
            is_value: false,
        }
    }
}

/// A conversation.
#[derive(Debug, Default)]
pub struct Transcript {
    parts: Vec<Part>,
    texts: Texts,
    names: Vec<String>,
    message_count: u32,
}

impl Transcript {
    /// A conversation of `message_count` messages (messages without any part count too), with the text of each part.
    pub fn new(message_count: u32, names: Vec<String>, parts: Vec<Part>, texts: Texts) -> Self {
        debug_assert_eq!(parts.len(), texts.len());
        Transcript { parts, texts, names, message_count }
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The text of part `index`.
    pub fn text(&self, index: usize) -> Text<'_> {
        self.texts.get(index)
    }

    /// The length of all texts together, in UTF-16 code units.
    pub fn units(&self) -> usize {
        self.texts.units()
    }

    /// The names of the tools.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of the tool that part `index` calls; empty where it has none.
    pub fn name(&self, index: usize) -> &str {
        let number = self.parts[index].name.map_or(usize::MAX, |number| number as usize);
        self.names.get(number).map_or("", String::as_str)
    }

    /// How many messages the input has.
    pub fn message_count(&self) -> u32 {
        self.message_count
    }

    /// The parts' numbers in order of time: by timestamps where every part has one, else as they stand.
    pub fn in_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.parts.len() as u32).collect();
        if self.parts.iter().all(|part| part.time.is_some_and(f64::is_finite)) {
            // Stable: what has the same time stays as it stands.
            order.sort_by(|&a, &b| {
                let time = |index: u32| self.parts[index as usize].time.unwrap_or_default();
                time(a).total_cmp(&time(b))
            });
        }
        order
    }
}
