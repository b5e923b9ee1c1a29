/** Returns the promise's outcome, or rejects with the signal's reason as soon as it is aborted. */
export function unlessAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // A callback may have aborted it already, before there was a listener.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (settleWith) => (value: unknown) => {
      signal.removeEventListener?.('abort', abort);
      settleWith(value);
    };
    promise.then(settle(resolve), settle(reject));
  });
}
