//! Tokens that Anthropic adds.
//!
//! The tokenizer of Claude is not public, nor is what is added to a message: the numbers are those with which the example of the
//! documentation has its 14 tokens: <https://platform.claude.com/docs/en/build-with-claude/token-counting>, "How to count
//! message tokens".
//! Tools: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview>, "Pricing" (`tool_choice: auto`).
//! Images: <https://platform.claude.com/docs/en/build-with-claude/vision>, "Calculate image costs".

use super::rules::Rules;

pub(super) const RULES: Rules = Rules {
    request: 1.0,
    message: 3.0,
    counts_role: false,
    // Nothing is documented to be added to `system`.
    system_is_message: false,
    name: 0.0,
    call: 3.0,
    // The largest image that is not scaled down.
    unknown_media: MAX_TOKENS,
    image,
    schema_row: |_, _| 0.0,
    // The system prompt that a request with tools gets.
    tools: 346.0,
};

/// Edge in pixels to which a longer one is scaled down.
const MAX_EDGE: f64 = 1568.0;
const MAX_TOKENS: f64 = 1600.0;
const PIXELS_PER_TOKEN: f64 = 750.0;

fn image(width: f64, height: f64, _is_low_detail: bool) -> f64 {
    let scale = (MAX_EDGE / width.max(height)).min(1.0);
    (width * scale * (height * scale) / PIXELS_PER_TOKEN).ceil().min(MAX_TOKENS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_the_guide() {
        let of = |width, height| image(width, height, false);
        // "Calculate image costs": width × height / 750.
        assert_eq!(of(200.0, 200.0), 54.0);
        assert_eq!(of(1000.0, 1000.0), 1334.0);
        assert_eq!(of(1092.0, 1092.0), 1590.0);
        // Scaled down to an edge of 1568 pixels, and to about 1600 tokens.
        assert_eq!(of(4000.0, 1000.0), (1568.0_f64 * 392.0 / 750.0).ceil());
        assert_eq!(of(8000.0, 8000.0), 1600.0);
    }
}
