// @ts-check
'use strict';

/**
 * See `index.d.ts`.
 *
 * @param {any} messages
 * @param {any} [options]
 */
function compress(messages, options = {}) {
  // A format needs far more files, which nothing else should have to load.
  if (options?.format != null) return require('./provider.js').compressProvider(messages, options);
  return require('./plain.js').compressPlain(messages, options);
}

module.exports = { compress };
