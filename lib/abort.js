// @ts-check
'use strict';

/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it is aborted.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<T>}
 */
function unlessAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // A callback may have aborted it already, before anyone could listen.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (/** @type {(value: any) => void} */ settleWith) => (/** @type {any} */ value) => {
      signal.removeEventListener?.('abort', abort);
      settleWith(value);
    };
    promise.then(settle(resolve), settle(reject));
  });
}

module.exports = { unlessAborted };
