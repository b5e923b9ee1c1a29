import { mismatch } from '../checks.js';
import { redisStore as OPTIONS } from '../options/stores.js';
import { checkedStore, storeOptions } from './checked.js';
import type { Backend } from './checked.js';
import type { Store, StoreLimits } from '../../index.js';

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

// A conversation is one hash, so that it expires, is deleted and moves between the nodes of a cluster as a whole.
const STATE = 'state';
const VERSION = 'version';
/** Start of the fields with values. */
const VALUE = 'value:';

const EXPIRE = `if ARGV[1] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end`;
const PUT = `
if ARGV[2] ~= '' and redis.call('HGET', KEYS[1], '${VERSION}') ~= ARGV[2] then return 0 end
for at = 3, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[at], ARGV[at + 1]) end
${EXPIRE}
return 1`;
const SAVE = `
if (redis.call('HGET', KEYS[1], '${VERSION}') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], '${STATE}', ARGV[3], '${VERSION}', ARGV[4])
${EXPIRE}
return 1`;

/** The commands that a store needs, of either client. */
interface Commands {
  read(key: string, fields: string[]): Promise<unknown>;
  run(script: string, key: string, values: string[]): Promise<unknown>;
  remove(key: string): Promise<unknown>;
}

function commandsOf(client: unknown): Commands {
  const [redis, ioRedis] = [client as NodeRedisClient | null, client as IoRedisClient | null];
  if (typeof redis?.hmGet === 'function' && typeof redis.eval === 'function') {
    return {
      read: (key, fields) => redis.hmGet(key, fields),
      run: (script, key, values) => redis.eval(script, { keys: [key], arguments: values }),
      remove: (key) => redis.del(key),
    };
  }
  if (typeof ioRedis?.hmget === 'function' && typeof ioRedis.eval === 'function') {
    return {
      read: (key, fields) => ioRedis.hmget(key, ...fields),
      run: (script, key, values) => ioRedis.eval(script, 1, key, ...values),
      remove: (key) => ioRedis.del(key),
    };
  }
  throw mismatch('redisStore(): client', 'a client of redis or ioredis', client);
}

class Redis implements Backend {
  #commands;
  #prefix;
  #ttl;

  constructor(commands: Commands, { prefix, ttl }: RedisStoreOptions) {
    this.#commands = commands;
    this.#prefix = prefix;
    this.#ttl = ttl === undefined ? '' : String(ttl);
  }

  async get(id: string, keys: string[]) {
    const fields = keys.map((key) => VALUE + key);
    const found = await this.#commands.read(this.#prefix + id, fields);
    return (found as (string | null)[]).map((value) => (value === null ? undefined : String(value)));
  }

  async put(id: string, entries: [key: string, value: string][], version: number | undefined) {
    const values = entries.flatMap(([key, value]) => [VALUE + key, value]);
    return Number(await this.#run(PUT, id, [this.#ttl, version === undefined ? '' : String(version), ...values])) === 1;
  }

  async load(id: string) {
    const [state, version] = (await this.#commands.read(this.#prefix + id, [STATE, VERSION])) as unknown[];
    return version === null ? undefined : { state: String(state), version: Number(version) };
  }

  async save(id: string, state: string, version: number, next: number) {
    return Number(await this.#run(SAVE, id, [this.#ttl, String(version), state, String(next)])) === 1;
  }

  async delete(id: string) {
    await this.#commands.remove(this.#prefix + id);
  }

  #run(script: string, id: string, values: string[]) {
    return this.#commands.run(script, this.#prefix + id, values);
  }
}

/**
 * Creates a store in Redis or Valkey. Each conversation is one hash, written by Lua scripts; a cluster works as well.
 *
 * @example
 * const client = await createClient().connect();
 * const session = createSession({ model: 'gpt-5.5', store: redisStore(client), id: 'chat-1' });
 *
 * @param client a client of `redis` (5 or 6) that is connected, or one of `ioredis` (5 or 6); you close it
 * @throws {TypeError | RangeError} an argument is wrong; the error names it
 */
export function redisStore(client: NodeRedisClient | IoRedisClient, options?: RedisStoreOptions | null): Store {
  const commands = commandsOf(client);
  const settings = storeOptions('redisStore()', OPTIONS, options);
  return checkedStore(new Redis(commands, settings), settings);
}
