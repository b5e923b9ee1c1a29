// Puts a conversation together from what an agent recorded, in the messages of the AI SDK where the agent has a form of its own.
import { counted, isObject, stringOf, titleIn } from './values.mjs';
import type { Agent, MessageFormat, PaidAnswer, Transcript, TranscriptRequest as Request, Usage } from '../types.mjs';
import type { Json } from './values.mjs';

/** A text as a part. @returns none if it is empty */
export const textPart = (text: unknown): Json[] => (stringOf(text) ? [{ type: 'text', text }] : []);

/** What a model thought as a part. @returns none if it is empty */
export const thinkingPart = (text: unknown): Json[] => (stringOf(text) ? [{ type: 'reasoning', text }] : []);

/** A call as a part. @param input an object, or its JSON */
export function callPart(id: unknown, name: unknown, input: unknown): Json {
  let value = input;
  if (typeof input === 'string') {
    try {
      value = JSON.parse(input);
    } catch {
      // Tools may take any text.
    }
  }
  return { type: 'tool-call', toolCallId: String(id), toolName: String(name), input: isObject(value) ? value : { input: value ?? '' } };
}

/** What is known of a request. */
interface Sent {
  time?: number | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
  /** names of the answer */
  ids?: string[] | undefined;
}

export class Conversation {
  messages: Json[] = [];
  requests: Request[] = [];
  /** What else was paid. */
  beside: PaidAnswer[] = [];
  notes: string[] = [];
  skipped = 0;
  title: string | undefined;
  /** The model of the next request. */
  model: string | undefined;
  cwd: string | undefined;
  system: string | undefined;
  #from = 0;
  #compactions = 0;
  /** Names of tools by the id of a call. */
  #tools: Map<unknown, unknown> = new Map();
  #started: number | undefined;
  #ended: number | undefined;

  /** @param time of something that happened */
  at(time: number | undefined) {
    if (time === undefined) return;
    this.#started = Math.min(this.#started ?? time, time);
    this.#ended = Math.max(this.#ended ?? time, time);
  }

  /** Adds what was sent for the user, if it says anything. */
  user(content: Json[]) {
    if (content.length === 0) return;
    this.title ??= titleIn(content.find(({ type }) => type === 'text')?.text);
    this.messages.push({ role: 'user', content });
  }

