import { isObject, mismatch } from './checks.js';
import { note } from './given.js';

/** A message of the caller, with whatever fields it has. */
export interface Message {
  id?: unknown;
  role?: unknown;
  content?: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
  metadata?: { _cce_original?: Provenance | null; [name: string]: unknown } | null;
  [name: string]: unknown;
}
/** What a message stands for; as the caller stored it, so that anything may be in it. */
export interface Provenance {
  ids?: unknown;
  summary_id?: unknown;
}

/** Returns a message's content if that is a string, else an empty text: parts, `null` and `undefined` have none. */
export const textOf = (message: { content?: unknown }): string => (typeof message.content === 'string' ? message.content : '');

/** Returns an id as a text, or undefined if it can't become one, such as an object without a prototype. */
export function nameOf(id: unknown): string | undefined {
  if (typeof id === 'string') return id;
  try {
    return String(id);
  } catch {
    return undefined;
  }
}

/** A second line for a message without an id, if it is a provider's. */
function withoutId(message: unknown) {
  const isForeign = isObject(message) && !('index' in message) && ['role', 'type', 'parts', 'getType'].some((name) => name in message);
  if (isForeign) return "\nFor messages of a provider, which have no ids, pass options.format: 'auto'.";
  return Array.isArray(message) ? '' : note(message, 'message');
}

/**
 * Checks that every message is an object with an id.
 *
 * @param caller the function named in errors
 * @throws {TypeError}
 */
export function checkMessages(messages: unknown, caller: string): asserts messages is Message[] {
  if (!Array.isArray(messages)) throw new TypeError(`${caller}(): messages must be an array${note(messages, 'messages')}`);
  for (let index = 0; index < messages.length; index++) {
    const message: Message | null = messages[index];
    if (message === null || typeof message !== 'object') {
      throw new TypeError(`${caller}(): messages[${index}] must be an object`);
    }
    if (message.id === null || message.id === undefined) {
      throw new TypeError(`${caller}(): messages[${index}] is missing required field "id"${withoutId(message)}`);
    }
    if (nameOf(message.id) === undefined) throw mismatch(`${caller}(): messages[${index}].id`, 'a string', message.id);
  }
}
