// @ts-check
'use strict';

const { memoryStore: OPTIONS } = require('../options/stores.js');
const { checkedStore, storeOptions } = require('./checked.js');

class Memory {
  /** @type {Map<string, { values: Map<string, string>, state: string, version: number }>} */
  #conversations = new Map();

  async get(id, keys) {
    const values = this.#conversations.get(id)?.values;
    return keys.map((key) => values?.get(key));
  }

  async put(id, entries, version) {
    if (version !== undefined && this.#conversations.get(id)?.version !== version) return false;
    const { values } = this.#at(id);
    for (const [key, value] of entries) if (!values.has(key)) values.set(key, value);
    return true;
  }

  async load(id) {
    const { state = '', version = 0 } = this.#conversations.get(id) ?? {};
    return version === 0 ? undefined : { state, version };
  }

  async save(id, state, version, next) {
    if ((this.#conversations.get(id)?.version ?? 0) !== version) return false;
    Object.assign(this.#at(id), { state, version: next });
    return true;
  }

  async delete(id) {
    this.#conversations.delete(id);
  }

  #at(id) {
    const found = this.#conversations.get(id) ?? { values: new Map(), state: '', version: 0 };
    this.#conversations.set(id, found);
    return found;
  }
}

/** See `memoryStore` in `store/memory.d.ts`. */
const memoryStore = (options) => checkedStore(new Memory(), storeOptions('memoryStore()', OPTIONS, options));

module.exports = { memoryStore };
