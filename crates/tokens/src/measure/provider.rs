//! The providers, and the tokens of media.

use super::rules::Rules;
use super::{anthropic, gemini, openai};

/// A provider of models. Each adds tokens by rules of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// OpenAI; also where messages may go to any provider.
    OpenAi,
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// An image, a document or a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Media {
    /// Width and height in pixels, where the header of an image says them.
    pub size: Option<(u32, u32)>,
    /// Whether the model is to look at it in low detail.
    pub is_low_detail: bool,
}

/// Width and height that an image in low detail is taken to have where they are unknown.
const UNKNOWN_SIZE: u32 = 1024;

impl Provider {
    /// Returns the provider of that name: `openai`, `anthropic` or `gemini`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "openai" => Some(Provider::OpenAi),
            "anthropic" => Some(Provider::Anthropic),
            "gemini" => Some(Provider::Gemini),
            _ => None,
        }
    }

    /// Returns the tokens of every message, beside its role, name and parts.
    pub fn tokens_per_message(self) -> f64 {
        self.rules().message
    }

    /// Returns the tokens of an image, a document or a sound.
    pub fn media_tokens(self, media: Media) -> f64 {
        let Rules { image, unknown_media, .. } = self.rules();
        match (media.size, media.is_low_detail) {
            (Some((width, height)), is_low) => image(width.into(), height.into(), is_low),
            (None, true) => image(UNKNOWN_SIZE.into(), UNKNOWN_SIZE.into(), true),
            (None, false) => *unknown_media,
        }
    }

    pub(super) fn rules(self) -> &'static Rules {
        match self {
            Provider::OpenAi => &openai::RULES,
            Provider::Anthropic => &anthropic::RULES,
            Provider::Gemini => &gemini::RULES,
        }
    }
}
