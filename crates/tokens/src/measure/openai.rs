//! Tokens that OpenAI adds.
//!
//! Messages, names and tools: OpenAI Cookbook, "How to count tokens with tiktoken" (`num_tokens_from_messages` and
//! `num_tokens_for_tools`), <https://developers.openai.com/cookbook/examples/how_to_count_tokens_with_tiktoken>.
//! Images: <https://developers.openai.com/api/docs/guides/images-vision>, "Calculating costs", for the gpt-4o family.
//! Calls in the history are not documented: a call counts as the Cookbook counts a message, because all of them are messages
//! to the model, plus name, arguments and id.

use super::rules::{Extra, Rules};
use crate::Tokenizer;

pub(super) const RULES: Rules = Rules {
    // Every reply is primed with `<|start|>assistant<|message|>`.
    request: 3.0,
    // `<|start|>{role}\n{content}<|end|>\n`, without role and content themselves.
    message: 3.0,
    counts_role: true,
    system_is_message: true,
    name: 1.0,
    call: 3.0,
    // An image of 1024 × 1024 pixels in high detail.
    unknown_media: 765.0,
    image,
    schema_row,
    tools: 12.0,
};

const LOW_DETAIL: f64 = 85.0;
/// Tokens of an image in high detail, beside its tiles.
const BASE: f64 = 85.0;
const TILE: f64 = 170.0;
/// Edge of a tile in pixels.
const TILE_EDGE: f64 = 512.0;
/// Edges in pixels to which an image is scaled down before it is cut into tiles: the longer one, then the shorter one.
const MAX_LONG_EDGE: f64 = 2048.0;
const MAX_SHORT_EDGE: f64 = 768.0;

fn image(width: f64, height: f64, is_low_detail: bool) -> f64 {
    if is_low_detail {
        return LOW_DETAIL;
    }
    let fitted = (MAX_LONG_EDGE / width.max(height)).min(1.0);
    let scale = fitted * (MAX_SHORT_EDGE / (width.min(height) * fitted)).min(1.0);
    let tiles = |length: f64| ((length * scale).round() / TILE_EDGE).ceil();
    BASE + TILE * tiles(width) * tiles(height)
}

fn schema_row(row: Extra, tokenizer: Tokenizer) -> f64 {
    match row {
        // The models of cl100k_base take three more.
        Extra::Tool if tokenizer == Tokenizer::Cl100kBase => 10.0,
        Extra::Tool => 7.0,
        Extra::Properties | Extra::Property | Extra::EnumValue => 3.0,
        Extra::Enum => -3.0,
        Extra::Prompt | Extra::PromptText => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_the_guide() {
        assert_eq!(image(1024.0, 1024.0, false), 765.0);
        assert_eq!(image(2048.0, 4096.0, false), 1105.0);
        assert_eq!(image(4096.0, 8192.0, true), 85.0);
        // One tile: small images are not scaled up.
        assert_eq!(image(100.0, 100.0, false), 255.0);
    }
}
