//! The rules of a provider.

use crate::Tokenizer;

/// Rows beside the messages of a request: tools and their schemas, and system prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// A tool begins.
    Tool,
    /// A list of properties begins.
    Properties,
    Property,
    /// The values of a property begin.
    Enum,
    /// A value of a property.
    EnumValue,
    /// A system prompt begins; the text is its role.
    Prompt,
    /// A text of a system prompt.
    PromptText,
}

/// Tokens that a provider adds to the texts of a request.
pub(super) struct Rules {
    /// Tokens of every request.
    pub request: f64,
    /// Tokens of every message.
    pub message: f64,
    /// Whether the role of a message is counted as a text.
    pub counts_role: bool,
    /// Whether a system prompt beside the messages is a message of its own.
    pub system_is_message: bool,
    /// Tokens of a message's name, beside the name itself.
    pub name: f64,
    /// Tokens of a tool call, beside its name, arguments and id.
    pub call: f64,
    /// Tokens of an image or document of unknown size.
    pub unknown_media: f64,
    /// Tokens of an image of this width and height in pixels.
    pub image: fn(width: f64, height: f64, is_low_detail: bool) -> f64,
    /// Tokens of a row of a tool's schema, beside its text.
    pub schema_row: fn(Extra, Tokenizer) -> f64,
    /// Tokens of all tools together, beside their schemas.
    pub tools: f64,
}
