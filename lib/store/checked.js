// @ts-check
'use strict';

const { randomInt } = require('node:crypto');
const { describe, mismatch } = require('../checks.js');
const { checkOwnOptions } = require('../options/index.js');
const { STORE_LIMITS } = require('../options/stores.js');
const { decode, encode } = require('./text.js');

/** Maximum size of an id or key, in bytes of UTF-8: the index of Postgres takes rows of up to 2,700 bytes. */
const MAX_NAME_BYTES = 1000;
/** Maximum number of keys or entries of a call. */
const MAX_KEYS = 10_000;
/** Versions of new states are below this, at random. A conversation that was deleted and begun again thus has other versions than before. */
const VERSIONS = 2 ** 47;

/**
 * A database. Texts come encoded for it, and checked.
 *
 * @typedef {object} Backend
 * @property {(id: string, keys: string[]) => Promise<(string | undefined)[]>} get
 * @property {(id: string, entries: [key: string, value: string][], version: number | undefined) => Promise<boolean>} put inserts the entries whose
 *   keys are not there; with a version, only if it is that of the state; returns whether it did
 * @property {(id: string) => Promise<{ state: string, version: number } | undefined>} load
 * @property {(id: string, state: string, version: number, next: number) => Promise<boolean>} save swaps state and version if `version` is
 *   the one that is there, or 0 and none is there; returns whether it did
 * @property {(id: string) => Promise<void>} delete
 * @property {() => Promise<void>} [migrate]
 * @property {() => Promise<void>} [close]
 */

/**
 * Checks the options of a store and completes them with the defaults.
 *
 * @param {string} caller
 * @param {Record<string, import('../options/shared.js').Option>} table
 * @param {any} options
 * @returns {Record<string, any>}
 */
function storeOptions(caller, table, options) {
  const given = checkOwnOptions(caller, table, options) ?? {};
  return Object.fromEntries(Object.entries(table).map(([name, option]) => [name, given[name] ?? option.default]));
}

/**
 * Makes a store of a database: checks the arguments and the sizes, and encodes texts.
 *
 * @param {Backend} backend
 * @param {Record<string, any>} options with the limits of {@link STORE_LIMITS}
 * @returns {any}
 */
function checkedStore(backend, { maxValueBytes, maxStateBytes } = defaultLimits()) {
  const store = {
    async get(id, keys) {
      const conversation = nameOf(id, 'get(): id');
      checkList(keys, 'get(): keys');
      const encoded = keys.map((key, index) => nameOf(key, `get(): keys[${index}]`));
      if (encoded.length === 0) return [];
      const found = await backend.get(conversation, encoded);
      return found.map((value) => (value === undefined ? undefined : decode(value)));
    },
    async put(id, entries, version) {
      const conversation = nameOf(id, 'put(): id');
      checkList(entries, 'put(): entries');
      if (version !== undefined) checkVersion(version, 'put(): version', 1);
      /** @type {Map<string, string>} */
      const fresh = new Map();
      entries.forEach((entry, index) => {
        const at = `put(): entries[${index}]`;
        if (!Array.isArray(entry)) throw mismatch(at, 'an array of a key and a value', entry);
        const key = nameOf(entry[0], `${at}[0]`);
        const value = textOf(entry[1], `${at}[1]`, maxValueBytes, 'maxValueBytes');
        if (!fresh.has(key)) fresh.set(key, value);
      });
      return fresh.size === 0 || (await backend.put(conversation, [...fresh], version));
    },
    async load(id) {
      const found = await backend.load(nameOf(id, 'load(): id'));
      return found && { state: decode(found.state), version: found.version };
    },
    async save(id, state, version) {
      const conversation = nameOf(id, 'save(): id');
      const text = textOf(state, 'save(): state', maxStateBytes, 'maxStateBytes');
      checkVersion(version, 'save(): version', 0);
      const next = version === 0 ? randomInt(1, VERSIONS) : version + 1;
      return (await backend.save(conversation, text, version, next)) ? next : 0;
    },
    delete: async (id) => backend.delete(nameOf(id, 'delete(): id')),
  };
  if (backend.migrate) Object.assign(store, { migrate: () => backend.migrate?.() });
  if (backend.close) Object.assign(store, { close: () => backend.close?.() });
  return store;
}

const defaultLimits = () => ({ maxValueBytes: STORE_LIMITS.maxValueBytes.default, maxStateBytes: STORE_LIMITS.maxStateBytes.default });

/** @param {unknown} list @param {string} at */
function checkList(list, at) {
  if (!Array.isArray(list)) throw mismatch(at, 'an array', list);
  if (list.length > MAX_KEYS) throw new RangeError(`${at} must be at most ${MAX_KEYS}, got ${list.length}`);
}

/** @param {unknown} version @param {string} at @param {number} least */
function checkVersion(version, at, least) {
  if (Number.isSafeInteger(version) && Number(version) >= least) return;
  const wanted = least === 0 ? 'that of load(), or 0' : 'that of load()';
  throw new TypeError(`${at} must be ${wanted}, got ${typeof version === 'number' ? version : describe(version)}`);
}

/** @param {unknown} name @param {string} at */
function nameOf(name, at) {
  if (typeof name !== 'string') throw mismatch(at, 'a string', name);
  const encoded = encode(name);
  const bytes = Buffer.byteLength(encoded);
  if (bytes === 0 || bytes > MAX_NAME_BYTES) throw new RangeError(`${at} must have 1 to ${MAX_NAME_BYTES} bytes, got ${bytes}`);
  return encoded;
}

/** @param {unknown} text @param {string} at @param {number} max in bytes @param {string} limit */
function textOf(text, at, max, limit) {
  if (typeof text !== 'string') throw mismatch(at, 'a string', text);
  const encoded = encode(text);
  const bytes = Buffer.byteLength(encoded);
  if (bytes > max) throw new RangeError(`${at} must have at most ${max} bytes (${limit}), got ${bytes}`);
  return encoded;
}

module.exports = { checkedStore, storeOptions };
