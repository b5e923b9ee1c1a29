// What agents and people need of a history besides facts: texts that the next edit quotes, values that the next calls pass on, requests of the
// user. The shared evaluation measures it, in a process of its own, through the built package.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf, root } from './evaluations.mjs';
import { ENGINES, RHOS } from './fit.mjs';

export const USES = ['quotes older', 'quotes recent', 'values', 'requests'];
/** What stays at least, in %, at each of `RHOS`: two points, or a case, below what was measured. */
export const LEAST_USES = { 'quotes older': [82, 59, 31], 'quotes recent': [98, 97, 87], values: [69, 57, 19], requests: [98, 98, 93] };
const ROW = /^(quotes older|quotes recent|values|requests) +([\d.]+) +(\w+) +n +(\d+) of \d+ cuts +there +([\d.]+) % +fits +(\d+) % +(.*)$/;

/** The row of a line that the evaluation prints; none if it is another. */
export function rowOf(line) {
  const found = ROW.exec(line);
  if (found === null) return [];
  const [, name, rho, engine, n, there, fits, kinds] = found;
  return [{ name, rho: Number(rho), engine, n: Number(n), there: Number(there), fits: Number(fits), kinds }];
}

/**
 * @param {URL} shared the folder with `eval`, `corpus` and `recordings`; quotes are those of all agents, all of them
 * @returns {Promise<{ name: string, rho: number, engine: string, n: number, there: number, fits: number, kinds: string }[]>} a row for each use,
 *   share and engine: what is still there, in %, and by kind of conversation, with the number of cases
 */
export async function measureUses(shared) {
  const path = (name) => fileURLToPath(new URL(name, shared));
  const engines = ENGINES.flatMap((engine) => ['--engine', engine === 'fit' ? `fit=${join(root, 'dist/index.mjs')}` : engine]);
  const evaluation = path('eval/uses.mjs');
  const common = ['--corpus', path('corpus/plain'), ...engines, '--rho', RHOS.join(',')];
  const measure = async (args) => (await outputOf(evaluation, [...common, ...args])).split('\n').flatMap(rowOf);
  const quotes = await measure(['--only', 'quotes', '--corpus', path('recordings/plain'), '--max', '400']);
  return [...quotes, ...(await measure(['--only', 'values,requests']))];
}
