// Arrays of messages in any format of the library, alone or as the `messages` of an object; in JSON or JSONL.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { Unreadable } from './unreadable.mjs';
import { isObject, stringOf, timeOf } from './values.mjs';
import type { MessageFormat, Transcript, TranscriptRequest } from '../types.mjs';

const require = createRequire(import.meta.url);
const { prune } = require('palimpsest') as typeof import('palimpsest');

/** Loaded for the first message: the help needs nothing of it. */
let internal: typeof import('palimpsest/internal') | undefined;

/** Whether a model wrote a message. */
export function isReply(message: object) {
  internal ??= require('palimpsest/internal') as typeof import('palimpsest/internal');
  return internal.isAnswer(message);
}

/** Returns the requests of a conversation that recorded none: each reply of the model answers one with all messages before it. */
export function requestsOf(messages: object[]): TranscriptRequest[] {
  const requests: TranscriptRequest[] = [];
  messages.forEach((message, index) => {
    if (index > 0 && isReply(message) && !isReply(messages[index - 1])) requests.push({ messages: index });
  });
  return requests;
}

/**
 * The end of the reply to a request, which begins at the request's end.
 *
 * @param index of the request
 */
export function replyEnd({ messages, requests }: Pick<Transcript, 'messages' | 'requests'>, index: number) {
  const next = requests[index + 1]?.messages ?? messages.length;
  let at = requests[index].messages;
  while (at < next && isReply(messages[at])) at++;
  return at;
}

/**
 * Returns the tokens of the reply to a request.
 *
 * @param index of the request
 */
export function replyTokens(
  transcript: Pick<Transcript, 'messages' | 'requests'>,
  index: number,
  tokensOf: (message: object, index: number) => number,
) {
  const end = replyEnd(transcript, index);
  let tokens = 0;
  for (let at = transcript.requests[index].messages; at < end; at++) tokens += tokensOf(transcript.messages[at], at);
  return tokens;
}

/** Types of messages without a role: items of OpenAI's, and messages of LangChain's. */
const TYPES =
  /^(?:message|reasoning|compaction|compaction_trigger|configuration_update|program|unknown|additional_tools|human|ai|system|developer|tool|function|chat|remove)$|_(?:call|output|result|reference|list_tools|approval_request|approval_response)$/;

export const isMessage = (value: unknown) =>
  isObject(value) &&
  (typeof value.role === 'string' || (typeof value.type === 'string' ? TYPES.test(value.type) : Object.hasOwn(value, 'content')));

/** Whether a value is of a kind that neither a format nor an agent has. */
export const isUnknownKind = (value: unknown) =>
  isObject(value) && typeof value.type === 'string' && !isMessage(value) && !isConversation(value);

/** Of a file with a value of an unknown kind. @param index of the value */
export const unknownKind = (index: number) => `message ${index + 1} has a type of no format, and no role: no transcript that is known`;

export const isConversation = (value: unknown) => isObject(value) && Array.isArray(value.messages ?? value.input ?? value.contents);

function formatOf(messages: object[]): MessageFormat {
  try {
    return prune(messages, { format: 'auto', keep: { recent: Number.POSITIVE_INFINITY } }).format as MessageFormat;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Unreadable('its messages have no format of the library, or several');
  }
}

/**
 * @param conversations each an array of messages, or an object with it
 * @throws {Unreadable} a value is no conversation
 */
export function* readConversations(file: string, conversations: unknown[]): Generator<Transcript> {
  for (const [index, value] of conversations.entries()) {
    const known = isObject(value) ? value : {};
    const list = Array.isArray(value) ? value : (known.messages ?? known.input ?? known.contents);
    const unknown = list.findIndex(isUnknownKind);
    if (unknown !== -1) throw new Unreadable(unknownKind(unknown));
    const messages = list.filter(isMessage) as object[];
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
  #messages: object[] = [];
  #conversations: unknown[] = [];
  #skipped = 0;
  /** Number of the first message of an unknown kind. */
  #unknown: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param value of a line */
  add(value: unknown) {
    if (isConversation(value)) this.#conversations.push(value);
    else if (isMessage(value)) this.#messages.push(value as object);
    else {
      if (isUnknownKind(value)) this.#unknown ??= this.#messages.length;
      this.#skipped++;
    }
  }

  /** The conversations in the lines so far. @throws {Unreadable} there are none */
  *transcripts(): Generator<Transcript> {
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
