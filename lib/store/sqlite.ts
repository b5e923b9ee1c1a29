import { setTimeout as sleep } from 'node:timers/promises';
import { mismatch } from '../checks.js';
import { sqliteStore as OPTIONS } from '../options/stores.js';
import { checkedStore, storeOptions } from './checked.js';
import type { Backend } from './checked.js';
import type { Store, StoreLimits } from '../../index.js';

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

// `secure_delete` overwrites deleted content with zeros.
const PRAGMAS = 'PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON';
const TABLES = `
CREATE TABLE IF NOT EXISTS palimpsest_entries (
  conversation TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (conversation, key)
);
CREATE TABLE IF NOT EXISTS palimpsest_states (conversation TEXT PRIMARY KEY NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL);
`;
/** SQLite's code for a database that another connection is writing to. */
const SQLITE_BUSY = 5;
/** Maximum wait before the next try, in ms. */
const MAX_PAUSE = 20;

/** What is used of node:sqlite, which the declarations of Node.js 20 don't have. */
interface Statement {
  get(...values: unknown[]): Record<string, unknown> | undefined;
  run(...values: unknown[]): { changes: number | bigint };
}
interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

class Sqlite implements Backend {
  #database: Database;
  #timeout;
  #isSetUp = false;
  #statements = new Map<string, Statement>();

  constructor(database: Database, timeout: number) {
    this.#database = database;
    this.#timeout = timeout;
  }

  get(id: string, keys: string[]) {
    return this.#run(() => {
      const select = this.#prepared('SELECT value FROM palimpsest_entries WHERE conversation = ? AND key = ?');
      return keys.map((key) => select.get(id, key)?.value as string | undefined);
    });
  }

  put(id: string, entries: [key: string, value: string][], version: number | undefined) {
    return this.#run(() =>
      this.#inOne(() => {
        const isCurrent = 'SELECT 1 FROM palimpsest_states WHERE conversation = ? AND version = ?';
        if (version !== undefined && this.#prepared(isCurrent).get(id, version) === undefined) return false;
        const insert = this.#prepared('INSERT INTO palimpsest_entries VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
        for (const [key, value] of entries) insert.run(id, key, value);
        return true;
      }),
    );
  }

  load(id: string) {
    return this.#run(() => {
      const row = this.#prepared('SELECT state, version FROM palimpsest_states WHERE conversation = ?').get(id);
      return row && { state: row.state as string, version: row.version as number };
    });
  }

  save(id: string, state: string, version: number, next: number) {
    return this.#run(() => {
      const { changes } =
        version === 0
          ? this.#prepared('INSERT INTO palimpsest_states VALUES (?, ?, ?) ON CONFLICT DO NOTHING').run(id, state, next)
          : this.#prepared('UPDATE palimpsest_states SET state = ?, version = ? WHERE conversation = ? AND version = ?').run(
              state,
              next,
              id,
              version,
            );
      return Number(changes) === 1;
    });
  }

  delete(id: string) {
    return this.#run(() =>
      this.#inOne(() => {
        this.#prepared('DELETE FROM palimpsest_entries WHERE conversation = ?').run(id);
        this.#prepared('DELETE FROM palimpsest_states WHERE conversation = ?').run(id);
      }),
    );
  }

  async close() {
    this.#statements.clear();
    this.#database.close();
  }

  /** Runs `work`, again while another connection writes: SQLite's own waiting would block the event loop. */
  async #run<T>(work: () => T): Promise<T> {
    for (const end = performance.now() + this.#timeout; ; await sleep(MAX_PAUSE * Math.random())) {
      try {
        this.#setUp();
        return work();
      } catch (error) {
        const { errcode } = (error ?? {}) as { errcode?: number };
        if (((errcode ?? 0) & 0xff) !== SQLITE_BUSY || performance.now() >= end) throw error;
      }
    }
  }

  #setUp() {
    if (this.#isSetUp) return;
    const mode = this.#database.prepare('PRAGMA journal_mode').get()?.journal_mode;
    if (mode !== 'wal') this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec(PRAGMAS);
    this.#inOne(() => this.#database.exec(TABLES));
    this.#isSetUp = true;
  }

  #inOne<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.#database.exec('ROLLBACK');
      } catch {
        // After a full disk and some other errors SQLite has rolled back by itself.
      }
      throw error;
    }
  }

  #prepared(sql: string) {
    if (!this.#statements.has(sql)) this.#statements.set(sql, this.#database.prepare(sql));
    return this.#statements.get(sql) as Statement;
  }
}

/** Loaded when a store is made: Node.js 20 has none, and Node.js 22 warns that it is experimental. */
function databaseClass(): new (file: string) => Database {
  try {
    return require('node:sqlite').DatabaseSync;
  } catch (cause) {
    const text = `sqliteStore() needs node:sqlite, which Node.js has from 22.13 on, and this is Node.js ${process.versions.node}`;
    throw Object.assign(new Error(text, { cause }), { code: 'ERR_PALIMPSEST_SQLITE' });
  }
}

/**
 * Creates a store in a file of SQLite, which several processes of one machine can share. It uses `node:sqlite`, which Node.js has from 22.13 on,
 * in WAL mode. Its tables are `palimpsest_entries` and `palimpsest_states`. Deleted content is overwritten.
 *
 * Reading and writing blocks the event loop, as a rule for less than a millisecond.
 *
 * @example
 * const session = createSession({ model: 'gpt-5.5', store: sqliteStore('conversations.sqlite'), id: 'chat-1' });
 * const { messages } = await session.next(history);
 *
 * @param file path of the file, which is created if there is none; or `':memory:'`
 * @throws {TypeError | RangeError} an argument is wrong; the error names it
 * @throws {Error} this Node.js has no `node:sqlite` (code `ERR_PALIMPSEST_SQLITE`), or SQLite can't open the file
 */
export function sqliteStore(file: string, options?: SqliteStoreOptions | null): SqliteStore {
  if (typeof file !== 'string') throw mismatch('sqliteStore(): file', "a path or ':memory:'", file);
  const settings = storeOptions('sqliteStore()', OPTIONS, options);
  const Database = databaseClass();
  return checkedStore(new Sqlite(new Database(file), settings.timeout), settings);
}
