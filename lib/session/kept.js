// @ts-check
'use strict';

const { readSaved } = require('./saved.js');

/**
 * A session's conversation in a store. Every call is bounded, and rejects if the store fails or does not answer in time.
 *
 * While a call hangs, later ones reject at once: the session waits for a store that is down once, not with every request.
 */
class Kept {
  #store;
  #id;
  #timeout;
  /** Version of the state in the store, as far as it is known; 0 for none. */
  #version = 0;
  /** Whether the store has that version for certain, unless another process saved. It is not known after a failed call. */
  #isCertain = false;
  /** The last state that was to be saved without an answer. It may be in the store. @type {string | undefined} */
  #unanswered;
  /** @type {Promise<unknown> | undefined} */
  #hanging;

  /** @param {{ store: import('../../index.d.ts').Store, id: string, storeTimeout: number }} options `storeTimeout` in ms */
  constructor({ store, id, storeTimeout }) {
    this.#store = store;
    this.#id = id;
    this.#timeout = storeTimeout;
  }

  get id() {
    return this.#id;
  }

  get version() {
    return this.#version;
  }

  /** @param {string[]} keys */
  get(keys) {
    return this.#bounded(() => this.#store.get(this.#id, keys));
  }

  /** @param {[key: string, value: string][]} entries */
  put(entries) {
    return this.#bounded(() => this.#store.put(this.#id, entries));
  }

  /**
   * Returns the state in the store if it is not this session's, where that is not known yet.
   *
   * @returns {Promise<ReturnType<typeof readSaved> | undefined>}
   */
  async open() {
    return this.#isCertain ? undefined : this.#load();
  }

  /**
   * Saves a state, unless another process saved one since.
   *
   * @param {string} state
   * @returns {Promise<{ isSaved: boolean, other?: ReturnType<typeof readSaved> }>} `other`: the state of the other process; absent if the
   *   conversation was deleted
   */
  async save(state) {
    this.#isCertain = false;
    const before = this.#unanswered;
    this.#unanswered = state;
    const version = await this.#bounded(() => this.#store.save(this.#id, state, this.#version));
    this.#unanswered = before;
    if (version === 0) return { isSaved: false, other: await this.#load() };
    this.#version = version;
    this.#isCertain = true;
    return { isSaved: true };
  }

  async #load() {
    const found = await this.#bounded(() => this.#store.load(this.#id));
    const isOwn = found === undefined || found.version === this.#version || found.state === this.#unanswered;
    // A state that can't be read is nothing to save over: another version of palimpsest may have written it.
    const other = isOwn ? undefined : readSaved(JSON.parse(found.state));
    this.#version = found?.version ?? 0;
    this.#isCertain = true;
    this.#unanswered = undefined;
    return other;
  }

  /**
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async #bounded(call) {
    if (this.#hanging !== undefined) throw failure('ETIMEDOUT');
    const answer = (async () => call())();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        this.#hanging = answer;
        const end = () => (this.#hanging = undefined);
        answer.then(end, end);
        reject(failure('ETIMEDOUT'));
      }, this.#timeout);
    });
    try {
      return await Promise.race([answer, /** @type {Promise<never>} */ (late)]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @param {string} code */
const failure = (code) => Object.assign(new Error('the store did not answer in time'), { code });

/**
 * Names a failure of a store without its message, which may quote what was to be stored.
 *
 * @param {any} error
 * @returns {string}
 */
function reasonOf(error) {
  const names = [error?.code, error?.name].filter((name) => typeof name === 'string' && /^\w{1,40}$/.test(name));
  return names[0] ?? 'an error';
}

module.exports = { Kept, reasonOf };
