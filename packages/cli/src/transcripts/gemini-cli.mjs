// @ts-check
// Gemini CLI: a file of JSON for each chat, or JSONL whose first line describes it.
import { basename } from 'node:path';
import { counted, countOf, isObject, stringOf, timeOf, titleIn } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */

/** Records that are shown to the user only. */
const SHOWN = new Set(['info', 'warning', 'error']);

/** @param {unknown} value whether it is a chat, or the first line of one */
const isChat = (value) => isObject(value) && typeof value.sessionId === 'string' && ('projectHash' in value || 'startTime' in value);

/** @param {unknown} line */
export const isLine = (line) => isChat(line) && !Array.isArray(/** @type {Json} */ (line).messages);

/** @param {unknown} value */
export const isWhole = (value) => isChat(value) && Array.isArray(/** @type {Json} */ (value).messages);

/** @param {unknown} content @returns {Json[]} */
function partsOf(content) {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => (typeof part === 'string' ? [{ text: part }] : isObject(part) ? [part] : []));
}

/** The answers to a call. @param {Json} call @returns {Json[]} */
function answersOf({ id, name, result, status }) {
  const parts = result === undefined || result === null ? [] : partsOf(result);
  if (parts.some(({ functionResponse }) => functionResponse)) return parts;
  if (parts.length === 0 && status !== 'error' && status !== 'cancelled') return [];
  const output = parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
  return [{ functionResponse: { ...(id && { id }), name, response: { output: output === '' ? String(status) : output } } }];
}

/**
 * @param {string} file
 * @param {Json} chat
 * @returns {Generator<Transcript>}
 */
export function* readWhole(file, chat) {
  /** @type {Json[]} */
  const messages = [];
  /** @type {import('../types.d.ts').TranscriptRequest[]} */
  const requests = [];
  let [skipped, thoughts, shown] = [countOf(chat.skipped), 0, 0];
  let [model, title, last] = /** @type {any[]} */ ([]);
  for (const record of Array.isArray(chat.messages) ? chat.messages : []) {
    if (!isObject(record)) {
      skipped++;
      continue;
    }
    const time = timeOf(record.timestamp);
    last = time ?? last;
    if (record.type === 'user') {
      const parts = partsOf(record.content);
      if (parts.length === 0) continue;
      title ??= titleIn(parts.find(({ text }) => stringOf(text))?.text);
      messages.push({ role: 'user', parts });
    } else if (record.type === 'gemini') {
      model = stringOf(record.model) ?? model;
      thoughts += Array.isArray(record.thoughts) ? record.thoughts.length : 0;
      const calls = Array.isArray(record.toolCalls)
        ? record.toolCalls.filter((call) => isObject(call) && typeof call.name === 'string')
        : [];
      const parts = [
        ...partsOf(record.content),
        ...calls.map(({ id, name, args }) => ({ functionCall: { ...(id && { id }), name, args: isObject(args) ? args : {} } })),
      ];
      const { tokens } = record;
      const cacheRead = isObject(tokens) ? Math.min(countOf(tokens.cached), countOf(tokens.input)) : 0;
      if (messages.length > 0)
        requests.push({
          messages: messages.length,
          ...(time !== undefined && { time }),
          ...(model && { model }),
          ...(isObject(tokens) &&
            countOf(tokens.input) > 0 && {
              usage: {
                input: countOf(tokens.input) - cacheRead,
                cacheRead,
                cacheWrite: 0,
                output: countOf(tokens.output) + countOf(tokens.thoughts),
              },
            }),
        });
      if (parts.length > 0) messages.push({ role: 'model', parts });
      const answers = calls.flatMap(answersOf);
      if (answers.length > 0) messages.push({ role: 'user', parts: answers });
    } else if (SHOWN.has(record.type)) shown++;
    else skipped++;
  }
  if (messages.length === 0) return;
  const started = timeOf(chat.startTime);
  const ended = timeOf(chat.lastUpdated) ?? last;
  yield {
    agent: 'gemini-cli',
    id: stringOf(chat.sessionId) ?? basename(file),
    file,
    ...((stringOf(chat.summary) ?? title) && { title: stringOf(chat.summary) ?? title }),
    ...(model && { model }),
    ...(started !== undefined && { started }),
    ...(ended !== undefined && { ended }),
    format: 'gemini',
    messages,
    requests,
    skipped,
    notes: [
      ...(thoughts > 0 ? [`${counted(thoughts, 'summary').replace('summarys', 'summaries')} of thinking left out`] : []),
      ...(shown > 0 ? [`${counted(shown, 'notice')} to the user left out`] : []),
    ],
  };
}

/** Reads a file, line by line; the first of them is a chat. */
export class Reader {
  #file;
  /** @type {Json} */
  #chat = {};
  /** A record is written again when it changes. @type {Map<unknown, Json>} */
  #records = new Map();
  #skipped = 0;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {unknown} line its value */
  add(line) {
    if (!isObject(line)) this.#skipped++;
    else if (isChat(line)) Object.assign(this.#chat, line);
    else if (isObject(line.$set)) Object.assign(this.#chat, line.$set);
    else if (typeof line.$rewindTo === 'string') {
      const ids = [...this.#records.keys()];
      const at = ids.indexOf(line.$rewindTo);
      if (at !== -1) for (const id of ids.slice(at)) this.#records.delete(id);
    } else if (typeof line.type === 'string') this.#records.set(line.id ?? this.#records.size, line);
    else this.#skipped++;
  }

  /** The conversation in the lines so far. */
  transcripts() {
    const messages = [...(Array.isArray(this.#chat.messages) ? this.#chat.messages : []), ...this.#records.values()];
    return readWhole(this.#file, { ...this.#chat, messages, skipped: this.#skipped });
  }
}
