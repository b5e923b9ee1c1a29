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

/** Whether a reason of `classifyMessage` is enough by itself to keep a text as it is. */
function isHardReason(reason) {
  return HARD_REASONS.has(reason);
}

module.exports = { classifyMessage, isHardReason };
