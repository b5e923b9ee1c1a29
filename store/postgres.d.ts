// Types of palimpsest/store/postgres.
import type { Store, StoreLimits } from '../index.js';

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

/**
 * Creates a store in Postgres, whose database must be in UTF-8. Call {@link PostgresStore.migrate} once before the first use; otherwise the
 * operations reject with the code `ERR_PALIMPSEST_NOT_MIGRATED`.
 *
 * @param pool a pool of `pg`; you close it
 * @throws {TypeError | RangeError} an argument is wrong; the error names it
 */
export function postgresStore(pool: PostgresPool, options?: PostgresStoreOptions | null): PostgresStore;
