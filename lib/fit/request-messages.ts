import { mismatch } from '../checks.js';
import { isObject } from '../providers/shared/reader.js';
import type { Foreign } from '../types.js';

/** The messages of a request as a list, and how a list is put back in the same shape. */
export interface Listed {
  messages: Foreign[];
  put: (messages: Foreign[]) => Foreign;
}

/**
 * Lists the messages of a request. A text, or Gemini's parts without a `Content` around them, are one message of the user.
 *
 * @param at name of the value in errors
 * @throws {TypeError} it is none of these
 */
export function listMessages(value: Foreign, format: string, at: string): Listed {
  if (format === 'gemini') return listContents(value, at);
  if (Array.isArray(value)) return { messages: value, put: (messages) => messages };
  const takesText = format === 'openai-responses';
  if (!takesText || typeof value !== 'string') throw mismatch(at, takesText ? 'a string or an array of items' : 'an array', value);
  return { messages: [{ role: 'user', content: value }], put: (messages) => messages[0].content };
}

function listContents(value: Foreign, at: string) {
  if (Array.isArray(value) && value.every(isContent)) return { messages: value, put: (messages: readonly Foreign[]) => messages };
  if (isContent(value)) return { messages: [value], put: (messages: readonly Foreign[]) => messages[0] };
  if (typeof value === 'string')
    return { messages: ofParts([{ text: value }]), put: (messages: readonly Foreign[]) => messages[0].parts[0].text };
  if (!Array.isArray(value)) return { messages: ofParts([partOf(value, at)]), put: (messages: readonly Foreign[]) => messages[0].parts[0] };
  // Unlike `map`, this visits holes.
  const parts = Array.from(value, (part, index) => partOf(part, `${at}[${index}]`));
  const given = new Map(parts.map((part, index) => [part, value[index]]));
  return {
    messages: ofParts(parts),
    put: (messages: readonly Foreign[]) => messages[0].parts.map((part: Foreign) => given.get(part) ?? part),
  };
}

const ofParts = (parts: readonly Foreign[]) => [{ role: 'user', parts }];

function partOf(value: Foreign, at: string) {
  if (typeof value === 'string') return { text: value };
  if (!isObject(value) || isContent(value)) throw mismatch(at, 'a string or a part', value);
  return value;
}

const isContent = (value: Foreign) => isObject(value) && (value.parts !== undefined || value.role !== undefined);
