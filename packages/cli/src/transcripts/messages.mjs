// @ts-check
// Arrays of messages in any format of the library, alone or as the `messages` of an object; in JSON or JSONL.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { Unreadable } from './unreadable.mjs';
import { isObject, stringOf, timeOf } from './values.mjs';

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
 * The end of the reply to a request, which begins at the request's end.
 *
 * @param {Pick<Transcript, 'messages' | 'requests'>} transcript
 * @param {number} index of the request
 */
export function replyEnd({ messages, requests }, index) {
  const next = requests[index + 1]?.messages ?? messages.length;
  let at = requests[index].messages;
  while (at < next && isReply(messages[at])) at++;
  return at;
}

/**
 * Returns the tokens of the reply to a request.
 *
 * @param {Pick<Transcript, 'messages' | 'requests'>} transcript
 * @param {number} index of the request
 * @param {(message: object, index: number) => number} tokensOf
 */
export function replyTokens(transcript, index, tokensOf) {
  const end = replyEnd(transcript, index);
  let tokens = 0;
  for (let at = transcript.requests[index].messages; at < end; at++) tokens += tokensOf(transcript.messages[at], at);
  return tokens;
}

/** Types of messages without a role: items of OpenAI's, and messages of LangChain's. */
const TYPES =
  /^(?:message|reasoning|compaction|compaction_trigger|configuration_update|program|unknown|additional_tools|human|ai|system|developer|tool|function|chat|remove)$|_(?:call|output|result|reference|list_tools|approval_request|approval_response)$/;

/** @param {unknown} value */
export const isMessage = (value) =>
  isObject(value) &&
  (typeof value.role === 'string' || (typeof value.type === 'string' ? TYPES.test(value.type) : Object.hasOwn(value, 'content')));

/** Whether a value is of a kind that neither a format nor an agent has. @param {unknown} value */
export const isUnknownKind = (value) => isObject(value) && typeof value.type === 'string' && !isMessage(value) && !isConversation(value);

/** Of a file with a value of an unknown kind. @param {number} index of the value */
export const unknownKind = (index) => `message ${index + 1} has a type of no format, and no role: no transcript that is known`;

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
    const unknown = list.findIndex(isUnknownKind);
    if (unknown !== -1) throw new Unreadable(unknownKind(unknown));
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
export class Reader {
  #file;
  /** @type {object[]} */
  #messages = [];
  /** @type {unknown[]} */
  #conversations = [];
  #skipped = 0;
  /** Number of the first message of an unknown kind. @type {number | undefined} */
  #unknown;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {unknown} value of a line */
  add(value) {
    if (isConversation(value)) this.#conversations.push(value);
    else if (isMessage(value)) this.#messages.push(/** @type {object} */ (value));
    else {
      if (isUnknownKind(value)) this.#unknown ??= this.#messages.length;
      this.#skipped++;
    }
  }

  /** The conversations in the lines so far. @returns {Generator<Transcript>} @throws {Unreadable} there are none */
  *transcripts() {
    if (this.#unknown !== undefined) throw new Unreadable(unknownKind(this.#unknown));
    const all = [...this.#conversations, ...(this.#messages.length > 0 ? [this.#messages] : [])];
    if (all.length === 0) throw new Unreadable('contains no messages');
    let skipped = this.#skipped;
    for (const transcript of readConversations(this.#file, all)) {
      yield { ...transcript, skipped: transcript.skipped + skipped };
      skipped = 0;
    }
  }
}
