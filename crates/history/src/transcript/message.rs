//! A message, apart from its id and its parts.

/// Speaker of a message, as far as the rules ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speaker {
    /// The role `user`.
    User,
    /// The role `assistant`.
    Assistant,
    /// Any other role, or none.
    #[default]
    Other,
}

/// Properties of a message that its parts don't show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Number of its role: equal roles have equal numbers, and "no role" counts as a role.
    pub role: u32,
    pub speaker: Speaker,
    /// Whether it has a role.
    pub has_role: bool,
    /// Whether its role is one of those that are never edited.
    pub has_preserved_role: bool,
    /// Whether it calls tools.
    pub has_tool_calls: bool,
    /// Whether it answers a tool call, so that it may not be merged into another message.
    pub answers_tool_call: bool,
    /// Whether its id is a string. Other ids are represented by the text that JavaScript makes of them.
    pub has_string_id: bool,
}
