// @ts-check
// opencode: a database, or in older versions a folder with a file for each session, message and part. Both hold the same JSON.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inputTokens } from '../usage.mjs';
import { readJson } from './lines.mjs';
import { reasonOf, Unreadable } from './unreadable.mjs';
import { counted, countOf, isObject, parsed, stringOf, timeOf } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */

/** Parts that are not sent. */
const OWN_PARTS = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'subtask', 'retry', 'compaction']);

/** @param {unknown} value whether it is the file of a session */
export const isSession = (value) => isObject(value) && typeof value.id === 'string' && value.id.startsWith('ses') && isObject(value.time);

/** @param {unknown} tokens @returns {import('../types.d.ts').Usage | undefined} */
function usageOf(tokens) {
  if (!isObject(tokens)) return undefined;
  const usage = {
    input: countOf(tokens.input),
    cacheRead: countOf(tokens.cache?.read),
    cacheWrite: countOf(tokens.cache?.write),
    output: countOf(tokens.output) + countOf(tokens.reasoning),
  };
  return inputTokens(usage) > 0 ? usage : undefined;
}

/** What a tool answered. @param {Json} state */
function outputOf({ status, output, error }) {
  if (status === 'completed') return { type: 'text', value: typeof output === 'string' ? output : JSON.stringify(output ?? '') };
  if (status === 'error') return { type: 'error-text', value: typeof error === 'string' ? error : 'error' };
  return undefined;
}

/** The messages of one step of a reply, in the format of the AI SDK. @param {Json[]} parts */
function stepOf(parts) {
  /** @type {Json[]} */
  const content = [];
  /** @type {Json[]} */
  const results = [];
  for (const part of parts) {
    if (part.type === 'text' && stringOf(part.text) && part.ignored !== true) content.push({ type: 'text', text: part.text });
    else if (part.type === 'reasoning' && stringOf(part.text)) content.push({ type: 'reasoning', text: part.text });
    else if (part.type === 'tool' && isObject(part.state)) {
      const call = { toolCallId: String(part.callID ?? part.id), toolName: String(part.tool) };
      content.push({ type: 'tool-call', ...call, input: isObject(part.state.input) ? part.state.input : {} });
      const output = outputOf(part.state);
      if (output) results.push({ type: 'tool-result', ...call, output });
    }
  }
  return [
    ...(content.length > 0 ? [{ role: 'assistant', content }] : []),
    ...(results.length > 0 ? [{ role: 'tool', content: results }] : []),
  ];
}

/** @param {Json[]} parts */
const stepsIn = (parts) => {
  /** @type {Json[][]} */
  const steps = [[]];
  for (const part of parts) {
    if (part.type === 'step-start' && steps.at(-1)?.some(({ type }) => type === 'step-finish')) steps.push([]);
    steps.at(-1)?.push(part);
  }
  return steps;
};

