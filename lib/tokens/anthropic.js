'use strict';

/**
 * What Anthropic adds to the texts of a request.
 *
 * The tokenizer of Claude is not public: texts are counted with the one that was asked for, which is an approximation. What
 * is added to a message is not public either; the numbers are those with which the example of the documentation comes to
 * its 14 tokens: https://platform.claude.com/docs/en/build-with-claude/token-counting, "How to count message tokens".
 * Tools: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview, "Pricing" (`tool_choice: auto`).
 * Images: https://platform.claude.com/docs/en/build-with-claude/vision, "Calculate image costs".
 */
const anthropic = {
  request: 1,
  message: 3,
  countsRole: false,
  /** Nothing is documented to be added to `system`. */
  systemIsMessage: false,
  name: 0,
  call: 3,
  /** The largest image that is not scaled down. */
  unknownMedia: 1600,
  image,
  tools,
};

const LONGEST_EDGE = 1568;
const MOST = 1600;
const PIXELS_PER_TOKEN = 750;
/** The system prompt that a request with tools gets. */
const TOOLS_PROMPT = 346;

/** Tokens of an image, which is scaled down if it is too large. */
function image(width, height) {
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));
  return Math.min(MOST, Math.ceil((width * scale * (height * scale)) / PIXELS_PER_TOKEN));
}

/** Counts tool schemas as the JSON that they are sent as. */
function tools(schemas, _, add) {
  if (schemas.length > 0) add(TOOLS_PROMPT);
  for (const { name, description, parameters } of schemas) add(JSON.stringify({ name, description, input_schema: parameters }));
}

module.exports = anthropic;
