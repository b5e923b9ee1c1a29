'use strict';

const { describe } = require('../checks.js');
const native = require('../native.js');
const anthropic = require('./anthropic.js');
const gemini = require('./gemini.js');
const { measure, measuring, perMessage } = require('./measure.js');
const { checkOptions, defaultOf } = require('../options/index.js');
const openai = require('./openai.js');
const { toolSchemas } = require('./schemas.js');
const { inOneGo } = require('../steps.js');
const { systemTokens } = require('./system.js');

/** By the name of the format; any other is sent to whichever provider, and counted as OpenAI counts. */
const PROVIDERS = { anthropic, gemini };

const providerOf = (format) => PROVIDERS[format] ?? openai;

/** See `index.d.ts`. */
function countTokens(input, options) {
  const { tokenizer, format, system, tools } = checked(options);
  if (typeof input === 'string') {
    if (tools !== undefined) throw new TypeError('options.tools needs messages, got a string');
    if (system !== undefined) throw new TypeError('options.system needs messages, got a string');
    return native.countTexts([input], tokenizer)[0];
  }
  if (!Array.isArray(input)) throw new TypeError(`countTokens(): input must be a string or an array of messages, got ${describe(input)}`);
  const { messages, request } = messageTokens(input, { tokenizer, format, system, tools });
  return messages.reduce((sum, count) => sum + count, request);
}

function checked(options) {
  const { tokenizer, format, system, tools } = checkOptions('countTokens', options);
  return {
    tokenizer: tokenizer ?? defaultOf('countTokens', 'tokenizer'),
    format: format ?? 'auto',
    system: system ?? undefined,
    tools: tools ?? undefined,
  };
}

/**
 * The tokens of messages before and after an edit, each as `countTokens` gives them: what stayed the same object is counted
 * once.
 *
 * @param {object[]} parts those of `messages`
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

/** The same, in steps. */
function* countingMessages(messages, { tokenizer, format, system, tools, texts }) {
  const { formatOf } = require('../formats/index.js');
  const { name, reading } = formatOf(messages, format);
  const parts = yield* reading(messages);
  const provider = providerOf(name);
  const measured = yield* measuring(messages, parts, provider, tokenizer, toolSchemas(tools), { texts });
  const ofSystem = systemTokens(system, provider, tokenizer, 'countTokens(): options.system');
  return { messages: perMessage(parts, measured), request: measured.request + ofSystem };
}

module.exports = { countTokens, countEdited, messageTokens, countingMessages, providerOf };
