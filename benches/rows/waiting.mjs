// Rows 8, 9, 19 and 25: calls that wait for a summarizer, and an epoch of a session off the event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { countTokens } from 'palimpsest';
import { classifyMessage } from 'palimpsest/compress';
import { sentences } from '../generate/prose.mjs';
import { Random } from '../generate/random.mjs';
import { medians } from '../measure.mjs';
import { sampled } from '../row.mjs';
import { targets } from '../targets.mjs';
import { history, open } from './requests.mjs';
import { tenMegabytes } from './speed.mjs';

/** Settles with the event loop's next turn, as an answer from a network does. */
const answer = () => new Promise((resolve) => setImmediate(resolve, 'A summary of it.'));

/** The longest time (ms) between two turns of the event loop until `start()` settles. */
async function longestHold(start) {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await start();
  isOver = true;
  tick();
  return longest;
}

const eventLoop = sampled({
  number: 8,
  workload: 'event loop held, 10 MB / 4,000',
  unit: 'ms',
  runs: 5,
  sampler: ({ palimpsest: { compress } }) => {
    const messages = tenMegabytes();
    return () => longestHold(() => compress(messages, { summarizer: answer }));
  },
  beside: () => {
    const messages = tenMegabytes();
    return async () => (await medians([() => JSON.stringify(messages)], { seconds: 0.2 }))[0];
  },
  judge: ({ value, base: stringify }) => ({ ratio: value / stringify, of: 'S' }),
  target: targets.eventLoop,
});

const CALLS = 245;
const CALL_TIME = 5;
const CONCURRENCY = 4;

/** Messages that each need a summary of their own: prose without a reason to be kept, by speakers in turns. */
function summarisable(count) {
  const random = new Random(11);
  const messages = [];
  while (messages.length < count) {
    const content = sentences(random, 12, 0);
    const index = messages.length;
    const role = index % 2 === 0 ? 'user' : 'assistant';
    if (classifyMessage(content).decision !== 'T0') messages.push({ id: `m${index}`, index, role, content });
  }
  return messages;
}

const IDEAL = (CALLS * CALL_TIME) / CONCURRENCY;
const concurrency = sampled({
  number: 9,
  workload: `${CALLS} summariser calls of ${CALL_TIME} ms, ${CONCURRENCY} at once`,
  unit: 'ms',
  runs: 3,
  sampler: ({ palimpsest: { compress } }) => {
    const messages = summarisable(CALLS);
    return async () => {
      let calls = 0;
      const summarizer = () => {
        calls++;
        return new Promise((resolve) => setTimeout(resolve, CALL_TIME, 'A summary of it.'));
      };
      const start = performance.now();
      await compress(messages, { summarizer, concurrency: CONCURRENCY, recencyWindow: 0 });
      if (calls !== CALLS) throw new Error(`The summarizer was called ${calls} times instead of ${CALLS}`);
      return performance.now() - start;
    };
  },
  judge: ({ value }) => ({ ratio: value / IDEAL, of: `${IDEAL} ms` }),
  target: targets.concurrency,
});

/** The longest that it should hold the event loop, in ms. */
const HOLD = 5;

/** How late (ms) the latest of the timers is that go off every millisecond until `start()` settles. */
async function longestDelay(start) {
  const resolution = 1;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  await start();
  delays.disable();
  return delays.max / 1e6 - resolution;
}
const durationOf = async (start) => {
  const from = performance.now();
  await start();
  return performance.now() - from;
};

const ASIDE = '400,000 tokens, half kept';
/** A session that has to drop half of a history at its first request. */
const halving = (palimpsest, messages) => open(palimpsest, countTokens(messages) - 1);
/** Everything else that the machine does is a delay too, so the best run counts. */
const best = (samples) => Math.min(...samples);
/** A sampler of the value that `measure` returns for a first request off the event loop. */
const asideBy =
  (measure) =>
  ({ palimpsest }) => {
    const messages = history();
    return () => {
      const session = halving(palimpsest, messages);
      return measure(() => session.nextAsync(messages));
    };
  };

const hold = sampled({
  number: 25,
  workload: `event loop held, session.nextAsync, ${ASIDE}`,
  unit: 'ms',
  runs: 15,
  pick: best,
  sampler: asideBy(longestDelay),
  judge: ({ value }) => ({ ratio: value / HOLD, of: `${HOLD} ms` }),
  target: targets.fitHold,
});
const aside = sampled({
  number: 19,
  workload: `session.nextAsync, ${ASIDE}`,
  unit: 'ms',
  runs: 15,
  pick: best,
  sampler: asideBy(durationOf),
  beside: ({ palimpsest }) => {
    const messages = history();
    return () => {
      const session = halving(palimpsest, messages);
      return durationOf(() => session.next(messages));
    };
  },
  judge: ({ value, base: next }) => ({ ratio: value / next, of: `session.next, ${next.toFixed(0)} ms` }),
  target: targets.fitAside,
});

export const waitingRows = [eventLoop, concurrency, hold, aside];
