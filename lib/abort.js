// @ts-check
'use strict';

/** The promise's outcome, or a rejection with the signal's reason as soon as it is aborted. */
function unlessAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // A callback may have done it already, before anyone could listen.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (settleWith) => (value) => {
      signal.removeEventListener?.('abort', abort);
      settleWith(value);
    };
    promise.then(settle(resolve), settle(reject));
  });
}

module.exports = { unlessAborted };
