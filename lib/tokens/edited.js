// @ts-check
'use strict';

const { measure, perMessage } = require('./measure.js');
const { providerOf } = require('./provider.js');

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

module.exports = { countEdited };