  /**
   * Adds a request, and the reply to it.
   *
   * @param message undefined if it says nothing
   * @returns undefined if nothing was sent before
   */
  reply(message: Json | undefined, { time, model, usage, ids }: Sent = {}): Request | undefined {
    this.model = model ?? this.model;
    const paid = {
      ...(time !== undefined && { time }),
      ...(this.model && { model: this.model }),
      ...(usage && { usage }),
      ...(ids && { ids }),
    };
    const request: Request = { messages: this.messages.length, ...(this.#from > 0 && { from: this.#from }), ...paid };
    const isSent = this.messages.length > this.#from;
    if (isSent) this.requests.push(request);
    else if (usage) this.beside.push({ kind: 'lost', ...paid });
    if (message !== undefined) this.messages.push(message);
    return isSent ? request : undefined;
  }

  /** Adds a reply with parts of the AI SDK. */
  assistant(content: Json[], more?: Sent) {
    this.named(content);
    return this.reply(content.length > 0 ? { role: 'assistant', content } : undefined, more);
  }

  /** Learns the names of tools for the results of these calls. */
  named(content: Json[]) {
    for (const { type, toolCallId, toolName } of content) if (type === 'tool-call') this.#tools.set(toolCallId, toolName);
  }

  /**
   * Adds the result of a call.
   *
   * @param id of the call
   * @param result a text, or parts `{ type: 'text' }` and `{ type: 'media' }`
   */
  result(id: unknown, result: string | Json[], isError: boolean = false) {
    const toolCallId = String(id);
    const text = typeof result === 'string' ? result : result.length === 0 ? '' : result.length === 1 ? result[0].text : undefined;
    const output = text === undefined ? { type: 'content', value: result } : { type: isError ? 'error-text' : 'text', value: text };
    const part = { type: 'tool-result', toolCallId, toolName: String(this.#tools.get(toolCallId) ?? 'unknown'), output };
    const last = this.messages.at(-1);
    if (last?.role === 'tool' && this.messages.length > this.#from) last.content.push(part);
    else this.messages.push({ role: 'tool', content: [part] });
  }

  /** The agent replaced what was said by what follows. */
  compact() {
    this.#from = this.messages.length;
    this.#compactions++;
  }

  /**
   * @param more `format`: default that of the AI SDK
   * @returns nothing if there are no messages, and nothing was paid
   */
  *transcripts(
    agent: Agent,
    file: string,
    {
      id,
      format = 'ai-sdk-model',
      started = this.#started,
      ended = this.#ended,
    }: { id: string; format?: MessageFormat; started?: number | undefined; ended?: number | undefined },
  ): Generator<Transcript> {
    if (this.messages.length === 0 && this.beside.length === 0) return;
    const model = this.requests.findLast((request) => request.model)?.model ?? this.model;
    yield {
      agent,
      id,
      file,
      ...(this.title && { title: this.title }),
      ...(this.cwd && { cwd: this.cwd }),
      ...(model && { model }),
      ...(started !== undefined && { started }),
      ...(ended !== undefined && { ended }),
      format,
      messages: this.messages,
      requests: this.requests,
      ...(this.beside.length > 0 && { beside: this.beside }),
      ...(this.#from > 0 && { from: this.#from }),
      ...(this.system && { system: this.system }),
      skipped: this.skipped,
      notes: [...(this.#compactions > 0 ? [`${counted(this.#compactions, 'compaction')} by the agent`] : []), ...this.notes],
    };
  }
}

/**
 * A reader of lines that puts the conversations together once all lines are there.
 *
 * @param build `skipped`: number of lines that are no objects
 */
export const readerOfAll = (build: (file: string, lines: Json[], skipped: number) => Iterable<Transcript> | AsyncIterable<Transcript>) =>
  class {
    #file;
    #lines: Json[] = [];
    #skipped = 0;

    constructor(file: string) {
      this.#file = file;
    }

    /** @param value of a line */
    add(value: unknown) {
      if (isObject(value)) this.#lines.push(value);
      else this.#skipped++;
    }

    transcripts() {
      return build(this.#file, this.#lines, this.#skipped);
    }
  };

/** Entries without those that are there again, by their id. */
export function once(entries: Json[], key: string = 'id'): Json[] {
  const seen = new Set();
  return entries.filter((entry) => {
    const id = stringOf(entry[key]);
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/**
 * What a tree was written for last: an entry, or what continues it where lines are out of order.
 *
 * @param last the last entry of the file
 */
export function leafOf(entries: Json[], last: Json | undefined, parentOf: (entry: Json) => Json | undefined): Json | undefined {
  const children = new Map();
  for (const entry of entries) {
    const parent = parentOf(entry);
    if (parent !== undefined) children.set(parent, entry);
  }
  let leaf = last;
  const seen = new Set([last]);
  for (let child = children.get(last); child !== undefined; child = children.get(child)) {
    // It loops.
    if (seen.has(child)) return last;
    seen.add(child);
    leaf = child;
  }
  return leaf;
}

/**
 * The entries from the root of a tree to the one that was written last. A parent that isn't there is the entry before, so that nothing is lost.
 *
 * @param entries each once
 * @param last the last entry of the file
 */
export function pathTo(entries: Json[], last: Json | undefined, { id, parent }: { id: string; parent: string }): Json[] {
  const byId = new Map(entries.map((entry) => [entry[id], entry]));
  const before = new Map(entries.map((entry, index) => [entry, entries[index - 1]]));
  const path = new Set<Json>();
  for (let entry = leafOf(entries, last, (one) => byId.get(one[parent])); entry !== undefined && !path.has(entry); ) {
    path.add(entry);
    const found = byId.get(entry[parent]);
    entry = found === undefined || path.has(found) ? (entry[parent] === null ? undefined : before.get(entry)) : found;
  }
  return [...path].reverse();
}
