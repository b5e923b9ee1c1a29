// Types of palimpsest/store/redis.
import type { Store, StoreLimits } from '../index.js';

export type { Store, StoreLimits };

/** What a client of `redis` has. */
export interface NodeRedisClient {
  hmGet(key: string, fields: string[]): Promise<unknown>;
  eval(script: string, options?: { keys?: string[]; arguments?: string[] }): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/** What a client of `ioredis` has. */
export interface IoRedisClient {
  hmget(key: string, ...fields: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...more: string[]): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions extends StoreLimits {
  /** Start of the names of all keys. Default `'palimpsest:'`. */
  prefix?: string | null | undefined;
  /** Time in ms after which a conversation that is not written to expires: an integer from 1. Default none: it stays. */
  ttl?: number | null | undefined;
}

/**
 * Creates a store in Redis or Valkey. Each conversation is one hash, written by Lua scripts; a cluster works as well.
 *
 * @param client a client of `redis` (5 or 6) that is connected, or one of `ioredis` (5 or 6); you close it
 * @throws {TypeError | RangeError} an argument is wrong; the error names it
 */
export function redisStore(client: NodeRedisClient | IoRedisClient, options?: RedisStoreOptions | null): Store;
