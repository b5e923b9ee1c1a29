// @ts-check
'use strict';

const { mismatch, shown } = require('./checks.js');

/** A prefix that Google and AWS put before names of models; any other prefix with a slash is a gateway's. */
const CLOUD = /^(?:models|publishers|projects|arn:)/;

/**
 * Returns whether a model is called through a gateway, whose API is not the provider's.
 *
 * @param {string} name
 */
const isAtGateway = (name) => name.includes('/') && !CLOUD.test(name);

/**
 * Returns the model that options name; without a provider if it is called through a gateway.
 *
 * @param {{ model?: unknown }} options
 * @param {string} at name of the options in errors
 * @param {string} [instead] what can be given in its place, for errors
 * @returns {import('./models.js').Model | undefined} undefined if they name none
 * @throws {TypeError} the name is no string, or there is no such model in the table
 */
function modelOf({ model: name }, at, instead = 'tokenizer and window') {
  if (name === undefined || name === null) return undefined;
  if (typeof name !== 'string') throw mismatch(`${at}.model`, "a model's name", name);
  // The table is loaded when a model is named.
  const model = require('./models.js').findModel(name);
  if (model !== undefined) return isAtGateway(name) ? { ...model, provider: undefined } : model;
  throw new TypeError(
    `${at}.model must be a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/tokens.md), got ${shown(name)}: give ${instead} in its place`,
  );
}

module.exports = { isAtGateway, modelOf };
