// Rows 20 to 22: the requests of a session, at 400,000 tokens of history.
import { createSession, fit } from '../../index.mjs';
import { agentSession } from '../generate.mjs';
import { median, medians } from '../measure.mjs';
import { targets } from '../targets.mjs';

const MESSAGES = 1000;
const LIMIT = 100_000;
const history = () => agentSession(1, MESSAGES, 1_240_000).map(({ id, index, ...message }) => message);
const open = (limit = LIMIT) => createSession({ limit, format: 'openai-chat', now: () => 0 });

/** Asks for the last requests of a history, one step after the other and all over again; they have no epoch between them. */
function appending(messages) {
  const session = open();
  session.next(messages.slice(0, -20));
  let length = messages.length - 20;
  return () => {
    length = length === messages.length ? messages.length - 20 : length + 1;
    return session.next(messages.slice(0, length));
  };
}

/** A step that only appends, with the objects of the step before and with equal ones that are all fresh. */
function steps(timing) {
  const messages = history();
  const quarter = messages.slice(0, MESSAGES / 4);
  const session = open();
  session.next(messages);
  const copies = Array.from({ length: 40 }, () => structuredClone(messages));
  let next = 0;
  const fresh = () => session.next(copies[next++ % copies.length]);
  const [stringify, small, value, equal] = medians(
    [() => JSON.stringify(messages), appending(quarter), appending(messages), fresh],
    timing,
  );
  return [
    {
      number: 20,
      workload: `session.next, appended to 400,000 tokens (at 100,000: ${small.toFixed(2)} ms)`,
      stringify,
      value,
      unit: 'ms',
      ratio: value,
      of: '1 ms',
      ...targets.step,
    },
    {
      number: 21,
      workload: 'session.next, the same as fresh objects',
      stringify,
      value: equal,
      unit: 'ms',
      ratio: equal / stringify,
      of: 'S',
      ...targets.freshStep,
    },
  ];
}

const EPOCHS = 7;

/** An epoch of a session that knows all but the latest messages, beside `fit` to the same target. */
function epoch() {
  const messages = history();
  const limit = 60_000;
  const samples = { fit: [], epoch: [] };
  const time = (name, task) => {
    const start = performance.now();
    task();
    samples[name].push(performance.now() - start);
  };
  for (let run = 0; run < EPOCHS; run++) {
    const session = open(limit);
    session.next(messages.slice(0, -120));
    time('epoch', () => session.next(messages));
    time('fit', () => fit(messages, { budget: limit / 2, format: 'openai-chat' }));
  }
  const [one, value] = [median(samples.fit), median(samples.epoch)];
  return {
    number: 22,
    workload: 'session.next, an epoch over 400,000 tokens',
    value,
    unit: 'ms',
    ratio: value / one,
    of: `fit, ${one.toFixed(0)} ms`,
    ...targets.epoch,
  };
}

export const requestRows = (_, timing) => [...steps(timing), epoch()];
