// Strict alternation, as Mistral's API and many chat templates want it: the user and the assistant take turns, results stand between an assistant's
// calls and what it says next, and instructions stand outside of that.

import { copyOf } from './copy.js';
import type { Foreign, Placement, Role } from '../../types.js';

/** Any message, as far as it is a role and its content. */
interface Message {
  role?: unknown;
  content?: unknown;
  tool_calls?: unknown;
}

/** Members of messages that may be joined: any other one, such as a name, may be that of one of them alone. */
const JOINED = new Set(['role', 'content', 'tool_calls']);

/**
 * Creates the placement of a format whose messages have roles.
 *
 * @param roleOf undefined for a message of an unknown role, which is left alone
 * @param marked writes a message with a text and nothing else in the place of another
 */
export function alternation(
  roleOf: (message: Foreign) => Role | undefined,
  marked: (message: Foreign, text: string) => Foreign,
): Pick<Placement, 'follows' | 'marked'> {
  return {
    follows(before: unknown, message: unknown) {
      const role = roleOf(message);
      const last = before === undefined ? undefined : roleOf(before);
      if (role === 'user') return last !== 'user' && last !== 'tool';
      return role !== 'assistant' || (before !== undefined && last !== 'assistant');
    },
    marked(message: unknown, text) {
      const role = roleOf(message);
      return role === 'user' || role === 'assistant' ? marked(message, text) : undefined;
    },
  };
}

/** Joins messages that are a role and its content. */
export const joining: Pick<Placement, 'turn' | 'join'> = {
  turn(message: Message) {
    const { role } = message;
    const isPlain = (role === 'user' || role === 'assistant') && Object.keys(message).every((key) => JOINED.has(key));
    return isPlain ? role : message;
  },
  join(messages: Message[]) {
    const copy = copyOf(messages[0]);
    const contents = messages
      .map(({ content }) => content)
      .filter((content) => content !== undefined && content !== null && content !== '');
    const areTexts = contents.every((content) => typeof content === 'string');
    // Some templates take no parts.
    if (contents.length > 0) copy.content = areTexts ? contents.join('\n\n') : contents.flatMap(partsOf);
    const calls = messages.flatMap(({ tool_calls: own }): unknown => own ?? []);
    if (calls.length > 0) copy.tool_calls = calls;
    return copy;
  },
};

const partsOf = (content: unknown): unknown => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
