// @ts-check
'use strict';

const native = require('../native.js');
const { inOneGo } = require('../steps.js');
const { gatherRequest } = require('./gather.js');
const { providerOf } = require('./provider.js');

/**
 * The tokens of a request.
 *
 * @typedef {object} Measured
 * @property {Float64Array} parts of each part: its text, and for a call name and id
 * @property {Float64Array} own of each message beyond its parts
 * @property {number} request of tools, and of the request itself
 * @property {number} system of the system prompts beside the messages
 */

/**
 * Counts the tokens of a request; takes what {@link gatherRequest} takes.
 *
 * @param {Parameters<typeof gatherRequest>} all
 * @returns {Measured}
 */
function measure(...all) {
  return inOneGo(measuring(...all));
}

/** The same, in steps. */
function* measuring(messages, parts, provider, tokenizer, more) {
  const gathered = yield* gatherRequest(messages, parts, provider, tokenizer, more);
  const tokens = yield { now: () => native.measureRequest(gathered), later: () => native.measureRequestAsync(gathered) };
  const request = parts.length + messages.length;
  return {
    parts: tokens.subarray(0, parts.length),
    own: tokens.subarray(parts.length, request),
    request: tokens[request],
    system: tokens[request + 1],
  };
}

/** The tokens of each message, its parts included. */
function perMessage(parts, measured) {
  const tokens = measured.own.slice();
  parts.forEach(({ message }, index) => (tokens[message] += measured.parts[index]));
  return tokens;
}

/**
 * Counts the tokens of each message, in steps.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {import('../types.d.ts').Format} format
 * @param {'o200k_base' | 'cl100k_base' | 'estimate'} tokenizer
 * @param {ReadonlyMap<string, number>} texts tokens of texts that were counted already
 */
function* countingMessages(messages, format, tokenizer, texts) {
  const parts = yield* format.reading(messages);
  return perMessage(parts, yield* measuring(messages, parts, providerOf(format.name), tokenizer, { texts }));
}

module.exports = { countingMessages, measure, measuring, perMessage };
