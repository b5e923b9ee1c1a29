// Options of the stores.

import { mismatch } from '../checks.js';
import { numberWhere, string } from './kinds.js';
import type { Option } from './shared.js';
import type { Foreign } from '../types.js';

const isCount = (value: Foreign) => Number.isSafeInteger(value) && value > 0;
const count = numberWhere(isCount, 'a whole number above 0');

export const STORE_LIMITS = {
  maxValueBytes: { kind: count, default: 16 * 2 ** 20 },
  maxStateBytes: { kind: count, default: 4 * 2 ** 20 },
} satisfies Record<string, Option>;

export const memoryStore: Record<string, Option> = { ...STORE_LIMITS };

export const sqliteStore: Record<string, Option> = {
  ...STORE_LIMITS,
  timeout: { kind: numberWhere((value) => value >= 0, 'a number of ms from 0'), default: 5000 },
};

export const redisStore: Record<string, Option> = {
  ...STORE_LIMITS,
  prefix: { kind: string, default: 'palimpsest:' },
  ttl: { kind: count },
};

function schema(name: string, value: Foreign): void {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(value)) throw new TypeError(`${name} must be a name of lower-case letters, digits and _`);
}

export const postgresStore: Record<string, Option> = { ...STORE_LIMITS, schema: { kind: schema, default: 'palimpsest' } };
