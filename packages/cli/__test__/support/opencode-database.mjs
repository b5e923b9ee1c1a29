// opencode's database, for processes of Node.js 22 or newer.
import { DatabaseSync } from 'node:sqlite';

/** Opens a database of opencode's, whose changes stay in a file beside it until it is closed, as opencode has it. @param {string} file */
export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;' +
      'CREATE TABLE session (id TEXT, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);' +
      'CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);' +
      'CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT)',
  );
  return database;
}

/** Adds a session, or what is new in it. @param {DatabaseSync} database @param {ReturnType<import('./recorded.mjs').opencodeSession>} session */
export function store(database, { session, messages, parts }) {
  const { id, projectID, directory, title, time } = session;
  for (const table of ['session WHERE id', 'message WHERE session_id', 'part WHERE session_id'])
    database.prepare(`DELETE FROM ${table} = ?`).run(id);
  database.prepare('INSERT INTO session VALUES (?, ?, NULL, ?, ?, ?, ?)').run(id, projectID, directory, title, time.created, time.updated);
  for (const { id: own, sessionID, ...data } of messages)
    database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(own, sessionID, data.time.created, JSON.stringify(data));
  for (const { id: own, messageID, sessionID, ...data } of parts)
    database.prepare('INSERT INTO part VALUES (?, ?, ?, 0, ?)').run(own, messageID, sessionID, JSON.stringify(data));
}
