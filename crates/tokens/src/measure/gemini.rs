//! Tokens that Gemini adds.
//!
//! The tokens added to a message are not public. The documentation's chat has one token per message beyond its texts:
//! <https://ai.google.dev/gemini-api/docs/tokens>, "Count multi-turn (chat) tokens".
//! Images: the same page, and
//! <https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding>.

use super::rules::Rules;

pub(super) const RULES: Rules = Rules {
    request: 0.0,
    message: 1.0,
    counts_role: false,
    // Nothing is documented to be added to `systemInstruction`.
    system_is_message: false,
    name: 0.0,
    call: 3.0,
    // An image of one tile, or a page of a document.
    unknown_media: TILE,
    image,
    schema_row: |_, _| 0.0,
    tools: 0.0,
};

const TILE: f64 = 258.0;
/// Longest edge in pixels of an image that is one tile.
const SMALL_EDGE: f64 = 384.0;
/// Edges of a tile in pixels: the least, the most, and the part of the image's shorter edge that it is between these.
const MIN_TILE_EDGE: f64 = 256.0;
const MAX_TILE_EDGE: f64 = 768.0;
const TILES_OF_SHORT_EDGE: f64 = 1.5;

fn image(width: f64, height: f64, _is_low_detail: bool) -> f64 {
    if width <= SMALL_EDGE && height <= SMALL_EDGE {
        return TILE;
    }
    let edge = (width.min(height) / TILES_OF_SHORT_EDGE).floor().clamp(MIN_TILE_EDGE, MAX_TILE_EDGE);
    TILE * (width / edge).ceil() * (height / edge).ceil()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_the_guide() {
        let of = |width, height| image(width, height, false);
        assert_eq!(of(384.0, 384.0), 258.0);
        assert_eq!(of(960.0, 540.0), 6.0 * 258.0); // a tile's edge is 360
        assert_eq!(of(768.0, 768.0), 4.0 * 258.0); // 512
        assert_eq!(of(3000.0, 300.0), 24.0 * 258.0); // 256, at least
        assert_eq!(of(3072.0, 3072.0), 16.0 * 258.0); // 768, at most
    }
}
