import type { AbortSignalLike } from '../index.js';

/** Returns the promise's outcome, or rejects with the signal's reason as soon as it is aborted. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignalLike | null | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // A callback may have aborted it already, before there was a listener.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle =
      <V>(settleWith: (value: V) => void) =>
      (value: V) => {
        signal.removeEventListener?.('abort', abort);
        settleWith(value);
      };
    promise.then(settle(resolve), settle(reject));
  });
}