/** @param {Json} a @param {Json} b */
const byTime = (a, b) => (a.time?.created ?? 0) - (b.time?.created ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
/** Ids rise with time. @param {Json} a @param {Json} b */
const byId = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * @param {string} file
 * @param {Json} session
 * @param {Json[]} entries its messages, each with its `parts`
 * @param {number} skipped entries that are no JSON
 * @returns {Transcript | undefined}
 */
function transcriptOf(file, session, entries, skipped) {
  /** @type {Json[]} */
  const messages = [];
  /** @type {import('../types.d.ts').TranscriptRequest[]} */
  const requests = [];
  let [from, files, compactions] = [0, 0, 0];
  /** @type {number | undefined} */
  let compaction;
  for (const entry of [...entries].sort(byTime)) {
    const parts = [...entry.parts].sort(byId);
    const unknown = parts.filter(({ type }) => !OWN_PARTS.has(type) && !['text', 'reasoning', 'tool', 'file'].includes(type)).length;
    skipped += unknown;
    if (entry.role === 'user') {
      if (parts.some(({ type }) => type === 'compaction')) compaction = messages.length;
      files += parts.filter(({ type }) => type === 'file').length;
      const content = parts.flatMap((part) =>
        part.type === 'text' && stringOf(part.text) && part.ignored !== true ? [{ type: 'text', text: part.text }] : [],
      );
      if (content.length > 0) messages.push({ role: 'user', content });
      else if (compaction === messages.length)
        messages.push({ role: 'user', content: [{ type: 'text', text: 'Summarize the conversation.' }] });
    } else if (entry.role === 'assistant') {
      const steps = stepsIn(parts);
      for (const step of steps) {
        const usage =
          usageOf(step.find(({ type }) => type === 'step-finish')?.tokens) ?? (steps.length === 1 ? usageOf(entry.tokens) : undefined);
        const added = stepOf(step);
        if (added.length === 0 && usage === undefined) continue;
        const time = timeOf(entry.time?.created);
        if (messages.length > 0)
          requests.push({
            messages: messages.length,
            ...(from > 0 && { from }),
            ...(time !== undefined && { time }),
            ...(stringOf(entry.modelID) && { model: entry.modelID }),
            ...(usage && { usage }),
          });
        messages.push(...added);
      }
      if (entry.summary === true && compaction !== undefined) {
        from = compaction;
        compaction = undefined;
        compactions++;
      }
    } else skipped++;
  }
  if (messages.length === 0) return undefined;
  const model = requests.findLast((request) => request.model)?.model;
  const title = stringOf(session.title);
  const [started, ended] = [timeOf(session.time?.created), timeOf(session.time?.updated)];
  return {
    agent: 'opencode',
    id: session.id,
    file,
    ...(title && { title: stringOf(session.parentID) ? `subagent: ${title}` : title }),
    ...(stringOf(session.directory) && { cwd: session.directory }),
    ...(model && { model }),
    ...(started !== undefined && { started }),
    ...(ended !== undefined && { ended }),
    format: 'ai-sdk-model',
    messages,
    requests,
    skipped,
    notes: [
      ...(compactions > 0 ? [`${counted(compactions, 'compaction')} by the agent`] : []),
      ...(files > 0 ? [`${counted(files, 'attached file')} left out`] : []),
    ],
  };
}

/** The values of JSON files in a folder; an empty list if it is not there. @param {string} folder @returns {Promise<{ values: Json[], skipped: number }>} */
async function readFolder(folder) {
  /** @type {string[]} */
  let names;
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    reasonOf(error);
    return { values: [], skipped: 0 };
  }
  const values = [];
  let skipped = 0;
  for (const name of names) {
    try {
      const value = await readJson(join(folder, name));
      if (isObject(value)) values.push({ id: name.replace(/\.json$/, ''), ...value });
      else skipped++;
    } catch (error) {
      reasonOf(error);
      skipped++;
    }
  }
  return { values, skipped };
}

/**
 * @param {string} file `storage/session/<project>/<session>.json`
 * @param {Json} session its value
 * @returns {AsyncGenerator<Transcript>}
 */
export async function* readSessionFile(file, session) {
  const storage = dirname(dirname(dirname(file)));
  const read = await readFolder(join(storage, 'message', session.id));
  let { skipped } = read;
  const entries = [];
  for (const message of read.values) {
    const parts = await readFolder(join(storage, 'part', message.id));
    skipped += parts.skipped;
    entries.push({ ...message, parts: parts.values });
  }
  const transcript = transcriptOf(file, session, entries, skipped);
  if (transcript) yield transcript;
}

/** @returns {Promise<any>} `node:sqlite` @throws {Unreadable} Node.js is too old */
async function loadSqlite() {
  try {
    return await import(/** @type {any} */ ('node:sqlite'));
  } catch (error) {
    const { code } = /** @type {{ code?: unknown }} */ (error);
    if (code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw error;
    throw new Unreadable('is a database, which Node.js reads from 22.13 on');
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
  const unreadable = (/** @type {unknown} */ error) => {
    if (/** @type {{ code?: unknown }} */ (error).code !== 'ERR_SQLITE_ERROR') throw error;
    return new Unreadable('is a database that is damaged, locked, or not one of opencode');
  };
  let database;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const sessions = database.prepare('SELECT * FROM session ORDER BY time_updated DESC').all();
    const messagesOf = database.prepare('SELECT * FROM message WHERE session_id = ?');
    const partsOf = database.prepare('SELECT * FROM part WHERE session_id = ?');
    for (const row of sessions) {
      let skipped = 0;
      /** @type {Map<string, Json>} */
      const entries = new Map();
      const read = (/** @type {any} */ { id, data, time_created }) => {
        const value = typeof data === 'string' ? parsed(data) : undefined;
        if (!isObject(value)) skipped++;
        return isObject(value) ? { time: { created: time_created }, ...value, id } : undefined;
      };
      for (const message of messagesOf.iterate(row.id)) {
        const value = read(message);
        if (value) entries.set(message.id, { ...value, parts: [] });
      }
      for (const part of partsOf.iterate(row.id)) {
        const value = read(part);
        if (value) entries.get(part.message_id)?.parts.push(value);
      }
      const session = {
        id: row.id,
        title: row.title,
        directory: row.directory,
        parentID: row.parent_id,
        time: { created: row.time_created, updated: row.time_updated },
      };
      const transcript = transcriptOf(file, session, [...entries.values()], skipped);
      if (transcript) yield transcript;
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    database?.close();
  }
}
