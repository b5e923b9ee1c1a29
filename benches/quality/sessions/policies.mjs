// Ways to keep a session in its window. Each is started once for a track, and is then given the messages that came since the last
// request; it says what to send, and what a call of its own for a summary takes.
import { createRequire } from 'node:module';
import { FORMAT } from './reading.mjs';

const palimpsest = createRequire(import.meta.url)('palimpsest');

/** Stands for a summary: as long as one, and without anything of the conversation. */
const SUMMARY = `Summary of the conversation so far. ${'Work went on as planned and nothing more needs to be said here. '.repeat(115)}`;
const SUMMARY_TOKENS = 1500;
/** The share of the limit that is left to the newest messages beside a summary. */
const BESIDE_SUMMARY = 0.2;

const isResult = ({ role, content }) => role === 'tool' || (Array.isArray(content) && content.some(({ type }) => type === 'tool_result'));

/** The newest messages that fit, from where no result has lost its call. */
function newest(messages, budget, tokensOf) {
  let left = budget;
  let from = messages.length;
  while (from > 0 && tokensOf(messages[from - 1]) <= left) left -= tokensOf(messages[--from]);
  while (from < messages.length && isResult(messages[from])) from++;
  return messages.slice(from);
}

/** A policy that sends everything until it is over the limit. `cut` returns the rest, and the summary. */
const atLimit = (cut) => (context) => {
  let sent = [];
  return {
    next(fresh) {
      sent = [...sent, ...fresh];
      if (context.sum(sent) <= context.limit) return { messages: sent };
      const { messages, summary } = cut(sent, context);
      sent = messages;
      return { messages, summary };
    },
  };
};

/** Cuts nothing, as if there was no limit. */
export const everything = () => {
  const sent = [];
  return {
    next(fresh) {
      sent.push(...fresh);
      return { messages: sent };
    },
  };
};

const isInstruction = ({ role }) => role === 'system';

/** Trims to the instructions and the newest messages, down to a share of the limit. */
export const trimming = (share) =>
  atLimit((sent, { limit, tokensOf, sum }) => {
    const instructions = sent.filter(isInstruction);
    const others = sent.filter((message) => !isInstruction(message));
    return { messages: [...instructions, ...newest(others, share * limit - sum(instructions), tokensOf)] };
  });

/** A summary, followed by the newest messages. */
export const summing = atLimit((sent, { limit, tokensOf, sum }) => ({
  messages: [{ role: 'user', content: SUMMARY }, ...newest(sent, BESIDE_SUMMARY * limit, tokensOf)],
  summary: { input: sum(sent), output: SUMMARY_TOKENS },
}));

/** `fit` for every request that would be over the limit, with the originals of the last one. */
export const fitting = (context) => {
  let originals = {};
  return atLimit((sent, { limit, format }) => {
    const fitted = palimpsest.fit(sent, { limit, margin: 0, format, originals });
    originals = fitted.originals;
    return { messages: fitted.messages };
  })(context);
};

/** `createSession`, with the clock of the recording and all that was ever said. */
export const session =
  (options = {}) =>
  ({ limit, fixed = 0, format = FORMAT, prices: { write, read, ttl }, now }) => {
    const history = [];
    const started = palimpsest.createSession({
      limit: limit + fixed,
      ...(fixed > 0 ? { system: ' a'.repeat(fixed) } : {}),
      format,
      cache: { write, read, ttl },
      now,
      ...options,
    });
    return {
      next(fresh) {
        history.push(...fresh);
        return { messages: started.next(history).messages };
      },
      get report() {
        return started.report;
      },
    };
  };
