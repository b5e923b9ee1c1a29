// Rows 32 to 35 and 37: what a server with many sessions sees. `npm run bench -- --only server` measures them alone.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { session } from '../generate.mjs';
import { sampled, timed } from '../row.mjs';
import { targets } from '../targets.mjs';
import { fresh } from './agent.mjs';
import { child, isLinux } from './process.mjs';
import { open } from './requests.mjs';

const LIMIT = 60_000;

/** A session from its first request to its last, with the cuts that its limit takes: 375 requests of 750 messages. */
const played = timed({
  number: 32,
  workload: 'server: a session, step by step to 1 MB',
  input: () => session(1, 750, 1_000_000),
  task: (palimpsest, given) => () => {
    const messages = fresh(given);
    const own = open(palimpsest, LIMIT);
    for (let length = 2; length <= messages.length; length += 2) own.next(messages.slice(0, length));
  },
  target: targets.played,
});

/** What sessions keep beside the messages, which a server holds anyway. */
const memory = sampled({
  number: 33,
  workload: 'server: memory of 200 sessions of 270 KB',
  unit: 'MB',
  runs: 1,
  isPossible: () => isLinux,
  sampler:
    ({ folder }) =>
    () =>
      child('server-memory.mjs', [folder]) / 1e6,
  judge: ({ value }) => ({ ratio: value, of: 'MB' }),
  target: targets.serverMemory,
});

/** What a session has that nobody used for a minute, and what its next step takes. */
const resting = (workload, what, unit, scale, target) =>
  sampled({
    number: 37,
    workload: `server: ${workload}`,
    unit,
    runs: what === 'step' ? 3 : 1,
    sampler:
      ({ folder }) =>
      () =>
        child('server-resting.mjs', [folder, what]) / scale,
    judge: ({ value }) => ({ ratio: value, of: unit }),
    target,
  });

/** How late (ms) the latest of the timers is that go off every millisecond until `start()` settles; the best of several runs, as the machine delays, too. */
async function latest(start) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await start();
  delays.disable();
  return delays.max / 1e6 - 1;
}
const held = (number, call, megabytes, start, target) =>
  sampled({
    number,
    workload: `server: event loop held, ${call}, ${megabytes} MB`,
    unit: 'ms',
    runs: 9,
    pick: (samples) => Math.min(...samples),
    sampler: ({ palimpsest }) => {
      const messages = session(1, 750 * megabytes, 1_000_000 * megabytes);
      return () => {
        const given = fresh(messages);
        return latest(() => start(palimpsest, given));
      };
    },
    judge: ({ value }) => ({ ratio: value, of: 'ms' }),
    target,
  });
const next = (palimpsest, messages) => open(palimpsest, LIMIT).nextAsync(messages);
const fit = ({ fitAsync }, messages) => fitAsync(messages, { limit: LIMIT, format: 'openai-chat' });

export const serverRows = [
  played,
  memory,
  resting('a session of 270 KB after a minute without use', 'memory', 'KB', 1000, targets.restingMemory),
  resting('its first step after that', 'step', 'ms', 1, targets.restingStep),
  held(34, 'session.nextAsync', 4, next, targets.held),
  held(34, 'session.nextAsync', 20, next, targets.heldLarge),
  held(35, 'fitAsync', 4, fit, targets.heldLarge),
  held(35, 'fitAsync', 20, fit, targets.heldLarge),
];
