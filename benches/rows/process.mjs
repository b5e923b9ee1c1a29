// Rows 3 (threads), 10, 11, 12, 23, 26 and 31: what only a process of its own can tell.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emptyPackage, installPackage } from '../install.mjs';
import { contentBytes } from '../measure.mjs';
import { root } from '../package.mjs';
import { sampled } from '../row.mjs';
import { targets } from '../targets.mjs';
import { firstCalls } from './first-calls.mjs';
import { history } from './requests.mjs';
import { tenMegabytes } from './speed.mjs';

/** Runs a script of `child/`, or of anywhere else, and returns the number that it prints. */
export function child(script, args = [], launcher = []) {
  const [command, ...rest] = [...launcher, process.execPath, '--expose-gc', resolve(root, 'benches/child', script), ...args];
  return Number(execFileSync(command, rest, { encoding: 'utf8' }));
}

export const isLinux = process.platform === 'linux';

/**
 * The speed with two processors against one, each compared with `JSON.stringify` in the same process, which uses one
 * thread in either. Needs Linux, where a process can be held to a processor.
 */
const heldTo =
  (processors) =>
  ({ folder }) =>
  () =>
    child('speed.mjs', [folder], ['taskset', '--cpu-list', processors]);
const twoThreads = sampled({
  number: 3,
  workload: 'two processors, 10 MB / 4,000',
  unit: 'S',
  runs: 3,
  isPossible: () => isLinux && availableParallelism() > 1,
  sampler: heldTo('0,1'),
  beside: heldTo('0'),
  judge: ({ value: two, base: one }) => ({ ratio: one / two, of: 'one' }),
  target: targets.twoThreads,
});

/** The peak beside the content. Needs Linux, which can tell a peak from one moment on. */
const memoryOf = (verb, target) =>
  sampled({
    number: 10,
    workload: `peak memory, ${verb}, 10 MB / 4,000`,
    unit: 'MB',
    runs: 3,
    isPossible: () => isLinux,
    sampler:
      ({ folder }) =>
      () =>
        child('memory.mjs', [folder, verb]) / 1e6,
    judge: ({ value }) => ({ ratio: (1e6 * value) / contentBytes(tenMegabytes()), of: 'content' }),
    target,
  });

/** What a session keeps beside the caller's messages. */
const sessionMemory = sampled({
  number: 31,
  workload: 'memory of a session, 400,000 tokens',
  unit: 'MB',
  runs: 3,
  isPossible: () => isLinux,
  sampler:
    ({ folder }) =>
    () =>
      child('session-memory.mjs', [folder]) / 1e6,
  judge: ({ value }) => ({ ratio: (1e6 * value) / contentBytes(history()), of: 'content' }),
  target: targets.sessionMemory,
});

const RUNS = 21;

/**
 * The time until the package can be used, beside that of an addon with nothing in it: once as users get both, installed,
 * each with its loader, by name; and once the files themselves by path, where nothing but its file stands for the other.
 * (Not even an ES module can import that without a line of JavaScript, which then counts as its own.)
 */
const loading = (workload, of, ours, empty) => {
  const loadingBy = (make) => async (build) => {
    const args = await make(build);
    return () => child(...args);
  };
  return sampled({
    number: 11,
    workload,
    unit: 'ms',
    runs: RUNS,
    sampler: loadingBy(ours),
    beside: loadingBy(empty),
    judge: ({ value, base }) => ({ ratio: value / base, of: `${of}, ${base.toFixed(2)} ms` }),
    target: targets.load,
  });
};
const installed = (way) => (build) => [join(installPackage(build.folder), 'load.mjs'), [way, 'palimpsest']];
const installedEmpty = (way) => async () => [join((await emptyPackage()).folder, 'load.mjs'), [way, 'empty']];
const byPath = (way, file) => async (build) => ['load.mjs', [way, await file(build)]];
const url = (path) => pathToFileURL(path).href;
const loads = [
  loading('require in a fresh process', 'empty package', installed('require'), installedEmpty('require')),
  loading('import in a fresh process', 'empty package', installed('import'), installedEmpty('import')),
  loading(
    'require by path',
    'empty addon',
    byPath('require', ({ folder }) => join(folder, 'dist/index.js')),
    byPath('require', async () => (await emptyPackage()).addon),
  ),
  loading(
    'import by path',
    'empty addon',
    byPath('import', ({ folder }) => url(join(folder, 'dist/index.mjs'))),
    byPath('import', async () => url((await emptyPackage()).module)),
  ),
];

/** The first call of each verb in a fresh process, with the package as it is installed. */
const first = Object.keys(firstCalls).map((verb) =>
  sampled({
    number: 23,
    workload: `first call: ${verb}, 13 KB / 20`,
    unit: 'ms',
    runs: RUNS,
    sampler: (build) => {
      const folder = join(installPackage(build.folder), 'node_modules/palimpsest');
      return () => child('first-call.mjs', [folder, verb]);
    },
    judge: ({ value }) => ({ ratio: value, of: 'ms' }),
    target: targets.firstCall[verb],
  }),
);

/** A small `fit` whose JavaScript is not compiled yet. */
const smallFits = sampled({
  number: 26,
  workload: 'fit, 20 short messages, half to go, from the 10th call on',
  unit: 'µs',
  runs: RUNS,
  sampler:
    ({ folder }) =>
    () =>
      child('small-fits.mjs', [folder]),
  judge: ({ value }) => ({ ratio: value, of: 'µs' }),
  target: targets.smallFits,
});

/** Megabytes of the addon. */
const sizeOf = (folder) => {
  const addons = readdirSync(folder).filter((name) => name.endsWith('.node'));
  return Math.max(...addons.map((name) => statSync(join(folder, name)).size)) / 1e6;
};
const size = sampled({
  number: 12,
  workload: 'size of the .node file',
  unit: 'MB',
  runs: 1,
  sampler:
    ({ folder }) =>
    () =>
      sizeOf(folder),
  judge: ({ value }) => ({ ratio: value, of: 'MB' }),
  target: targets.size,
});

export const processRows = [
  twoThreads,
  memoryOf('compress', targets.memory),
  memoryOf('prune', targets.agentMemory),
  memoryOf('fit, o200k_base', targets.agentMemory),
  sessionMemory,
  ...loads,
  ...first,
  smallFits,
  size,
];
