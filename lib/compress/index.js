// @ts-check
'use strict';

const { isObject } = require('../checks.js');

/**
 * See `index.d.ts`.
 *
 * @param {any} messages
 * @param {any} [options]
 */
function compress(messages, options = undefined) {
  // A format needs far more files, which nothing else should have to load.
  if (options?.format != null) return require('./provider.js').compressProvider(messages, options);
  try {
    return require('./plain.js').compressPlain(messages, options);
  } catch (error) {
    throw located(error, messages);
  }
}

/**
 * An error with the place of the getter that threw it, if one did.
 *
 * @param {unknown} error
 * @param {any} messages
 */
function located(error, messages) {
  if (!Array.isArray(messages)) return error;
  const { checkNested } = require('../formats/json.js');
  for (const [index, message] of messages.entries()) {
    try {
      if (isObject(message)) checkNested(message, () => `compress(): messages[${index}]`);
    } catch (/** @type {any} */ found) {
      // A getter may make its error anew.
      if (error instanceof Error && found.cause?.message === error.message) return found;
    }
  }
  return error;
}

module.exports = { compress };
