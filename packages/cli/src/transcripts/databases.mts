// Databases of SQLite: which agent's they are shows in their tables.
import * as goose from './goose.mjs';
import * as opencode from './opencode.mjs';
import { Unreadable } from './unreadable.mjs';
import type { Transcript } from '../types.mjs';
import type { Json } from './values.mjs';

/** Databases that are known, but not read, by a table of theirs. */
const REFUSED: [string, string][] = [
  ['cursorDiskKV', 'is a database of Cursor, which is not read: its transcripts are in ~/.cursor/projects/*/agent-transcripts'],
  ['blobs', 'is a database of Cursor, which is not read: its transcripts are in ~/.cursor/projects/*/agent-transcripts'],
  ['threads', 'is a database of Zed, which is not read'],
];

/** As much of `node:sqlite` as is used: the types of Node.js 20 don't have it. */
export interface Database {
  prepare(sql: string): { all(...values: unknown[]): Json[]; iterate(...values: unknown[]): Iterable<Json> };
  close(): void;
}

/** @returns `node:sqlite` @throws {Unreadable} Node.js is too old */
async function loadSqlite(): Promise<{ DatabaseSync: new (file: string, options: { readOnly: boolean }) => Database }> {
  try {
    return await import('node:sqlite' as string);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw error;
    throw new Unreadable(
      'is a database, which Node.js reads from 22.13 on; sessions of opencode are read by any version from what `opencode export` prints',
    );
  }
}

/**
 * Reads the sessions of a database, the one that was changed last first.
 *
 * @throws {Unreadable} it is another database, or damaged
 */
export async function* readDatabase(file: string): AsyncGenerator<Transcript> {
  const { DatabaseSync } = await loadSqlite();
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const tables: Set<string> = new Set(rows.map(({ name }) => name));
    const form = [opencode, goose].find(({ hasTables }) => hasTables(tables));
    const refused = REFUSED.find(([table]) => tables.has(table));
    if (form) yield* form.readDatabase(file, database, tables);
    else throw new Unreadable(refused?.[1] ?? 'is a database, but not one of opencode or Goose');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') throw error;
    throw new Unreadable('is a database that is damaged, locked, or of an unknown version');
  } finally {
    database?.close();
  }
}
