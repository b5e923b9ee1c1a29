'use strict';

/** See `index.d.ts`. */
function compress(messages, options = {}) {
  // With a format, far more files are read.
  if (options?.format != null) return require('./provider.js').compressProvider(messages, options);
  return require('./plain.js').compressPlain(messages, options);
}

module.exports = { compress };
