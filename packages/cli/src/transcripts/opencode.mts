// opencode: a database, or in older versions a folder with a file for each session, message and part. Both hold the same JSON, as does what
// `opencode export` prints. From version 2 on, the database has other messages.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessEmpty } from '../usage.mjs';
import { callPart, Conversation, once, textPart, thinkingPart } from './conversation.mjs';
import { readJson } from './lines.mjs';
import { reasonOf } from './unreadable.mjs';
import { counted, isObject, parsed, stringOf, timeOf, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { PaidAnswer, Transcript, TranscriptRequest, Usage } from '../types.mjs';
import type { Database } from './databases.mjs';

/** Parts that are not sent. */
const OWN_PARTS = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'subtask', 'retry', 'compaction']);

/** @param value whether it is the file of a session */
const isSession = (value: unknown) => isObject(value) && typeof value.id === 'string' && value.id.startsWith('ses') && isObject(value.time);

function usageOf(tokens: unknown): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  return unlessEmpty({
    input: tokensOf(tokens.input),
    cacheRead: tokensOf(tokens.cache?.read),
    cacheWrite: tokensOf(tokens.cache?.write),
    output: tokensOf(tokens.output) + tokensOf(tokens.reasoning),
  });
}

/** What a tool answered. */
function outputOf({ status, output, error }: Json) {
  if (status === 'completed') return { type: 'text', value: typeof output === 'string' ? output : JSON.stringify(output ?? '') };
  if (status === 'error') return { type: 'error-text', value: typeof error === 'string' ? error : 'error' };
  return undefined;
}

/** The messages of one step of a reply, in the format of the AI SDK. */
function stepOf(parts: Json[]) {
  const content: Json[] = [];
  const results: Json[] = [];
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

const stepsIn = (parts: Json[]) => {
  const steps: Json[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start' && steps.at(-1)?.some(({ type }) => type === 'step-finish')) steps.push([]);
    steps.at(-1)?.push(part);
  }
  return steps;
};

const byTime = (a: Json, b: Json) => (a.time?.created ?? 0) - (b.time?.created ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
/** Ids rise with time. */
const byId = (a: Json, b: Json) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * @param entries its messages, each with its `parts`
 * @param skipped entries that are no JSON
 */
function transcriptOf(file: string, session: Json, entries: Json[], skipped: number): Transcript | undefined {
  const messages: Json[] = [];
  const requests: TranscriptRequest[] = [];
  const beside: PaidAnswer[] = [];
  let [from, files, compactions] = [0, 0, 0];
  let compaction: number | undefined;
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
        const paid = {
          ...(time !== undefined && { time }),
          ...(stringOf(entry.modelID) && { model: String(entry.modelID) }),
          ...(usage && { usage }),
        };
        if (messages.length > 0) requests.push({ messages: messages.length, ...(from > 0 && { from }), ...paid });
        else if (usage) beside.push({ kind: 'lost', ...paid });
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
    ...(beside.length > 0 && { beside }),
    ...(from > 0 && { from }),
    skipped,
    notes: [
      ...(compactions > 0 ? [`${counted(compactions, 'compaction')} by the agent`] : []),
      ...(files > 0 ? [`${counted(files, 'attached file')} left out`] : []),
    ],
  };
}

/** The values of JSON files in a folder; an empty list if it is not there. */
async function readFolder(folder: string): Promise<{ values: Json[]; skipped: number }> {
  let names: string[];
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
 * @param file `storage/session/<project>/<session>.json`
 * @param session its value
 */
async function* readSessionFile(file: string, session: Json): AsyncGenerator<Transcript> {
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

/** @param value whether it is what `opencode export` prints */
const isExport = (value: unknown) => isObject(value) && isSession(value.info) && Array.isArray(value.messages);

export const isWhole = (value: unknown) => isSession(value) || isExport(value);

export async function* readWhole(file: string, value: Json): AsyncGenerator<Transcript> {
  if (isSession(value)) {
    yield* readSessionFile(file, value);
    return;
  }
  const known = value.messages.filter((message: Json) => isObject(message?.info) && Array.isArray(message.parts));
  const entries = known.map(({ info, parts }: Json) => ({ ...info, parts: parts.filter(isObject) }));
  const transcript = transcriptOf(file, value.info, once(entries), value.messages.length - known.length);
  if (transcript) yield transcript;
}

/** @param tables of a database */
export const hasTables = (tables: Set<string>) => (tables.has('message') && tables.has('part')) || tables.has('session_message');

/** The part of a tool in version 2. @returns what it answered */
function answerOf({ state }: Json): { text: string; isError: boolean } | undefined {
  if (!isObject(state) || !['completed', 'error'].includes(state.status)) return undefined;
  const content = Array.isArray(state.content) ? state.content : [];
  const text = content.flatMap((block: Json | null) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n');
  if (state.status === 'completed') return { text, isError: false };
  return { text: stringOf(state.error) ?? stringOf(state.error?.message) ?? text, isError: true };
}

/**
 * A session of version 2.
 *
 * @param rows `{ id, type, data, time_created }` in order
 */
function* transcriptsOf(file: string, session: Json, rows: Json[]): Generator<Transcript> {
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

/** Reads the sessions of a database, the one that was changed last first. A session with messages of version 2 has them all there. */
export function* readDatabase(file: string, database: Database, tables: Set<string>): Generator<Transcript> {
  const rowsOf = (table: string, sql: string) => (tables.has(table) ? database.prepare(sql) : undefined);
  const newest = rowsOf('session_message', 'SELECT * FROM session_message WHERE session_id = ? ORDER BY seq');
  const messagesOf = rowsOf('message', 'SELECT * FROM message WHERE session_id = ?');
  const partsOf = rowsOf('part', 'SELECT * FROM part WHERE session_id = ?');
  const sessions: Map<string, Json> = new Map();
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
    const entries: Map<string, Json> = new Map();
    const read = ({ id, data, time_created }: Json) => {
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
