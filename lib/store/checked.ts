import { randomInt } from 'node:crypto';
import { describe, mismatch } from '../checks.js';
import { checkOwnOptions } from '../options/index.js';
import { STORE_LIMITS } from '../options/stores.js';
import { decode, encode } from './text.js';
import type { Option } from '../options/shared.js';

/** Maximum size of an id or key, in bytes of UTF-8: the index of Postgres takes rows of up to 2,700 bytes. */
const MAX_NAME_BYTES = 1000;
/** Maximum number of keys or entries of a call. */
const MAX_KEYS = 10_000;
/** Versions of new states are below this, at random. A conversation that was deleted and begun again thus has other versions than before. */
const VERSIONS = 2 ** 47;

/** A database. Texts come encoded for it, and checked. */
export interface Backend {
  get: (id: string, keys: string[]) => Promise<(string | undefined)[]>;
  /** inserts the entries whose keys are not there; with a version, only if it is that of the state; returns whether it did */
  put: (id: string, entries: [key: string, value: string][], version: number | undefined) => Promise<boolean>;
  load: (id: string) => Promise<{ state: string; version: number } | undefined>;
  /** swaps state and version if `version` is the one that is there, or 0 and none is there; returns whether it did */
  save: (id: string, state: string, version: number, next: number) => Promise<boolean>;
  delete: (id: string) => Promise<void>;
  migrate?: () => Promise<void>;
  close?: () => Promise<void>;
}

/** Checks the options of a store and completes them with the defaults. */
export function storeOptions<N extends string>(caller: string, table: Record<N, Option>, options: any): Record<N, any> {
  const given = checkOwnOptions(caller, table, options);
  const names = Object.keys(table) as N[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? table[name].default])) as Record<N, any>;
}

/**
 * Makes a store of a database: checks the arguments and the sizes, and encodes texts.
 *
 * @param options with the limits of {@link STORE_LIMITS}
 */
export function checkedStore(backend: Backend, { maxValueBytes, maxStateBytes }: Record<string, any> = defaultLimits()): any {
  const store = {
    async get(id: string, keys: string[]) {
      const conversation = nameOf(id, 'get(): id');
      checkList(keys, 'get(): keys');
      const encoded = keys.map((key: string, index: number) => nameOf(key, `get(): keys[${index}]`));
      if (encoded.length === 0) return [];
      const found = await backend.get(conversation, encoded);
      return found.map((value) => (value === undefined ? undefined : decode(value)));
    },
    async put(id: string, entries: [key: string, value: string][], version?: number) {
      const conversation = nameOf(id, 'put(): id');
      checkList(entries, 'put(): entries');
      if (version !== undefined) checkVersion(version, 'put(): version', 1);
      const fresh: Map<string, string> = new Map();
      entries.forEach((entry: unknown, index) => {
        const at = `put(): entries[${index}]`;
        if (!Array.isArray(entry)) throw mismatch(at, 'an array of a key and a value', entry);
        const key = nameOf(entry[0], `${at}[0]`);
        const value = textOf(entry[1], `${at}[1]`, maxValueBytes, 'maxValueBytes');
        if (!fresh.has(key)) fresh.set(key, value);
      });
      return fresh.size === 0 || (await backend.put(conversation, [...fresh], version));
    },
    async load(id: string) {
      const found = await backend.load(nameOf(id, 'load(): id'));
      return found && { state: decode(found.state), version: found.version };
    },
    async save(id: string, state: string, version: number) {
      const conversation = nameOf(id, 'save(): id');
      const text = textOf(state, 'save(): state', maxStateBytes, 'maxStateBytes');
      checkVersion(version, 'save(): version', 0);
      const next = version === 0 ? randomInt(1, VERSIONS) : version + 1;
      return (await backend.save(conversation, text, version, next)) ? next : 0;
    },
    delete: async (id: string) => backend.delete(nameOf(id, 'delete(): id')),
  };
  if (backend.migrate) Object.assign(store, { migrate: () => backend.migrate?.() });
  if (backend.close) Object.assign(store, { close: () => backend.close?.() });
  return store;
}

const defaultLimits = () => ({ maxValueBytes: STORE_LIMITS.maxValueBytes.default, maxStateBytes: STORE_LIMITS.maxStateBytes.default });

function checkList(list: unknown, at: string) {
  if (!Array.isArray(list)) throw mismatch(at, 'an array', list);
  if (list.length > MAX_KEYS) throw new RangeError(`${at} must be at most ${MAX_KEYS}, got ${list.length}`);
}

function checkVersion(version: unknown, at: string, least: number) {
  if (Number.isSafeInteger(version) && Number(version) >= least) return;
  const wanted = least === 0 ? 'that of load(), or 0' : 'that of load()';
  throw new TypeError(`${at} must be ${wanted}, got ${typeof version === 'number' ? version : describe(version)}`);
}

function nameOf(name: unknown, at: string) {
  if (typeof name !== 'string') throw mismatch(at, 'a string', name);
  const encoded = encode(name);
  const bytes = Buffer.byteLength(encoded);
  if (bytes === 0 || bytes > MAX_NAME_BYTES) throw new RangeError(`${at} must have 1 to ${MAX_NAME_BYTES} bytes, got ${bytes}`);
  return encoded;
}

/** @param max in bytes */
function textOf(text: unknown, at: string, max: number, limit: string) {
  if (typeof text !== 'string') throw mismatch(at, 'a string', text);
  const encoded = encode(text);
  const bytes = Buffer.byteLength(encoded);
  if (bytes > max) throw new RangeError(`${at} must have at most ${max} bytes (${limit}), got ${bytes}`);
  return encoded;
}
