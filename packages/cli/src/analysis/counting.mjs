// @ts-check
// Tokens of messages and texts, counted by the library.
import { createRequire } from 'node:module';

/** @type {typeof import('palimpsest')} */
const { countTokens, fit } = createRequire(import.meta.url)('palimpsest');

/**
 * @typedef {object} Counter
 * @property {(message: object) => number} ofMessage tokens of a message, without those that a request adds
 * @property {(text: string) => number} ofText
 * @property {string | undefined} model the model, if the library knows it
 * @property {boolean} isExact whether the counts are those of the model's own tokenizer
 * @property {'o200k_base' | 'cl100k_base'} tokenizer
 */

/** @param {string | undefined} model @returns {boolean} whether the library knows the model */
function isKnown(model) {
  if (model === undefined) return false;
  try {
    countTokens('', { model });
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** A text that the two tokenizers count differently. */
const DIFFERENT = '灯台守は毎晩霧笛を鳴らした';

/**
 * @param {import('../types.d.ts').MessageFormat} format
 * @param {string | undefined} name of the model
 * @returns {Counter}
 */
export function createCounter(format, name) {
  const model = isKnown(name) ? name : undefined;
  const options = { format, ...(model !== undefined && { model }) };
  const ofRequest = countTokens([], options);
  const isO200k = countTokens(DIFFERENT, { model }) === countTokens(DIFFERENT, { tokenizer: 'o200k_base' });
  return {
    ofMessage: (message) => Math.max(0, countTokens([message], options) - ofRequest),
    ofText: (text) => countTokens(text, { model }),
    model,
    isExact: model !== undefined && fit([], { ...options, limit: 1_000 }).exact,
    tokenizer: isO200k ? 'o200k_base' : 'cl100k_base',
  };
}
