// How the servers count: o200k of the text of every piece of a request, and some tokens for the piece itself.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens of a piece beside those of its text. */
export const PIECE_TOKENS = 4;
export const IMAGE_TOKENS = 100;

const known = new Map();
const asText = { disallowedSpecial: new Set() };

/** Token ids of a text. */
export function encoded(text) {
  if (!known.has(text)) known.set(text, encode(text, asText));
  return known.get(text);
}

export const countText = (text) => encoded(text).length;

/**
 * A piece of a request: a tool, a text of the system prompt, a block, a message or an item.
 * @param {unknown} head what makes it another piece beside its text, such as role, type and ids; not counted
 * @param {string} text what is counted
 * @param {number} images number of images
 */
export function piece(head, text = '', images = 0) {
  const fixed = PIECE_TOKENS + IMAGE_TOKENS * images;
  return { head: JSON.stringify(head), text, fixed, tokens: fixed + countText(text) };
}

export const sumTokens = (pieces) => pieces.reduce((sum, { tokens }) => sum + tokens, 0);
