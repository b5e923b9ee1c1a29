// What frameworks keep in messages beside what is sent.
import type { Bookkeeping, Unsent } from '../provider.js';
import type { Fields } from './shapes.js';

const always: Unsent = () => true;

/** Parts of which neither a provider nor an SDK sends the metadata. Of files it may have the name. */
const PLAIN_PARTS = new Set<unknown>([
  'text',
  'input_text',
  'output_text',
  'thinking',
  'redacted_thinking',
  'reasoning',
  'tool_use',
  'tool_result',
  'tool-call',
  'tool-result',
]);
const isOfPlainPart: Unsent = (_, { type }: Fields) => PLAIN_PARTS.has(type);

/** Members that no API has in a message or part, and that no SDK sends. */
export const ANYWHERE: Bookkeeping = {
  message: {
    createdAt: always,
    created_at: always,
    updatedAt: always,
    updated_at: always,
    timestamp: always,
    metadata: always,
    usage: always,
  },
  part: { createdAt: always, metadata: isOfPlainPart },
};

/** Parts of items of the Responses API and of the Agents SDK. */
const ITEM_PART = /^(?:input|output)_/;

/**
 * The id of a message with a role and a content alone: APIs with such messages have none. Items of the Responses API and of the Agents SDK do; they
 * may lack a type.
 */
export const isPlainId: Unsent = (id: unknown, { type, role, status, content, parts }: Fields) =>
  parts === undefined &&
  typeof role === 'string' &&
  type === undefined &&
  status === undefined &&
  !(typeof id === 'string' && id.startsWith('msg_')) &&
  !(Array.isArray(content) && content.some((part: { type?: string } | null) => ITEM_PART.test(part?.type ?? '')));
