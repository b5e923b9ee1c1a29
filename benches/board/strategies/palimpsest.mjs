// This package: one call, a session, and the drop-in.
import { createRequire } from 'node:module';
import { clean } from './messages.mjs';

const { createSession, fit } = createRequire(import.meta.url)('palimpsest');
const { compress } = createRequire(import.meta.url)('palimpsest/compress');

export const FORMAT = 'openai-chat';

/** Where the model is asked: before each of its messages. */
export const stepsOf = (messages) =>
  messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 && messages[index - 1].role !== 'assistant' ? [index] : []));

/** A session that is given the history in each step. */
export function started(limit, { front = 0, ...cache } = {}) {
  const before = front > 0 ? { system: ' a'.repeat(front), cache } : {};
  const session = createSession({ limit: limit + front, format: FORMAT, now: () => 0, warn: false, ...before });
  return (history) => session.next(history).messages;
}

export const SESSION = '`createSession`';
export const OURS = [
  {
    name: '`fit`',
    cut(messages, { limit, state = {} }) {
      const fitted = fit(messages, { limit, format: FORMAT, originals: state.originals ?? {} });
      state.originals = fitted.originals;
      return fitted.messages;
    },
  },
  {
    name: SESSION,
    // From the first request to the one after these messages.
    cut(messages, { limit }) {
      const next = started(limit);
      const requests = [...stepsOf(messages), messages.length].map((step) => next(messages.slice(0, step)));
      return requests.at(-1);
    },
  },
  {
    name: '`compress`, the drop-in',
    cut(messages, { limit, tokensOf }) {
      const given = messages.map((message, index) => ({ id: `m${index}`, index, ...message }));
      const tokenCounter = (message) => tokensOf(clean(message));
      return compress(given, { tokenBudget: limit, tokenCounter, forceConverge: true }).messages.map(clean);
    },
  },
];
