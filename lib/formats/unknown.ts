import { types } from 'node:util';
import { whatIs } from '../given.js';
import { misplaced } from '../places.js';
import { shapeOf } from './shape.js';
import type { Foreign, Format } from '../types.js';

export const noObject = (message: Foreign, index: number) =>
  misplaced(`messages[${index}] must be an object, got ${whatIs(message, 'message')}`);

/**
 * The error for a message of no format, or of another one than those before it.
 *
 * @param formats all that there are
 */
export function unknownFormat(
  formats: readonly Pick<Format, 'name' | 'recognises'>[],
  message: Foreign,
  index: number,
  before: readonly Pick<Format, 'name' | 'recognises'>[],
  shows: Map<unknown, number>,
) {
  // No format recognises a promise.
  if (types.isPromise(message)) return noObject(message, index);
  const fits = formats.filter((format) => format.recognises(message) !== 'no').map(({ name }) => name);
  if (fits.length === 0) {
    const known = whatIs(message, 'message');
    return misplaced(
      `messages[${index}] ${known === 'object' ? `is of no known format: ${shapeOf(message)}` : `must be a message, got ${known}`}`,
    );
  }
  const known = before.filter((format) => shows.has(format));
  const names = (known.length > 0 ? known : before).map(({ name }) => name).join(' or ');
  return misplaced(`messages[${index}] is ${fits.join(' or ')}, but the messages before it are ${names}: ${shapeOf(message)}`);
}
