// @ts-check
'use strict';

// How far counts may be below the provider's. `docs/fit.md` has the measurements behind the numbers.

/** Formats of OpenAI's requests, whose tokenizers are public. */
const EXACT = new Set(['openai-chat', 'openai-responses', 'openai-agents', 'message']);

/** Share of a budget that stays free where counts are approximate. `claude`: the tokenizer since Opus 4.7; `other`: those before, and Gemini's. */
const MARGINS = { claude: 0.4, other: 0.2 };
/** The same with a factor from an earlier request's usage. The factor changes as messages are cut. */
const CALIBRATED_MARGIN = 0.05;

/** Maximum factor between the provider's usage and our count of what both count; tokenizers differ by less. */
const MAX_FACTOR = 4;

/**
 * Returns whether counts are the provider's own.
 *
 * @param {string} format its name
 * @param {{ tokenizer?: string | null, tokenCounter?: unknown }} options
 * @param {{ margin: number }} [model] the model that they name
 */
function isExact(format, { tokenizer, tokenCounter }, model) {
  return tokenCounter != null || (EXACT.has(format) && tokenizer !== 'estimate' && !model?.margin);
}

/**
 * Returns the share that stays free where counts are approximate.
 *
 * @param {string} format its name
 * @param {{ tokenizer?: string | null }} options
 * @param {{ margin: number }} [model] the model that they name
 */
function marginOf(format, { tokenizer }, model) {
  const margin = model?.margin ?? (format === 'anthropic' ? MARGINS.claude : MARGINS.other);
  return tokenizer === 'estimate' ? Math.max(margin, MARGINS.other) : margin;
}

/**
 * Returns how many tokens the provider counts for each token that is counted here; undefined if the numbers can't be of the same texts.
 *
 * @param {number} counted
 * @param {number} actual
 */
function factorOf(counted, actual) {
  const factor = actual / counted;
  return factor > 1 / MAX_FACTOR && factor < MAX_FACTOR ? factor : undefined;
}

module.exports = { CALIBRATED_MARGIN, factorOf, isExact, MARGINS, marginOf };
