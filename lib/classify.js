// @ts-check
'use strict';

const { checkString } = require('./checks.js');
const native = require('./native.js');

const HARD_REASONS = new Set(native.hardReasonNames());

/** See `index.d.ts`. */
function classifyMessage(text) {
  checkString('classifyMessage(): text', text);
  return native.classifyMessage(text);
}

/**
 * Returns whether a reason of `classifyMessage` alone suffices to keep a text as it is.
 *
 * @param {string} reason
 */
function isHardReason(reason) {
  return HARD_REASONS.has(reason);
}

module.exports = { classifyMessage, isHardReason };
