// An agent that works on numbered parts. Everything about a part names it, so that a test sees which parts are sent.
import { refusal } from '../session/judge.mjs';
import { say } from '../session/speak.mjs';

const lines = (part, count) =>
  Array.from(
    { length: count },
    (_, line) =>
      `part${part} line ${line}: the ${['claim', 'ledger', 'queue', 'shard'][line % 4]} of batch ${part * 1000 + line} waits for worker ${(part * 7 + line) % 89}`,
  ).join('\n');

/** The user asks about a part, the agent reads it and answers. */
export const exchange = (part, count = 30) => [
  { who: 'user', text: `Why does part${part} fail?`, more: [] },
  {
    who: 'assistant',
    reasoning: null,
    text: null,
    calls: [
      {
        id: `call_${part}`,
        name: 'Read',
        args: { file_path: `/work/part${part}.ts` },
        result: { blocks: lines(part, count), json: null, failed: false },
        answered: true,
      },
    ],
    odd: false,
  },
  {
    who: 'assistant',
    reasoning: null,
    text: `In part${part} the worker ${part} never waits for batch ${part * 1000}.`,
    calls: [],
    odd: false,
  },
];

/** Exchanges about the parts from `from` to `to`. */
export const working = (format, from, to, count) => {
  const parts = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return parts.flatMap((part) => say(format, exchange(part, count), part));
};

let asked = 1000;
/** A user's message. */
export const asks = (format, text) => say(format, [{ who: 'user', text, more: [] }], ++asked);

const isAgents = ({ role, type }) => role === 'assistant' || role === 'model' || type === 'ai' || type === 'function_call';

/** The histories that an agent passes: one before each of its messages, and the complete one. */
export const requestsOf = (history, from = 1) =>
  [...history.keys()]
    .filter((index) => index >= from && isAgents(history[index]))
    .map((index) => history.slice(0, index))
    .concat([history]);

/** A provider's objection to messages without signed thinking, or null. */
export const refused = (format, messages) => refusal(format, messages, [], { refusal: () => null });

export const says = (messages, text) => JSON.stringify(messages).includes(text);
