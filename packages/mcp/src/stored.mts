// A session in a store, as the program that sends its requests left it.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checked, plain, Problem } from '@palimpsest/cli';
import { createSession } from 'palimpsest';
import type { Io } from '@palimpsest/cli';
import type { SavedSession, Session } from 'palimpsest';
import type { SqliteStore } from 'palimpsest/store/sqlite';
import type { Given } from './arguments.mjs';

/** Number of times that a change is made anew because the program saved a state meanwhile. */
const MAX_TRIES = 10;

export class Stored {
  #path;
  #id;
  #settings;
  #store: SqliteStore | undefined;

  /** @throws {Misuse} an option is not one of a session */
  constructor({ path, limit, model }: NonNullable<Given['store']>, id: string, io: Io) {
    this.#path = resolve(io.cwd, path);
    this.#id = id;
    this.#settings = { limit, model, warn: false, now: () => io.now() };
    checked({ name: '--store' }, () => createSession(this.#settings));
  }

  /**
   * Returns the session as it was saved last. What is done with it stays in this process.
   *
   * @throws {Problem}
   */
  async session(): Promise<Session> {
    return (await this.#load()).session;
  }

  /**
   * Changes the session, and saves it. The next request of the program that has it takes up what was saved.
   *
   * @throws {Problem}
   */
  async change<T>(work: (session: Session) => T): Promise<T> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { session, version } = await this.#load();
      const result = work(session);
      const state = JSON.stringify(session);
      if (await this.#asked((store) => store.save(this.#id, state, version))) return result;
    }
    throw new Problem('the session was saved by its program each time: try again');
  }

  async #load() {
    const found = await this.#asked((store) => store.load(this.#id));
    const id = JSON.stringify(plain(this.#id));
    if (found === undefined)
      throw new Problem(`the store has no session ${id}: give the id that createSession was given, after its first request`);
    try {
      return { session: createSession(this.#settings, JSON.parse(found.state) as SavedSession), version: found.version };
    } catch {
      throw new Problem(`what the store has as ${id} is no session of this version of palimpsest`);
    }
  }

  /** Asks the store. The file is never made: what is not there was misspelt. */
  async #asked<T>(ask: (store: SqliteStore) => Promise<T>): Promise<T> {
    const name = plain(this.#path);
    const isThere = await stat(this.#path).then(
      (info) => info.isFile(),
      () => false,
    );
    if (!isThere) throw new Problem(`${name}: no such file; --store must be the file that sqliteStore was given`);
    try {
      this.#store ??= (await import('palimpsest/store/sqlite')).sqliteStore(this.#path);
      return await ask(this.#store);
    } catch (error) {
      // What SQLite says may quote what was to be stored; what the library says of Node.js does not.
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === 'ERR_SQLITE_ERROR' ? 'SQLite can’t read it' : String(message).split('\n', 1)[0];
      throw new Problem(`the store ${name} failed: ${reason}`);
    }
  }
}
