import { isObject, mismatch } from '../checks.js';

type Part = { text?: unknown };

/** What is made of a request that is no list of messages, and is read back of it. */
interface Content {
  content?: unknown;
  parts: Part[];
}

/** The messages of a request as a list, and how a list is put back in the same shape. */
export interface Listed {
  messages: object[];
  put(messages: object[]): unknown;
}

/**
 * Lists the messages of a request. A text, or Gemini's parts without a `Content` around them, are one message of the user.
 *
 * @param at name of the value in errors
 * @throws {TypeError} it is none of these
 */
export function listMessages(value: unknown, format: string, at: string): Listed {
  if (format === 'gemini') return listContents(value, at);
  if (Array.isArray(value)) return { messages: value, put: (messages) => messages };
  const takesText = format === 'openai-responses';
  if (!takesText || typeof value !== 'string') throw mismatch(at, takesText ? 'a string or an array of items' : 'an array', value);
  return { messages: [{ role: 'user', content: value }], put: ([message]) => (message as Content).content };
}

function listContents(value: unknown, at: string) {
  if (Array.isArray(value) && value.every(isContent)) return { messages: value, put: (messages: Content[]) => messages };
  if (isContent(value)) return { messages: [value], put: (messages: Content[]) => messages[0] };
  if (typeof value === 'string') return { messages: ofParts([{ text: value }]), put: (messages: Content[]) => messages[0].parts[0].text };
  if (!Array.isArray(value)) return { messages: ofParts([partOf(value, at)]), put: (messages: Content[]) => messages[0].parts[0] };
  // Unlike `map`, this visits holes.
  const parts = Array.from(value as unknown[], (part, index) => partOf(part, `${at}[${index}]`));
  const given = new Map<unknown, unknown>(parts.map((part, index) => [part, value[index]]));
  return {
    messages: ofParts(parts),
    put: (messages: Content[]) => messages[0].parts.map((part) => given.get(part) ?? part),
  };
}

const ofParts = (parts: Part[]) => [{ role: 'user', parts }];

function partOf(value: unknown, at: string) {
  if (typeof value === 'string') return { text: value };
  if (!isObject(value) || isContent(value)) throw mismatch(at, 'a string or a part', value);
  return value;
}

const isContent = (value: unknown): value is Content => isObject(value) && (value.parts !== undefined || value.role !== undefined);
