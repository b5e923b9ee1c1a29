// Rows 3 (threads), 10, 11 and 12: what only a process of its own can tell.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installedPackages } from '../install.mjs';
import { median } from '../measure.mjs';
import { targets } from '../targets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a script of `child/`, or anywhere else, prints, as a value. */
function child(script, args = [], launcher = []) {
  const [command, ...rest] = [...launcher, process.execPath, '--expose-gc', resolve(root, 'benches/child', script), ...args];
  return JSON.parse(execFileSync(command, rest, { encoding: 'utf8' }));
}

/**
 * The speed with two processors against one, each compared with `JSON.stringify` in the same process, which uses one
 * thread in either. Needs Linux, where a process can be held to a processor.
 */
export function twoThreads() {
  const row = { number: 3, workload: 'two processors, 10 MB / 4,000', of: 'one', unit: 'S', ...targets.twoThreads };
  if (process.platform !== 'linux' || availableParallelism() < 2) return [row];
  const ratio = (processors) => child('speed.mjs', [], ['taskset', '--cpu-list', processors]);
  const rounds = [1, 2, 3].map(() => ({ one: ratio('0'), two: ratio('0,1') }));
  const [one, two] = [median(rounds.map(({ one }) => one)), median(rounds.map(({ two }) => two))];
  return [{ ...row, value: two, ratio: one / two }];
}

/** Needs Linux, which can tell a peak from one moment on. */
export function memory() {
  const row = { number: 10, workload: 'peak memory, 10 MB / 4,000', of: 'content', unit: 'MB', ...targets.memory };
  if (process.platform !== 'linux') return [row];
  const runs = [1, 2, 3].map(() => child('memory.mjs'));
  const growth = median(runs.map(({ growth }) => growth));
  return [{ ...row, value: growth / 1e6, ratio: growth / runs[0].bytes }];
}

/**
 * The time until the package can be used, beside that of an addon with nothing in it: once as users get both, installed,
 * each with its loader, by name; and once the files themselves by path, where nothing but its file stands for the other.
 * (Not even an ES module can import that without a line of JavaScript, which then counts as its own.)
 */
export async function load() {
  const { folder, addon, module, remove } = await installedPackages();
  const installed = join(folder, 'load.mjs');
  const url = (path) => pathToFileURL(path).href;
  const rows = [
    {
      workload: 'require in a fresh process',
      of: 'empty package',
      loads: [
        ['require', 'palimpsest'],
        ['require', 'empty'],
      ],
      script: installed,
    },
    {
      workload: 'import in a fresh process',
      of: 'empty package',
      loads: [
        ['import', 'palimpsest'],
        ['import', 'empty'],
      ],
      script: installed,
    },
    {
      workload: 'require by path',
      of: 'empty addon',
      loads: [
        ['require', join(root, 'index.js')],
        ['require', addon],
      ],
      script: 'load.mjs',
    },
    {
      workload: 'import by path',
      of: 'empty addon',
      loads: [
        ['import', url(join(root, 'index.mjs'))],
        ['import', url(module)],
      ],
      script: 'load.mjs',
    },
  ];
  const samples = rows.map(() => [[], []]);
  for (let round = 0; round < 21; round++) {
    rows.forEach(({ loads, script }, row) => loads.forEach((args, which) => samples[row][which].push(child(script, args))));
  }
  remove();
  return rows.map(({ workload, of }, row) => {
    const [value, empty] = samples[row].map(median);
    return { number: 11, workload, value, unit: 'ms', ratio: value / empty, of: `${of}, ${empty.toFixed(2)} ms`, ...targets.load };
  });
}

/** The addon without the vocabularies of its tokenizers, which are data and read only when tokens are counted. */
export function size() {
  const bytes = (folder, extension) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(extension))
      .map((name) => statSync(join(root, folder, name)).size);
  const vocabularies = bytes('src/tokens/vocabularies', '.bin').reduce((sum, size) => sum + size, 0);
  const megabytes = (median(bytes('.', '.node')) - vocabularies) / 1e6;
  return [
    {
      number: 12,
      workload: 'size of the .node file, without vocabularies',
      value: megabytes,
      unit: 'MB',
      ratio: megabytes,
      of: 'MB',
      ...targets.size,
    },
  ];
}
