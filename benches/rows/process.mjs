// Rows 3 (threads), 10, 11 and 12: what only a process of its own can tell.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../measure.mjs';
import { targets } from '../targets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a script of `child/` prints, as a value. */
function child(script, args = [], launcher = []) {
  const [command, ...rest] = [...launcher, process.execPath, '--expose-gc', join(root, 'benches/child', script), ...args];
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

/** Builds an addon that does nothing, and returns its path and that of a module that does nothing but load it. */
function emptyAddon() {
  const args = ['build', '--quiet', '--release', '--example', 'empty_addon', '--message-format=json'];
  const output = execFileSync('cargo', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 });
  const artifacts = output.trim().split('\n').map((line) => JSON.parse(line));
  const [library] = artifacts.find(({ target, filenames }) => target?.name === 'empty_addon' && filenames).filenames;
  const [addon, module] = [`${library}.node`, `${library}.mjs`];
  copyFileSync(library, addon);
  const source = `import { createRequire } from 'node:module';\nexport default createRequire(import.meta.url)(${JSON.stringify(addon)});\n`;
  writeFileSync(module, source);
  return { addon, module };
}

/** Each way to load the package beside the same way to load the empty addon: an ES module can't import an addon itself. */
export function load() {
  const { addon, module } = emptyAddon();
  const loads = [
    ['require', addon],
    ['require', join(root, 'index.js')],
    ['import', module],
    ['import', join(root, 'index.mjs')],
  ];
  const samples = loads.map(() => []);
  for (let round = 0; round < 15; round++) loads.forEach((load, index) => samples[index].push(child('load.mjs', load)));
  const [emptyRequire, required, emptyImport, imported] = samples.map(median);
  const row = (way, value, empty) => {
    const of = `empty addon, ${empty.toFixed(2)} ms`;
    return { number: 11, workload: `${way} in a fresh process`, value, unit: 'ms', ratio: value / empty, of, ...targets.load };
  };
  return [row('require', required, emptyRequire), row('import', imported, emptyImport)];
}

export function size() {
  const addons = readdirSync(root).filter((name) => name.endsWith('.node'));
  const megabytes = median(addons.map((name) => statSync(join(root, name)).size)) / 1e6;
  return [{ number: 12, workload: 'size of the .node file', value: megabytes, unit: 'MB', ratio: megabytes, of: 'MB', ...targets.size }];
}
