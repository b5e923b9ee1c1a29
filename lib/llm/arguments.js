// @ts-check
'use strict';

const { checkFunction } = require('../checks.js');
const { checkOptions } = require('../options/index.js');

/**
 * Checks the arguments of a helper's factory, so that errors are thrown there and not during a later compression.
 *
 * @param {string} factory its name
 * @param {unknown} callLlm
 * @param {unknown} options
 */
function checkArguments(factory, callLlm, options) {
  checkFunction(`${factory}(): callLlm`, callLlm);
  return checkOptions(factory, options);
}

module.exports = { checkArguments };
