// @ts-check
'use strict';

/** @typedef {import('../types.d.ts').Foreign} Foreign */

/**
 * Returns the name of a chat model, if it has one.
 *
 * @param {Foreign | undefined} model an instance, one with bound options, or what `initChatModel` makes of `openai:gpt-5.5`
 * @returns {string | undefined}
 */
function nameOf(model) {
  const inner = model?.bound ?? model;
  return [inner?.model, inner?.modelName, inner?._defaultConfig?.model].find((name) => typeof name === 'string');
}

/** Returns the most tokens of an answer, if the model says it. @param {Foreign} model */
function maxTokensOf(model) {
  const { maxTokens } = model.bound ?? model;
  return maxTokens > 0 ? maxTokens : undefined;
}

module.exports = { maxTokensOf, nameOf };
