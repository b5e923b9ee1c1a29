'use strict';

/**
 * What Gemini adds to the texts of a request.
 *
 * The tokenizer is not OpenAI's: texts are counted with the one that was asked for, which is an approximation. What is added
 * to a message is not public; one token each is what the chat of the documentation has beyond its texts:
 * https://ai.google.dev/gemini-api/docs/tokens, "Count multi-turn (chat) tokens".
 * Images: the same page, and https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding.
 */
const gemini = {
  request: 0,
  message: 1,
  countsRole: false,
  /** Nothing is documented to be added to `systemInstruction`. */
  systemIsMessage: false,
  name: 0,
  call: 3,
  /** An image of one tile, or a page of a document. */
  unknownMedia: 258,
  image,
  tools,
};

const TILE = 258;
const SMALL = 384;

/** Tokens of an image: one tile if it is small, else as many as it takes, each 1/1.5 of the shorter side. */
function image(width, height) {
  if (width <= SMALL && height <= SMALL) return TILE;
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return TILE * Math.ceil(width / unit) * Math.ceil(height / unit);
}

/** Counts tool schemas as the JSON that they are sent as. */
function tools(schemas, _, add) {
  for (const { name, description, parameters } of schemas) add(JSON.stringify({ name, description, parameters }));
}

module.exports = gemini;
