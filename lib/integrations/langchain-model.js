// @ts-check
'use strict';

/** @typedef {import('../types.d.ts').Foreign} Foreign */

/** What a chat model was made with: an instance, one with bound options, or what `initChatModel` makes of `openai:gpt-5.5`. */
const configOf = (model) => model?._defaultConfig ?? model?.bound ?? model;

/**
 * Returns the name of a chat model, if it has one.
 *
 * @param {Foreign | undefined} model
 * @returns {string | undefined}
 */
function nameOf(model) {
  const { model: name, modelName } = configOf(model) ?? {};
  return [name, modelName].find((one) => typeof one === 'string');
}

/** Returns the most tokens of an answer, if the model says it. @param {Foreign} model */
function maxTokensOf(model) {
  const { maxTokens } = configOf(model) ?? {};
  return maxTokens > 0 ? maxTokens : undefined;
}

module.exports = { maxTokensOf, nameOf };
