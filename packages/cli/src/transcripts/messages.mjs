// @ts-check
// Arrays of messages in any format of the library, alone or as the `messages` of an object; in JSON or JSONL.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { Unreadable } from './unreadable.mjs';
import { isObject, parsed, stringOf, timeOf } from './values.mjs';

/** @typedef {import('../types.d.ts').Transcript} Transcript */

const { prune } = createRequire(import.meta.url)('palimpsest');

/** Roles and types of what a model wrote. */
const REPLIES = new Set(['assistant', 'model', 'ai']);
const REPLY_TYPES = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'reasoning', 'web_search_call', 'computer_call']);

/** @param {any} message */
export const isReply = (message) => REPLIES.has(message.role) || (message.role === undefined && REPLY_TYPES.has(message.type));

/**
 * Returns the requests of a conversation that recorded none: each reply of the model answers one with all messages before it.
 *
 * @param {object[]} messages
 * @returns {import('../types.d.ts').TranscriptRequest[]}
 */
export function requestsOf(messages) {
  /** @type {import('../types.d.ts').TranscriptRequest[]} */
  const requests = [];
  messages.forEach((message, index) => {
    if (index > 0 && isReply(message) && !isReply(messages[index - 1])) requests.push({ messages: index });
  });
  return requests;
}

/**
 * Returns the tokens of the reply to a request.
 *
 * @param {Pick<Transcript, 'messages' | 'requests'>} transcript
 * @param {number} index of the request
 * @param {(message: object, index: number) => number} tokensOf
 */
export function replyTokens({ messages, requests }, index, tokensOf) {
  const next = requests[index + 1]?.messages ?? messages.length;
  let tokens = 0;
  for (let at = requests[index].messages; at < next && isReply(messages[at]); at++) tokens += tokensOf(messages[at], at);
  return tokens;
}

/** @param {unknown} value */
export const isMessage = (value) =>
  isObject(value) &&
  (typeof value.role === 'string' || Object.hasOwn(value, 'content') || (typeof value.type === 'string' && !isObject(value.payload)));

/** @param {unknown} value */
export const isConversation = (value) => isObject(value) && Array.isArray(value.messages ?? value.input ?? value.contents);

/** @param {object[]} messages @returns {import('../types.d.ts').MessageFormat} */
function formatOf(messages) {
  try {
    return prune(messages, { format: 'auto', keep: { recent: Number.POSITIVE_INFINITY } }).format;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Unreadable('its messages have no format of the library, or several');
  }
}

/**
 * @param {string} file
 * @param {unknown[]} conversations each an array of messages, or an object with it
 * @returns {Generator<Transcript>}
 * @throws {Unreadable} a value is no conversation
 */
export function* readConversations(file, conversations) {
  for (const [index, value] of conversations.entries()) {
    const known = isObject(value) ? value : {};
    const list = Array.isArray(value) ? value : (known.messages ?? known.input ?? known.contents);
    const messages = /** @type {object[]} */ (list.filter(isMessage));
    if (messages.length === 0) {
      if (conversations.length === 1) throw new Unreadable('contains no messages');
      continue;
    }
    const name = conversations.length === 1 ? basename(file) : `${basename(file)} #${index + 1}`;
    yield {
      agent: 'messages',
      id: typeof known.id === 'number' ? String(known.id) : (stringOf(known.id) ?? name),
      file,
      title: stringOf(known.title) ?? stringOf(known.id) ?? name,
      ...(stringOf(known.model) && { model: known.model }),
      ...(timeOf(known.created) && { started: timeOf(known.created) }),
      format: formatOf(messages),
      messages,
      requests: requestsOf(messages),
      ...(stringOf(known.system) && { system: known.system }),
      skipped: list.length - messages.length,
      notes: [],
    };
  }
}

/** Reads a file with messages or conversations, one a line. */
export class MessagesReader {
  #file;
  /** @type {object[]} */
  #messages = [];
  /** @type {unknown[]} */
  #conversations = [];
  #skipped = 0;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {string} text */
  add(text) {
    const value = parsed(text);
    if (isConversation(value)) this.#conversations.push(value);
    else if (isMessage(value)) this.#messages.push(/** @type {object} */ (value));
    else this.#skipped++;
  }

  /** The conversations in the lines so far. @returns {Generator<Transcript>} @throws {Unreadable} there are none */
  *transcripts() {
    const all = [...this.#conversations, ...(this.#messages.length > 0 ? [this.#messages] : [])];
    if (all.length === 0) throw new Unreadable('contains no messages');
    let skipped = this.#skipped;
    for (const transcript of readConversations(this.#file, all)) {
      yield { ...transcript, skipped: transcript.skipped + skipped };
      skipped = 0;
    }
  }
}
