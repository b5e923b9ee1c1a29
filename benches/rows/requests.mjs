// Rows 20 to 22 and 30: the requests of a session, at 400,000 tokens of history.
import { STRINGIFY, sampled, timed } from '../row.mjs';
import { targets } from '../targets.mjs';
import { session } from '../generate.mjs';

const MESSAGES = 1000;
const LIMIT = 100_000;
export const history = () => session(1, MESSAGES, 1_240_000);
export const open = ({ createSession }, limit) => createSession({ limit, format: 'openai-chat', now: () => 0 });

/** Asks for the last requests of a history, one step after the other and all over again; they have no epoch between them. */
function appending(palimpsest, messages) {
  const session = open(palimpsest, LIMIT);
  session.next(messages.slice(0, -20));
  let length = messages.length - 20;
  return () => {
    length = length === messages.length ? messages.length - 20 : length + 1;
    return session.next(messages.slice(0, length));
  };
}

/** A step that only appends. */
const step = timed({
  number: 20,
  workload: 'session.next, appended to 400,000 tokens',
  input: history,
  task: appending,
  beside: { of: '', task: (palimpsest, messages) => appending(palimpsest, messages.slice(0, MESSAGES / 4)) },
  bytes: null,
  judge: ({ value, base: small }) => ({ ratio: value, of: `1 ms (at 100,000 tokens: ${small.toFixed(2)} ms)` }),
  target: targets.step,
});

/** A step with objects that are all fresh and equal to those before. */
const freshStep = timed({
  number: 21,
  workload: 'session.next, the same as fresh objects',
  input: history,
  task: (palimpsest, messages) => {
    const session = open(palimpsest, LIMIT);
    session.next(messages);
    const copies = Array.from({ length: 40 }, () => structuredClone(messages));
    let next = 0;
    return () => session.next(copies[next++ % copies.length]);
  },
  beside: STRINGIFY,
  bytes: null,
  target: targets.freshStep,
});

const timeOf = (task) => {
  const start = performance.now();
  task();
  return performance.now() - start;
};
const EPOCH_LIMIT = 60_000;
const EPOCHS = 7;

/** An epoch of a session that knows all but the latest messages. */
function epochs({ palimpsest }) {
  const messages = history();
  return () => {
    const session = open(palimpsest, EPOCH_LIMIT);
    session.next(messages.slice(0, -120));
    return timeOf(() => session.next(messages));
  };
}

/** Beside `fit` to the same target. */
const epoch = sampled({
  number: 22,
  workload: 'session.next, an epoch over 400,000 tokens',
  unit: 'ms',
  runs: EPOCHS,
  sampler: epochs,
  beside: ({ palimpsest: { fit } }) => {
    const messages = history();
    return () => timeOf(() => fit(messages, { limit: EPOCH_LIMIT / 2, format: 'openai-chat' }));
  },
  judge: ({ value, base: fit }) => ({ ratio: value / fit, of: `fit, ${fit.toFixed(0)} ms` }),
  target: targets.epoch,
});

/** By itself. */
export const epochTime = sampled({
  number: 30,
  workload: 'time of an epoch over 400,000 tokens',
  unit: 'ms',
  runs: EPOCHS,
  sampler: epochs,
  judge: ({ value }) => ({ ratio: value, of: 'ms' }),
  target: targets.epochTime,
});

export const requestRows = () => [step, freshStep, epoch];
