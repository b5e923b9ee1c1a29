// @ts-check
'use strict';

/**
 * Returns whether an answer is a promise where none is waited for. Its rejection is caught: it must not end the process.
 *
 * @param {any} answer
 * @returns {boolean}
 */
function isUnawaited(answer) {
  if (typeof answer?.then !== 'function') return false;
  Promise.resolve(answer).catch(() => {});
  return true;
}

module.exports = { isUnawaited };
