// @ts-check
'use strict';

const { whatIs } = require('../given.js');
const native = require('../native.js');
const { modelOf } = require('../model-of.js');
const { measure, measuring, perMessage } = require('./measure.js');
const { providerOf } = require('./provider.js');
const { named } = require('../places.js');
const { checkOptions, defaultOf } = require('../options/index.js');

const AT = 'countTokens(): options';

/** See `index.d.ts`. */
function countTokens(input, options) {
  const { tokenizer, format, system, tools, provider } = checked(options);
  if (typeof input === 'string') {
    if (tools !== undefined) throw new TypeError(`${AT}.tools needs messages, got string`);
    if (system !== undefined) throw new TypeError(`${AT}.system needs messages, got string`);
    return native.countTexts([input], tokenizer)[0];
  }
  if (!Array.isArray(input))
    throw new TypeError(`countTokens(): input must be a string or an array of messages, got ${whatIs(input, 'messages')}`);
  // A string needs no formats.
  const [{ hintsOf }, { formatOf }] = [require('../formats/hints.js'), require('../formats/index.js')];
  const { Recalled } = require('./recalled.js');
  const known = new Recalled(input, formatOf(input, format, hintsOf({ tools, system, provider })), tokenizer);
  return known.sum(known.count({ tools, system }, AT));
}

function checked(options) {
  const given = checkOptions('countTokens', options);
  const { tokenizer, format, system, tools } = given;
  const model = modelOf(given, AT, 'tokenizer');
  return {
    tokenizer: tokenizer ?? model?.tokenizer ?? defaultOf('countTokens', 'tokenizer'),
    provider: model?.provider,
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

module.exports = { countTokens: named('countTokens', countTokens), countEdited, countingMessages };
