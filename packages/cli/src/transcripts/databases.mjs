// @ts-check
// Databases of SQLite: which agent's they are shows in their tables.
import * as goose from './goose.mjs';
import * as opencode from './opencode.mjs';
import { Unreadable } from './unreadable.mjs';

/** @typedef {import('../types.d.ts').Transcript} Transcript */

/** Databases that are known, but not read. @type {[string, string][]} by a table of theirs */
const REFUSED = [
  ['cursorDiskKV', 'is a database of Cursor, which is not read: its transcripts are in ~/.cursor/projects/*/agent-transcripts'],
  ['blobs', 'is a database of Cursor, which is not read: its transcripts are in ~/.cursor/projects/*/agent-transcripts'],
  ['threads', 'is a database of Zed, which is not read'],
];

/** @returns {Promise<any>} `node:sqlite` @throws {Unreadable} Node.js is too old */
async function loadSqlite() {
  try {
    return await import(/** @type {any} */ ('node:sqlite'));
  } catch (error) {
    const { code } = /** @type {{ code?: unknown }} */ (error);
    if (code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw error;
    throw new Unreadable(
      'is a database, which Node.js reads from 22.13 on; sessions of opencode are read by any version from what `opencode export` prints',
    );
  }
}

/**
 * Reads the sessions of a database, the one that was changed last first.
 *
 * @param {string} file
 * @returns {AsyncGenerator<Transcript>}
 * @throws {Unreadable} it is another database, or damaged
 */
export async function* readDatabase(file) {
  const { DatabaseSync } = await loadSqlite();
  let database;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    /** @type {Set<string>} */
    const tables = new Set(rows.map((/** @type {any} */ { name }) => name));
    const form = [opencode, goose].find(({ hasTables }) => hasTables(tables));
    const refused = REFUSED.find(([table]) => tables.has(table));
    if (form) yield* form.readDatabase(file, database, tables);
    else throw new Unreadable(refused?.[1] ?? 'is a database, but not one of opencode or Goose');
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error).code !== 'ERR_SQLITE_ERROR') throw error;
    throw new Unreadable('is a database that is damaged, locked, or of an unknown version');
  } finally {
    database?.close();
  }
}
