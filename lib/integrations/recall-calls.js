// @ts-check
'use strict';

/** The sessions of the latest calls of the recall tool. */
class Calls {
  #max;
  /** @type {Map<unknown, any>} */
  #byText = new Map();
  /** @type {WeakMap<object, any>} */
  #byObject = new WeakMap();

  /** @param {number} max number of calls that are remembered */
  constructor(max) {
    this.#max = max;
  }

  /** @param {unknown} key a text or an object that identifies the call @param {any} session */
  add(key, session) {
    if (key !== null && typeof key === 'object') this.#byObject.set(key, session);
    if (typeof key !== 'string' || key === '') return;
    this.#byText.delete(key);
    this.#byText.set(key, session);
    if (this.#byText.size > this.#max) this.#byText.delete(this.#byText.keys().next().value);
  }

  /** @param {unknown[]} keys */
  sessionOf(keys) {
    for (const key of keys) {
      const session = key !== null && typeof key === 'object' ? this.#byObject.get(key) : this.#byText.get(key);
      if (session !== undefined) return session;
    }
    return undefined;
  }
}

module.exports = { Calls };
