// @ts-check
// Puts a conversation together from what an agent recorded, in the messages of the AI SDK where the agent has a form of its own.
import { counted, isObject, stringOf, titleIn } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */
/** @typedef {import('../types.d.ts').TranscriptRequest} Request */

/** A text as a part. @param {unknown} text @returns {Json[]} none if it is empty */
export const textPart = (text) => (stringOf(text) ? [{ type: 'text', text }] : []);

/** What a model thought as a part. @param {unknown} text @returns {Json[]} none if it is empty */
export const thinkingPart = (text) => (stringOf(text) ? [{ type: 'reasoning', text }] : []);

/** A call as a part. @param {unknown} id @param {unknown} name @param {unknown} input an object, or its JSON @returns {Json} */
export function callPart(id, name, input) {
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

export class Conversation {
  /** @type {Json[]} */
  messages = [];
  /** @type {Request[]} */
  requests = [];
  /** @type {string[]} */
  notes = [];
  skipped = 0;
  /** @type {string | undefined} */
  title;
  /** The model of the next request. @type {string | undefined} */
  model;
  /** @type {string | undefined} */
  cwd;
  /** @type {string | undefined} */
  system;
  #from = 0;
  #compactions = 0;
  /** Names of tools by the id of a call. */
  #tools = new Map();
  /** @type {number | undefined} */
  #started;
  /** @type {number | undefined} */
  #ended;

  /** @param {number | undefined} time of something that happened */
  at(time) {
    if (time === undefined) return;
    this.#started = Math.min(this.#started ?? time, time);
    this.#ended = Math.max(this.#ended ?? time, time);
  }

  /** Adds what was sent for the user, if it says anything. @param {Json[]} content */
  user(content) {
    if (content.length === 0) return;
    this.title ??= titleIn(content.find(({ type }) => type === 'text')?.text);
    this.messages.push({ role: 'user', content });
  }

  /**
   * Adds a request, and the reply to it.
   *
   * @param {Json | undefined} message undefined if it says nothing
   * @param {{ time?: number, model?: string, usage?: import('../types.d.ts').Usage }} [more]
   * @returns {Request | undefined} undefined if nothing was sent before
   */
  reply(message, { time, model, usage } = {}) {
    this.model = model ?? this.model;
    /** @type {Request} */
    const request = {
      messages: this.messages.length,
      ...(this.#from > 0 && { from: this.#from }),
      ...(time !== undefined && { time }),
      ...(this.model && { model: this.model }),
      ...(usage && { usage }),
    };
    const isSent = this.messages.length > this.#from;
    if (isSent) this.requests.push(request);
    if (message !== undefined) this.messages.push(message);
    return isSent ? request : undefined;
  }

  /** Adds a reply with parts of the AI SDK. @param {Json[]} content @param {Parameters<Conversation['reply']>[1]} [more] */
  assistant(content, more) {
    this.named(content);
    return this.reply(content.length > 0 ? { role: 'assistant', content } : undefined, more);
  }

  /** Learns the names of tools for the results of these calls. @param {Json[]} content */
  named(content) {
    for (const { type, toolCallId, toolName } of content) if (type === 'tool-call') this.#tools.set(toolCallId, toolName);
  }

  /**
   * Adds the result of a call.
   *
   * @param {unknown} id of the call
   * @param {string | Json[]} result a text, or parts `{ type: 'text' }` and `{ type: 'media' }`
   * @param {boolean} [isError]
   */
  result(id, result, isError = false) {
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
   * @param {import('../types.d.ts').Agent} agent
   * @param {string} file
   * @param {{ id: string, format?: import('../types.d.ts').MessageFormat, started?: number, ended?: number }} more `format`: default that of the AI SDK
   * @returns {Generator<Transcript>} nothing if there are no messages
   */
  *transcripts(agent, file, { id, format = 'ai-sdk-model', started = this.#started, ended = this.#ended }) {
    if (this.messages.length === 0) return;
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
 * @param {(file: string, lines: Json[], skipped: number) => Iterable<Transcript> | AsyncIterable<Transcript>} build `skipped`: number of lines that
 *   are no objects
 */
export const readerOfAll = (build) =>
  class {
    #file;
    /** @type {Json[]} */
    #lines = [];
    #skipped = 0;

    /** @param {string} file */
    constructor(file) {
      this.#file = file;
    }

    /** @param {unknown} value of a line */
    add(value) {
      if (isObject(value)) this.#lines.push(value);
      else this.#skipped++;
    }

    transcripts() {
      return build(this.#file, this.#lines, this.#skipped);
    }
  };

/** Entries without those that are there again, by their id. @param {Json[]} entries @param {string} [key] @returns {Json[]} */
export function once(entries, key = 'id') {
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
 * @param {Json[]} entries
 * @param {Json | undefined} last the last entry of the file
 * @param {(entry: Json) => Json | undefined} parentOf
 * @returns {Json | undefined}
 */
export function leafOf(entries, last, parentOf) {
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
 * @param {Json[]} entries each once
 * @param {Json | undefined} last the last entry of the file
 * @param {{ id: string, parent: string }} keys
 * @returns {Json[]}
 */
export function pathTo(entries, last, { id, parent }) {
  const byId = new Map(entries.map((entry) => [entry[id], entry]));
  const before = new Map(entries.map((entry, index) => [entry, entries[index - 1]]));
  const path = new Set();
  for (let entry = leafOf(entries, last, (one) => byId.get(one[parent])); entry !== undefined && !path.has(entry); ) {
    path.add(entry);
    const found = byId.get(entry[parent]);
    entry = found === undefined || path.has(found) ? (entry[parent] === null ? undefined : before.get(entry)) : found;
  }
  return [...path].reverse();
}
