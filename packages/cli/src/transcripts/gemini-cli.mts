// Gemini CLI: a file of JSON for each chat, or JSONL whose first line describes it.
import { basename } from 'node:path';
import { unlessEmpty, usageWithin } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { counted, countOf, isObject, stringOf, timeOf, titleIn, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { PaidAnswer, Transcript, TranscriptRequest } from '../types.mjs';

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

/** What is recorded of an answer. Its record may be written again with another id, and with what its calls returned. */
function answerOf({ id, timestamp, content, model, tokens }: Json) {
  const time = timeOf(timestamp);
  const usage =
    isObject(tokens) && unlessEmpty(usageWithin(tokens.input, tokens.cached, tokensOf(tokens.output) + tokensOf(tokens.thoughts)));
  const ids = [digestOf('gemini-cli', time ?? id, content, model, usage)];
  return { ids, ...(time !== undefined && { time }), ...(usage && { usage }) };
}

/** @param given records that are no longer of the conversation */
export function* readWhole(file: string, chat: Json, given: Json[] = []): Generator<Transcript> {
  const messages: Json[] = [];
  const beside: PaidAnswer[] = [];
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
      const paid = { ...answerOf(record), ...(model && { model }) };
      if (messages.length > 0) requests.push({ messages: messages.length, ...paid });
      else if (paid.usage) beside.push({ kind: 'lost', ...paid });
      if (parts.length > 0) messages.push({ role: 'model', parts });
      const answers = calls.flatMap(answersOf);
      if (answers.length > 0) messages.push({ role: 'user', parts: answers });
    } else if (SHOWN.has(record.type)) shown++;
    else skipped++;
  }
  for (const record of given) {
    const paid = record.type === 'gemini' ? answerOf(record) : undefined;
    const own = stringOf(record.model) ?? model;
    if (paid?.usage) beside.push({ kind: 'branch', ...paid, ...(own && { model: own }) });
  }
  if (messages.length === 0 && beside.length === 0) return;
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
    ...(beside.length > 0 && { beside }),
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
  /** By id. A record is written again when it changes. */
  #records: Map<unknown, Json> = new Map();
  /** Their ids in order. */
  #order: unknown[] = [];
  /** Records that were undone, or that a snapshot does not have. */
  #given: Json[] = [];
  #nameless = 0;
  #skipped = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param line its value */
  add(line: unknown) {
    if (!isObject(line)) this.#skipped++;
    else if (isChat(line)) this.#describe(line);
    else if (isObject(line.$set)) this.#describe(line.$set);
    else if (typeof line.$rewindTo === 'string') {
      while (this.#records.has(line.$rewindTo)) this.#giveUp(this.#order.pop());
    } else if (typeof line.type === 'string') {
      const key = this.#keyOf(line);
      if (!this.#records.has(key)) this.#order.push(key);
      this.#records.set(key, line);
    } else this.#skipped++;
  }

  #keyOf({ id }: Json): unknown {
    return id ?? `nameless ${this.#nameless++}`;
  }

  #giveUp(id: unknown) {
    const record = this.#records.get(id);
    if (record !== undefined) this.#given.push(record);
    this.#records.delete(id);
  }

  /** Takes what is said of the chat. All of its messages are a snapshot: it takes the place of what was said. */
  #describe({ messages, ...more }: Json) {
    Object.assign(this.#chat, more);
    if (!Array.isArray(messages)) return;
    const records = new Map(messages.map((record) => [isObject(record) ? this.#keyOf(record) : record, record]));
    for (const id of this.#order) if (!records.has(id)) this.#giveUp(id);
    this.#records = records;
    this.#order = [...records.keys()];
  }

  /** The conversation in the lines so far. */
  transcripts() {
    const chat: Json = { ...this.#chat, messages: [...this.#records.values()], skipped: this.#skipped };
    return readWhole(this.#file, chat, this.#given);
  }
}
