// Gemini CLI: a file of JSON for each chat, or JSONL whose first line describes it.
import { basename } from 'node:path';
import { counted, countOf, isObject, stringOf, timeOf, titleIn } from './values.mjs';
import type { Json } from './values.mjs';
import type { Transcript, TranscriptRequest } from '../types.mjs';

/** Records that are shown to the user only. */
const SHOWN = new Set(['info', 'warning', 'error']);

/** @param value whether it is a chat, or the first line of one */
const isChat = (value: unknown) =>
  isObject(value) && typeof value.sessionId === 'string' && ('projectHash' in value || 'startTime' in value);

export const isLine = (line: unknown) => isChat(line) && !Array.isArray((line as Json).messages);

export const isWhole = (value: unknown) => isChat(value) && Array.isArray((value as Json).messages);

function partsOf(content: unknown): Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => (typeof part === 'string' ? [{ text: part }] : isObject(part) ? [part] : []));
}

/** The answers to a call. */
function answersOf({ id, name, result, status }: Json): Json[] {
  const parts = result === undefined || result === null ? [] : partsOf(result);
  if (parts.some(({ functionResponse }) => functionResponse)) return parts;
  if (parts.length === 0 && status !== 'error' && status !== 'cancelled') return [];
  const output = parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
  return [{ functionResponse: { ...(id && { id }), name, response: { output: output === '' ? String(status) : output } } }];
}

export function* readWhole(file: string, chat: Json): Generator<Transcript> {
  const messages: Json[] = [];
  const requests: TranscriptRequest[] = [];
  let [skipped, thoughts, shown] = [countOf(chat.skipped), 0, 0];
  let model: string | undefined;
  let title: string | undefined;
  let last: number | undefined;
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
  #chat: Json = {};
  /** A record is written again when it changes. */
  #records: Map<unknown, Json> = new Map();
  #skipped = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param line its value */
  add(line: unknown) {
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
