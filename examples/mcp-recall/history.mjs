// A conversation's history in a store: each message is a value under the hash of its JSON, and the state is the list of the hashes. Writing a
// history again writes only what is new.
import { createHash } from 'node:crypto';

/** Number of values in one call. */
const BATCH = 1000;

const keyOf = (text) => createHash('sha256').update(text).digest('base64url');

/**
 * Saves a history.
 *
 * @param {import('palimpsest/store/sqlite').Store} store
 * @param {string} id of the conversation
 * @param {readonly object[]} history
 */
export async function saveHistory(store, id, history) {
  const entries = history.map((message) => JSON.stringify(message)).map((text) => [keyOf(text), text]);
  for (;;) {
    const saved = await store.load(id);
    const known = new Set(saved && JSON.parse(saved.state));
    const fresh = entries.filter(([key]) => !known.has(key));
    for (let start = 0; start < fresh.length; start += BATCH) await store.put(id, fresh.slice(start, start + BATCH));
    const keys = entries.map(([key]) => key);
    if (await store.save(id, JSON.stringify(keys), saved?.version ?? 0)) return;
  }
}

/**
 * Loads a history; an unknown conversation has none.
 *
 * @param {import('palimpsest/store/sqlite').Store} store
 * @param {string} id of the conversation
 * @returns {Promise<object[]>}
 */
export async function loadHistory(store, id) {
  const saved = await store.load(id);
  const keys = saved ? JSON.parse(saved.state) : [];
  const history = [];
  for (let start = 0; start < keys.length; start += BATCH) {
    const values = await store.get(id, keys.slice(start, start + BATCH));
    history.push(...values.filter((value) => value !== undefined).map((value) => JSON.parse(value)));
  }
  return history;
}
