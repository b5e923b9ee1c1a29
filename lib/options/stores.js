// @ts-check
'use strict';

// Options of the stores.

const { mismatch } = require('../checks.js');
const { numberWhere, string } = require('./kinds.js');

/** @typedef {import('./shared.js').Option} Option */

const isCount = (value) => Number.isSafeInteger(value) && value > 0;
const count = numberWhere(isCount, 'a whole number above 0');

/** @satisfies {Record<string, Option>} */
const STORE_LIMITS = {
  maxValueBytes: { kind: count, default: 16 * 2 ** 20 },
  maxStateBytes: { kind: count, default: 4 * 2 ** 20 },
};

/** @type {Record<string, Option>} */
const memoryStore = { ...STORE_LIMITS };

/** @type {Record<string, Option>} */
const sqliteStore = { ...STORE_LIMITS, timeout: { kind: numberWhere((value) => value >= 0, 'a number of ms from 0'), default: 5000 } };

/** @type {Record<string, Option>} */
const redisStore = { ...STORE_LIMITS, prefix: { kind: string, default: 'palimpsest:' }, ttl: { kind: count } };

/** @type {import('./kinds.js').Check} */
function schema(name, value) {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(value)) throw new TypeError(`${name} must be a name of lower-case letters, digits and _`);
}

/** @type {Record<string, Option>} */
const postgresStore = { ...STORE_LIMITS, schema: { kind: schema, default: 'palimpsest' } };

module.exports = { STORE_LIMITS, memoryStore, postgresStore, redisStore, sqliteStore };
