// @ts-check
'use strict';

const { describe, isCount } = require('../checks.js');
const { isUnawaited } = require('../promises.js');
const { measure } = require('./measure.js');
const { toolSchemas } = require('./schemas.js');
const { systemPrompts } = require('./system.js');

/**
 * The tokens that belong to no message: what the provider adds to a request, the schemas of tools, and the system's instructions. A
 * caller's counter counts all that a message takes, so with one only what the caller hands over beside the messages is added.
 *
 * @param {'openai' | 'anthropic' | 'gemini'} provider
 * @param {'o200k_base' | 'cl100k_base' | 'estimate'} tokenizer
 * @param {{ tokenCounter?: Function | null, system?: unknown, tools?: unknown }} options
 * @param {string} at what errors call the options
 * @throws {TypeError} `system` or a tool is of no known shape
 */
function requestTokens(provider, tokenizer, { tokenCounter, system, tools }, at) {
  const schemas = toolSchemas(tools, `${at}.tools`);
  const beside = { schemas, prompts: systemPrompts(system, `${at}.system`) };
  const { request, system: ofSystem } = measure([], [], provider, tokenizer, beside);
  return (tokenCounter && schemas.length === 0 ? 0 : request) + ofSystem;
}

/**
 * The tokens of a message, as a caller's counter counts them.
 *
 * @param {Function} tokenCounter
 * @param {object} message
 * @param {string} name what errors call the counter
 * @throws {TypeError} the counter answers with something else than a number from 0
 */
function askCounter(tokenCounter, message, name) {
  const count = tokenCounter(message);
  if (isCount(count)) return count;
  isUnawaited(count);
  throw new TypeError(`${name} must return a number of tokens from 0, got ${typeof count === 'number' ? count : describe(count)}`);
}

module.exports = { askCounter, requestTokens };
