// Rows 8, 9, 18 and 19: calls that wait for a summarizer, and fitting off the event loop.
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { classifyMessage, compress, countTokens } from '../../index.mjs';
import { agentSession } from '../generate.mjs';
import { sentences } from '../generate/prose.mjs';
import { Random } from '../generate/random.mjs';
import { median, medians } from '../measure.mjs';
import { targets } from '../targets.mjs';
import { tenMegabytes } from './speed.mjs';

const require = createRequire(import.meta.url);
const { takeUp, takingUp } = require('../../lib/fit/earlier.js');
const { Fitting } = require('../../lib/fit/fitting.js');
const { withPauses } = require('../../lib/steps.js');

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

export async function eventLoop() {
  const messages = tenMegabytes();
  const [stringify] = medians([() => JSON.stringify(messages)]);
  const holds = [];
  for (let run = 0; run < 5; run++) holds.push(await longestHold(() => compress(messages, { summarizer: answer })));
  const value = median(holds);
  const workload = 'event loop held, 10 MB / 4,000';
  return [{ number: 8, workload, stringify, value, unit: 'ms', ratio: value / stringify, of: 'S', ...targets.eventLoop }];
}

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

export async function concurrency() {
  const messages = summarisable(CALLS);
  let calls = 0;
  const summarizer = () => {
    calls++;
    return new Promise((resolve) => setTimeout(resolve, CALL_TIME, 'A summary of it.'));
  };
  const start = performance.now();
  await compress(messages, { summarizer, concurrency: CONCURRENCY, recencyWindow: 0 });
  const value = performance.now() - start;
  const ideal = (calls * CALL_TIME) / CONCURRENCY;
  const workload = `${calls} summariser calls of ${CALL_TIME} ms, ${CONCURRENCY} at once`;
  return [{ number: 9, workload, value, unit: 'ms', ratio: value / ideal, of: `${ideal} ms`, ...targets.concurrency }];
}

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

/**
 * Fitting 400,000 tokens into half of them off the event loop: how long the loop is held, and how long all of it takes beside
 * the same in one go. The best of several runs, because whatever else the machine does is a delay too.
 */
export async function fittingAside() {
  const messages = agentSession(1, 1000, 1_240_000).map(({ id, index, ...message }) => message);
  const options = { budget: Math.floor(countTokens(messages) / 2) };
  const inOneGo = () => {
    const fitting = new Fitting(takeUp(messages, options), options);
    fitting.search(options.budget);
    fitting.close();
  };
  const aside = async () => {
    const fitting = await Fitting.open(await withPauses(takingUp(messages, options)), options);
    await fitting.searchAsync(options.budget);
    fitting.close();
  };
  const times = { inOneGo: [], aside: [] };
  const delays = [];
  for (let run = 0; run < 15; run++) {
    for (const [name, fit] of Object.entries({ inOneGo, aside })) {
      const start = performance.now();
      await fit();
      times[name].push(performance.now() - start);
    }
    delays.push(await longestDelay(aside));
  }
  const [hold, one, value] = [delays, times.inOneGo, times.aside].map((all) => Math.min(...all));
  const workload = '400,000 tokens, half kept';
  return [
    {
      number: 18,
      workload: `event loop held, fit aside, ${workload}`,
      value: hold,
      unit: 'ms',
      ratio: hold / HOLD,
      of: `${HOLD} ms`,
      ...targets.fitHold,
    },
    {
      number: 19,
      workload: `fit aside, ${workload}`,
      value,
      unit: 'ms',
      ratio: value / one,
      of: `fit, ${one.toFixed(0)} ms`,
      ...targets.fitAside,
    },
  ];
}
