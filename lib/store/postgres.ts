import { mismatch } from '../checks.js';
import { postgresStore as OPTIONS } from '../options/stores.js';
import { checkedStore, storeOptions } from './checked.js';
import type { Backend } from './checked.js';
import type { Store, StoreLimits } from '../../index.js';

export type { Store, StoreLimits };

/** What a pool or client of `pg` has. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: any[]; rowCount: number | null }>;
}

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions extends StoreLimits {
  /** Name of the schema with the tables: lower-case letters, digits and `_`. Default `'palimpsest'`. */
  schema?: string | null | undefined;
}

/** A store in Postgres. */
export interface PostgresStore extends Store {
  /** Creates the schema and its tables where they are missing. It can be called any number of times, by several processes at once. */
  migrate(): Promise<void>;
}

/** Number of the lock under which one process migrates, drawn at random. */
const MIGRATION_LOCK = 7_154_880_213_907;
/** Codes of a deadlock or of another conflict with concurrent work: each statement can run again. */
const CONFLICTS = new Set(['40P01', '40001']);
const MAX_TRIES = 5;
/** Codes of a schema or table that does not exist. */
const NOT_MIGRATED = new Set(['3F000', '42P01']);

class Postgres implements Backend {
  #pool;
  #entries;
  #states;
  #schema;

  constructor(pool: PostgresPool, schema: string) {
    this.#pool = pool;
    this.#schema = `"${schema}"`;
    this.#entries = `${this.#schema}.entries`;
    this.#states = `${this.#schema}.states`;
  }

  async get(id: string, keys: string[]) {
    const { rows } = await this.#query(`SELECT key, value FROM ${this.#entries} WHERE conversation = $1 AND key = ANY($2::text[])`, [
      id,
      keys,
    ]);
    const values = new Map((rows as { key: string; value: string }[]).map(({ key, value }) => [key, value]));
    return keys.map((key: string) => values.get(key));
  }

  async put(id: string, entries: [key: string, value: string][], version: number | undefined) {
    // In one order everywhere: two writers that insert the same keys would otherwise wait for each other.
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const insert = `INSERT INTO ${this.#entries} SELECT $1, * FROM unnest($2::text[], $3::text[])`;
    const values = [id, sorted.map(([key]) => key), sorted.map(([, value]) => value)];
    if (version === undefined) {
      await this.#query(`${insert} ON CONFLICT DO NOTHING`, values);
      return true;
    }
    // The lock holds off `delete`, which takes the state first.
    const { rows } = await this.#query(
      `WITH held AS (SELECT FROM ${this.#states} WHERE conversation = $1 AND version = $4 FOR SHARE),
        inserted AS (${insert} WHERE EXISTS (SELECT FROM held) ON CONFLICT DO NOTHING)
        SELECT EXISTS (SELECT FROM held) AS held`,
      [...values, version],
    );
    return rows[0].held;
  }

  async load(id: string) {
    const { rows } = await this.#query(`SELECT state, version FROM ${this.#states} WHERE conversation = $1`, [id]);
    // The client gives a bigint as a string.
    return rows.length === 0 ? undefined : { state: rows[0].state, version: Number(rows[0].version) };
  }

  async save(id: string, state: string, version: number, next: number) {
    const { rowCount } =
      version === 0
        ? await this.#query(`INSERT INTO ${this.#states} VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [id, state, next])
        : await this.#query(`UPDATE ${this.#states} SET state = $2, version = $3 WHERE conversation = $1 AND version = $4`, [
            id,
            state,
            next,
            version,
          ]);
    return rowCount === 1;
  }

  async delete(id: string) {
    // Two statements: the second one sees what a `put` inserted that held the state.
    await this.#query(`DELETE FROM ${this.#states} WHERE conversation = $1`, [id]);
    await this.#query(`DELETE FROM ${this.#entries} WHERE conversation = $1`, [id]);
  }

  async migrate() {
    // Statements that are sent as one text are one transaction, which holds the lock to its end.
    await this.#pool.query(`
SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
CREATE SCHEMA IF NOT EXISTS ${this.#schema};
CREATE TABLE IF NOT EXISTS ${this.#entries} (
  conversation text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, PRIMARY KEY (conversation, key)
);
CREATE TABLE IF NOT EXISTS ${this.#states} (conversation text COLLATE "C" PRIMARY KEY, state text NOT NULL, version bigint NOT NULL);
`);
  }

  async #query(text: string, values: unknown[]) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#pool.query(text, values);
      } catch (error) {
        const code = (error as { code?: string } | null | undefined)?.code ?? '';
        if (CONFLICTS.has(code) && tries < MAX_TRIES) continue;
        if (!NOT_MIGRATED.has(code)) throw error;
        throw Object.assign(new Error('postgresStore(): its tables do not exist: call store.migrate() once', { cause: error }), {
          code: 'ERR_PALIMPSEST_NOT_MIGRATED',
        });
      }
    }
  }
}

/**
 * Creates a store in Postgres, whose database must be in UTF-8. Call {@link PostgresStore.migrate} once before the first use; otherwise the
 * operations reject with the code `ERR_PALIMPSEST_NOT_MIGRATED`.
 *
 * @example
 * const store = postgresStore(new Pool());
 * await store.migrate();
 * const session = createSession({ model: 'gpt-5.5', store, id: 'chat-1' });
 *
 * @param pool a pool of `pg`; you close it
 * @throws {TypeError | RangeError} an argument is wrong; the error names it
 */
export function postgresStore(pool: PostgresPool, options?: PostgresStoreOptions | null): PostgresStore {
  if (typeof pool?.query !== 'function') throw mismatch('postgresStore(): pool', 'a pool of pg', pool);
  const settings = storeOptions('postgresStore()', OPTIONS, options);
  return checkedStore(new Postgres(pool, settings.schema), settings);
}
