// Types of palimpsest/store/sqlite.
import type { Store, StoreLimits } from '../index.js';

export type { Store, StoreLimits };

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions extends StoreLimits {
  /** Maximum time in ms for which an operation waits while another connection writes, from 0; then it rejects. Default 5,000. */
  timeout?: number | null | undefined;
}

/** A store in SQLite. */
export interface SqliteStore extends Store {
  /** Closes the file. */
  close(): Promise<void>;
}

/**
 * Creates a store in a file of SQLite, which several processes of one machine can share. It uses `node:sqlite`, which Node.js has from 22.13 on,
 * in WAL mode. Its tables are `palimpsest_entries` and `palimpsest_states`. Deleted content is overwritten.
 *
 * Reading and writing blocks the event loop, as a rule for less than a millisecond.
 *
 * @param file path of the file, which is created if there is none; or `':memory:'`
 * @throws {TypeError | RangeError} an argument is wrong; the error names it
 * @throws {Error} this Node.js has no `node:sqlite` (code `ERR_PALIMPSEST_SQLITE`), or SQLite can't open the file
 */
export function sqliteStore(file: string, options?: SqliteStoreOptions | null): SqliteStore;
