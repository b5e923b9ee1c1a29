// @ts-check
// opencode: a database, or in older versions a folder with a file for each session, message and part. Both hold the same JSON, as does what
// `opencode export` prints. From version 2 on, the database has other messages.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inputTokens } from '../usage.mjs';
import { callPart, Conversation, once, textPart, thinkingPart } from './conversation.mjs';
import { readJson } from './lines.mjs';
import { reasonOf } from './unreadable.mjs';
import { counted, countOf, isObject, parsed, stringOf, timeOf } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */

/** Parts that are not sent. */
const OWN_PARTS = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'subtask', 'retry', 'compaction']);

/** @param {unknown} value whether it is the file of a session */
const isSession = (value) => isObject(value) && typeof value.id === 'string' && value.id.startsWith('ses') && isObject(value.time);

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
    ...(from > 0 && { from }),
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
async function* readSessionFile(file, session) {
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

/** @param {unknown} value whether it is what `opencode export` prints */
const isExport = (value) => isObject(value) && isSession(value.info) && Array.isArray(value.messages);

/** @param {unknown} value */
export const isWhole = (value) => isSession(value) || isExport(value);

/**
 * @param {string} file
 * @param {Json} value
 * @returns {AsyncGenerator<Transcript>}
 */
export async function* readWhole(file, value) {
  if (isSession(value)) {
    yield* readSessionFile(file, value);
    return;
  }
  const known = value.messages.filter((/** @type {any} */ message) => isObject(message?.info) && Array.isArray(message.parts));
  const entries = known.map(({ info, parts }) => ({ ...info, parts: parts.filter(isObject) }));
  const transcript = transcriptOf(file, value.info, once(entries), value.messages.length - known.length);
  if (transcript) yield transcript;
}

/** @param {Set<string>} tables of a database */
export const hasTables = (tables) => (tables.has('message') && tables.has('part')) || tables.has('session_message');

/** The part of a tool in version 2. @param {Json} part @returns {{ text: string, isError: boolean } | undefined} what it answered */
function answerOf({ state }) {
  if (!isObject(state) || !['completed', 'error'].includes(state.status)) return undefined;
  const content = Array.isArray(state.content) ? state.content : [];
  const text = content.flatMap((/** @type {any} */ block) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n');
  if (state.status === 'completed') return { text, isError: false };
  return { text: stringOf(state.error) ?? stringOf(state.error?.message) ?? text, isError: true };
}

/**
 * A session of version 2.
 *
 * @param {string} file
 * @param {Json} session
 * @param {Json[]} rows `{ id, type, data, time_created }` in order
 * @returns {Generator<Transcript>}
 */
function* transcriptsOf(file, session, rows) {
  const talk = new Conversation();
  const title = stringOf(session.title);
  talk.title = title && stringOf(session.parentID) ? `subagent: ${title}` : title;
  talk.cwd = stringOf(session.directory);
  let files = 0;
  for (const { id, type, data, time_created } of rows) {
    const value = typeof data === 'string' ? parsed(data) : undefined;
    if (!isObject(value)) {
      talk.skipped++;
      continue;
    }
    const time = timeOf(value.time?.created) ?? timeOf(time_created);
    if (type === 'user' || type === 'synthetic') {
      files += Array.isArray(value.files) ? value.files.length : 0;
      talk.user(textPart(value.text));
    } else if (type === 'shell') talk.user(textPart(`${value.command ?? ''}\n${value.output ?? ''}`.trim()));
    else if (type === 'system') talk.system = stringOf(value.text) ?? talk.system;
    else if (type === 'compaction') {
      talk.compact();
      talk.user([...textPart(value.summary), ...textPart(value.recent)]);
    } else if (type === 'assistant') {
      const parts = (Array.isArray(value.content) ? value.content : []).filter(isObject);
      const content = parts.flatMap((part) =>
        part.type === 'text' && part.ignored !== true
          ? textPart(part.text)
          : part.type === 'reasoning'
            ? thinkingPart(part.text)
            : part.type === 'tool'
              ? [callPart(part.id ?? id, part.name, part.state?.input)]
              : [],
      );
      const usage = usageOf(value.tokens);
      if (content.length > 0 || usage) talk.assistant(content, { time, model: stringOf(value.model?.id), ...(usage && { usage }) });
      for (const part of parts) {
        const answer = part.type === 'tool' ? answerOf(part) : undefined;
        if (answer) talk.result(part.id ?? id, answer.text, answer.isError);
      }
    } else if (type !== 'agent-switched' && type !== 'model-switched') talk.skipped++;
  }
  if (files > 0) talk.notes.push(`${counted(files, 'attached file')} left out`);
  yield* talk.transcripts('opencode', file, {
    id: session.id,
    started: timeOf(session.time.created),
    ended: timeOf(session.time.updated),
  });
}

/**
 * Reads the sessions of a database, the one that was changed last first. A session with messages of version 2 has them all there.
 *
 * @param {string} file
 * @param {any} database
 * @param {Set<string>} tables
 * @returns {Generator<Transcript>}
 */
export function* readDatabase(file, database, tables) {
  const rowsOf = (/** @type {string} */ table, /** @type {string} */ sql) => (tables.has(table) ? database.prepare(sql) : undefined);
  const newest = rowsOf('session_message', 'SELECT * FROM session_message WHERE session_id = ? ORDER BY seq');
  const messagesOf = rowsOf('message', 'SELECT * FROM message WHERE session_id = ?');
  const partsOf = rowsOf('part', 'SELECT * FROM part WHERE session_id = ?');
  /** @type {Map<string, Json>} */
  const sessions = new Map();
  for (const table of ['session', 'session_v2'])
    for (const row of rowsOf(table, `SELECT * FROM ${table}`)?.all() ?? []) sessions.set(row.id, row);
  for (const row of [...sessions.values()].sort((a, b) => (b.time_updated ?? 0) - (a.time_updated ?? 0))) {
    const session = {
      id: row.id,
      title: row.title,
      directory: row.directory,
      parentID: row.parent_id,
      time: { created: row.time_created, updated: row.time_updated },
    };
    const rows = newest?.all(row.id) ?? [];
    if (rows.length > 0) {
      yield* transcriptsOf(file, session, rows);
      continue;
    }
    let skipped = 0;
    /** @type {Map<string, Json>} */
    const entries = new Map();
    const read = (/** @type {any} */ { id, data, time_created }) => {
      const value = typeof data === 'string' ? parsed(data) : undefined;
      if (!isObject(value)) skipped++;
      return isObject(value) ? { time: { created: time_created }, ...value, id } : undefined;
    };
    for (const message of messagesOf?.iterate(row.id) ?? []) {
      const value = read(message);
      if (value) entries.set(message.id, { ...value, parts: [] });
    }
    for (const part of partsOf?.iterate(row.id) ?? []) {
      const value = read(part);
      if (value) entries.get(part.message_id)?.parts.push(value);
    }
    const transcript = transcriptOf(file, session, [...entries.values()], skipped);
    if (transcript) yield transcript;
  }
}
