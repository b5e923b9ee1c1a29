import { isObject } from '../../checks.js';
import { types } from 'node:util';
import { whatIs } from '../../given.js';
import { misplaced } from '../../places.js';
import { shapeOf } from './shape.js';
import type { Fields } from './shapes.js';
import type { Format } from '../../types.js';

export const noObject = (message: unknown, index: number) =>
  misplaced(`messages[${index}] must be an object, got ${whatIs(message, 'message')}`);

/**
 * The error for a message of no format, or of another one than those before it.
 *
 * @param formats all that there are
 */
export function unknownFormat(
  formats: readonly Pick<Format, 'name' | 'recognises'>[],
  message: unknown,
  index: number,
  before: readonly Pick<Format, 'name' | 'recognises'>[],
  shows: Map<unknown, number>,
) {
  // No format recognises a promise.
  if (types.isPromise(message)) return noObject(message, index);
  const fits = formats.filter((format) => format.recognises(message) !== 'no').map(({ name }) => name);
  // A text with an id may be anybody's.
  if (fits.length === 0 || (fits[0] === 'ag-ui' && formats.every((format) => format.recognises(message) !== 'yes'))) {
    const known = whatIs(message, 'message');
    if (known !== 'object') return misplaced(`messages[${index}] must be a message, got ${known}`);
    return misplaced(`messages[${index}] is of no known format: ${shapeOf(message)}. Define a type of your own with defineFormat()`);
  }
  const known = before.filter((format) => shows.has(format));
  const names = (known.length > 0 ? known : before).map(({ name }) => name).join(' or ');
  return misplaced(`messages[${index}] is ${fits.join(' or ')}, but the messages before it are ${names}: ${shapeOf(message)}`);
}

/** Shapes in which messages are stored and which no format has, each with what to pass instead. */
const SHAPES: { what: string; remedy: string; fits: (message: Fields) => boolean }[] = [
  {
    what: "a row of a Claude Code transcript, or a message of Claude's Agent SDK",
    remedy: 'pass the `message` of each row of the types user and assistant',
    fits: ({ message, uuid, sessionId, session_id, leafUuid }) =>
      (isObject(message) && typeof message.role === 'string') ||
      leafUuid !== undefined ||
      (uuid !== undefined && (sessionId ?? session_id) !== undefined),
  },
  {
    what: 'a stored LangChain message',
    remedy: 'pass what mapStoredMessagesToChatMessages(messages) of @langchain/core/messages returns',
    fits: ({ data }) => isObject(data) && data.content !== undefined,
  },
  {
    what: 'a serialised LangChain message',
    remedy: 'pass what load(JSON.stringify(messages)) of @langchain/core/load returns',
    fits: ({ lc, kwargs }) => typeof lc === 'number' && isObject(kwargs),
  },
  {
    what: 'a LangChain message as JSON',
    remedy: 'pass messages.map(coerceMessageLikeToMessage), of @langchain/core/messages',
    fits: ({ type, content }) => LANGCHAIN_TYPES.has(type) && content !== undefined,
  },
];
const LANGCHAIN_TYPES = new Set<unknown>(['human', 'ai', 'system', 'developer', 'tool', 'function']);

/** Returns the error for a message in one of the shapes that no format has, or undefined. */
export function foreignShape(message: Fields, index: number) {
  // Each of them has a type and no role.
  if (message.role !== undefined || typeof message.type !== 'string' || typeof (message.getType ?? message._getType) === 'function')
    return undefined;
  const shape = SHAPES.find(({ fits }) => fits(message));
  return shape === undefined ? undefined : misplaced(`messages[${index}] is ${shape.what}: ${shape.remedy}`);
}
