// Rows 8 and 9: calls that wait for a summarizer.
import { classifyMessage, compress } from '../../index.mjs';
import { sentences } from '../generate/prose.mjs';
import { Random } from '../generate/random.mjs';
import { median, medians } from '../measure.mjs';
import { targets } from '../targets.mjs';
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
