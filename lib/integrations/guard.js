// @ts-check
'use strict';

const { warnOnce } = require('../options/warnings.js');

/** What failed, for warnings: a text and a code. */
const PASSED = ['a request passed through unchanged', 'PALIMPSEST_PASSED_THROUGH'];
const OVER = ['a request is longer than its limit', 'PALIMPSEST_OVER_LIMIT'];
const CUT = ['the last words of the user were cut', 'PALIMPSEST_LAST_WORDS_CUT'];
const UNREAD = ['an answer was passed on without being read', 'PALIMPSEST_UNREAD'];

/** Takes failures of ours, so that no request is lost: they go to the caller's `onError`, or are warned of once of each kind. */
class Guard {
  #caller;
  #onError;
  #warned = new Set();

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
   * @param {string[]} [what] failed; default: the request goes out as it came
   * @returns {Promise<void>} rejects with what `onError` throws
   */
  async take(error, params, what = PASSED) {
    if (this.#onError) await this.#onError(error, { params });
    else this.#warn(error, what);
  }

  /**
   * Takes a failure behind a request, where nobody can catch an error.
   *
   * @param {unknown} error
   * @param {any} [params]
   */
  takeLate(error, params) {
    this.take(error, params, UNREAD).catch((thrown) => this.#warn(thrown, UNREAD));
  }

  /**
   * Does some work behind a request.
   *
   * @template T
   * @param {() => T} work
   * @param {any} [params]
   * @returns {T | undefined} undefined if it failed
   */
  late(work, params) {
    try {
      return work();
    } catch (error) {
      this.takeLate(error, params);
      return undefined;
    }
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

  /** @param {unknown} error @param {string[]} failed */
  #warn(error, [what, code]) {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    warnOnce(`${this.#caller}: ${what}; this is warned of once, options.onError is called each time: ${error}`, code, 'Warning');
  }
}

module.exports = { CUT, Guard, OVER };
