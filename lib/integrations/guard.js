// @ts-check
'use strict';

const { warnOnce } = require('../options/warnings.js');

/** Takes failures of ours, so that no request is lost: they go to the caller's `onError`, or are warned of once. */
class Guard {
  #caller;
  #onError;
  #hasWarned = false;

  /**
   * @param {string} caller name in warnings: `palimpsestMiddleware()`
   * @param {((error: unknown, context: { params: any }) => unknown) | null} [onError]
   */
  constructor(caller, onError) {
    this.#caller = caller;
    this.#onError = onError;
  }

  /**
   * Takes a failure.
   *
   * @param {unknown} error
   * @param {any} [params] the SDK's own request
   * @returns {Promise<void>} rejects with what `onError` throws
   */
  async take(error, params) {
    if (this.#onError) await this.#onError(error, { params });
    else this.#warn(error);
  }

  /**
   * Takes a failure behind a request, where nobody can catch an error.
   *
   * @param {unknown} error
   * @param {any} [params]
   */
  takeLate(error, params) {
    this.take(error, params).catch((thrown) => this.#warn(thrown));
  }

  /**
   * Does some work.
   *
   * @template T
   * @param {() => T | Promise<T>} work
   * @param {any} [params]
   * @returns {Promise<T | undefined>} undefined if it failed; rejects with what `onError` throws
   */
  async run(work, params) {
    try {
      return await work();
    } catch (error) {
      await this.take(error, params);
      return undefined;
    }
  }

  #warn(error) {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const text = `${this.#caller}: a request passed through unchanged; this is warned of once, options.onError is called each time: ${error}`;
    warnOnce(text, 'PALIMPSEST_PASSED_THROUGH', 'Warning');
  }
}

module.exports = { Guard };
