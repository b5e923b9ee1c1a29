// Options of the stores.

import { mismatch } from '../checks.js';
import { numberWhere, string } from './kinds.js';
import type { Table } from './shared.js';
import type { PostgresStoreOptions } from '../store/postgres.js';
import type { RedisStoreOptions } from '../store/redis.js';
import type { SqliteStoreOptions } from '../store/sqlite.js';
import type { StoreLimits } from '../../index.js';

const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
const count = numberWhere(isCount, 'a whole number above 0');

export const STORE_LIMITS = {
  maxValueBytes: { kind: count, default: 16 * 2 ** 20 },
  maxStateBytes: { kind: count, default: 4 * 2 ** 20 },
} satisfies Table<StoreLimits>;

export const memoryStore = { ...STORE_LIMITS } satisfies Table<StoreLimits>;

export const sqliteStore = {
  ...STORE_LIMITS,
  timeout: { kind: numberWhere((value) => value >= 0, 'a number of ms from 0'), default: 5000 },
} satisfies Table<SqliteStoreOptions>;

export const redisStore = {
  ...STORE_LIMITS,
  prefix: { kind: string, default: 'palimpsest:' },
  ttl: { kind: count },
} satisfies Table<RedisStoreOptions>;

function schema(name: string, value: unknown): void {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(value)) throw new TypeError(`${name} must be a name of lower-case letters, digits and _`);
}

export const postgresStore = { ...STORE_LIMITS, schema: { kind: schema, default: 'palimpsest' } } satisfies Table<PostgresStoreOptions>;
