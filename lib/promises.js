// @ts-check
'use strict';

/** Whether an answer is a promise although nobody waits for it; what it is rejected with must not end the process. */
function isUnawaited(answer) {
  if (typeof answer?.then !== 'function') return false;
  Promise.resolve(answer).catch(() => {});
  return true;
}

module.exports = { isUnawaited };
