import { warnOnce } from '../options/warnings.js';

/** What failed, for warnings: a text and a code. */
const PASSED = ['a request passed through unchanged', 'PALIMPSEST_PASSED_THROUGH'];
export const OVER = ['a request is longer than its limit', 'PALIMPSEST_OVER_LIMIT'];
export const CUT = ['the last words of the user were cut', 'PALIMPSEST_LAST_WORDS_CUT'];
const UNREAD = ['an answer was passed on without being read', 'PALIMPSEST_UNREAD'];

/** Takes failures of ours, so that no request is lost: they go to the caller's `onError`, or are warned of once of each kind. */
export class Guard {
  #caller;
  #onError;
  #warned = new Set();

  /** @param caller name in warnings: `palimpsestMiddleware()` */
  constructor(caller: string, onError?: ((error: unknown, context: { params: unknown }) => unknown) | null) {
    this.#caller = caller;
    this.#onError = onError;
  }

  /**
   * Takes a failure.
   *
   * @param params the SDK's own request
   * @param what failed; default: the request goes out as it came
   * @returns rejects with what `onError` throws
   */
  async take(error: unknown, params?: unknown, what: string[] = PASSED): Promise<void> {
    if (this.#onError) await this.#onError(error, { params });
    else this.#warn(error, what);
  }

  /** Takes a failure behind a request, where nobody can catch an error. */
  takeLate(error: unknown, params?: unknown) {
    this.take(error, params, UNREAD).catch((thrown: unknown) => this.#warn(thrown, UNREAD));
  }

  /**
   * Does some work behind a request.
   *
   * @returns undefined if it failed
   */
  late<T>(work: () => T, params?: unknown): T | undefined {
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
   * @returns undefined if it failed; rejects with what `onError` throws
   */
  async run<T>(work: () => T | Promise<T>, params?: unknown): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      await this.take(error, params);
      return undefined;
    }
  }

  #warn(error: unknown, [what, code]: string[]) {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    warnOnce(`${this.#caller}: ${what}; this is warned of once, options.onError is called each time: ${error}`, code);
  }
}
