// @ts-check
'use strict';

const { FOR_MESSAGES, got } = require('../given.js');
const native = require('../native.js');
const { modelOf } = require('../models.js');
const { measure, measuring, perMessage } = require('./measure.js');
const { named } = require('../places.js');
const { checkOptions, defaultOf } = require('../options/index.js');
const { toolSchemas } = require('./schemas.js');
const { inOneGo } = require('../steps.js');
const { systemPrompts } = require('./system.js');

const AT = 'countTokens(): options';

/** The provider by whose rules the messages of a format are counted: OpenAI's where they may go to any provider. */
const providerOf = (format) => (format === 'anthropic' || format === 'gemini' ? format : 'openai');

/** See `index.d.ts`. */
function countTokens(input, options) {
  const { tokenizer, format, system, tools } = checked(options);
  if (typeof input === 'string') {
    if (tools !== undefined) throw new TypeError(`${AT}.tools needs messages, got string`);
    if (system !== undefined) throw new TypeError(`${AT}.system needs messages, got string`);
    return native.countTexts([input], tokenizer)[0];
  }
  if (!Array.isArray(input))
    throw new TypeError(`countTokens(): input must be a string or an array of messages, got ${got(input, FOR_MESSAGES)}`);
  const { messages, request } = messageTokens(input, { tokenizer, format, system, tools });
  return messages.reduce((sum, count) => sum + count, request);
}

function checked(options) {
  const given = checkOptions('countTokens', options);
  const { tokenizer, format, system, tools } = given;
  return {
    tokenizer: tokenizer ?? modelOf(given, AT, 'tokenizer')?.tokenizer ?? defaultOf('countTokens', 'tokenizer'),
    format: format ?? 'auto',
    system: system ?? undefined,
    tools: tools ?? undefined,
  };
}

/**
 * The tokens of messages before and after an edit, each as `countTokens` gives them: what stayed the same object is counted
 * once.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {import('../types.d.ts').Part[]} parts those of `messages`
 * @param {readonly import('../types.d.ts').Foreign[]} edited
 * @param {import('../types.d.ts').Format} format
 * @param {'o200k_base' | 'cl100k_base' | 'estimate'} [tokenizer]
 */
function countEdited(messages, parts, edited, { name, read }, tokenizer = 'o200k_base') {
  const measured = measure(messages, parts, providerOf(name), tokenizer);
  const counts = perMessage(parts, measured);
  const before = counts.reduce((sum, count) => sum + count, measured.request);
  const known = new Map(messages.map((message, index) => [message, counts[index]]));
  const changed = edited.filter((message) => !known.has(message));
  const changedParts = read(changed);
  const changedCounts = perMessage(changedParts, measure(changed, changedParts, providerOf(name), tokenizer));
  let next = 0;
  const after = edited.reduce((sum, message) => sum + (known.get(message) ?? changedCounts[next++]), measured.request);
  return { before, after };
}

/**
 * The tokens of each message, and those of the request that belong to none. `texts` says those of texts that were counted
 * already.
 *
 * @returns {{ messages: Float64Array, request: number }}
 */
function messageTokens(messages, options) {
  return inOneGo(countingMessages(messages, options));
}

/**
 * The same, in steps.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {any} options of `countTokens`, with defaults
 */
function* countingMessages(messages, { tokenizer, format, system, tools, texts }) {
  const { formatOf } = require('../formats/index.js');
  const { name, reading } = formatOf(messages, format);
  const parts = yield* reading(messages);
  const beside = { schemas: toolSchemas(tools, `${AT}.tools`), prompts: systemPrompts(system, `${AT}.system`) };
  const measured = yield* measuring(messages, parts, providerOf(name), tokenizer, { ...beside, texts });
  return { messages: perMessage(parts, measured), request: measured.request + measured.system };
}

module.exports = { countTokens: named('countTokens', countTokens), countEdited, messageTokens, countingMessages, providerOf };
