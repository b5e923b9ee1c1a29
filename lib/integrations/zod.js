// @ts-check
'use strict';

const { createRequire } = require('node:module');

const { isBundled, requires } = require('../installed.js');

/**
 * Returns Zod as the SDK has it, which depends on it; in a bundle the one that the bundler finds.
 *
 * @param {string} sdk
 * @returns {any}
 */
function zodOf(sdk) {
  if (!isBundled()) return createRequire(requires()[0].resolve(sdk))('zod/v4').z;
  try {
    return require('zod/v4').z;
  } catch (cause) {
    throw new Error(`palimpsest needs Zod in a bundle with ${sdk}: run npm install zod`, { cause });
  }
}

module.exports = { zodOf };
