// The seed of a run, from which all random tests make their cases, and how many these are. Without `TEST_SEED` it is the same in each run, so that
// the outcome depends on the source alone; `npm run test:seeds` draws others. Processes that a test starts inherit both.
import { basename } from 'node:path';
import fc from 'fast-check';

const { TEST_SEED = '1', TEST_CASES = '1' } = process.env;
if (!/^\d{1,10}$/.test(TEST_SEED) || Number(TEST_SEED) >= 2 ** 31)
  throw new RangeError(`TEST_SEED must be a whole number below 2 ** 31, got ${TEST_SEED}`);
if (!(Number(TEST_CASES) > 0)) throw new RangeError(`TEST_CASES must be a number above 0, got ${TEST_CASES}`);

export const SEED = Number(TEST_SEED);
/** How many cases a test tries that tries `count` of them by itself. */
export const cases = (count) => Math.ceil(count * Number(TEST_CASES));
/** Whether this run tries all cases. Only then does a test expect that a rare one occurred. */
export const IS_WHOLE = Number(TEST_CASES) >= 1;

let lists = 0;
/**
 * The formats, SDKs or recordings of a list that this run tries: all of them, or the share that `TEST_CASES` says, evenly spread. The share differs by
 * file, list and seed, so that a plain `npm test` tries each format in some file, and a few seeds try all of them in each.
 */
export function someOf(list) {
  const name = basename(process.argv[1] ?? '');
  const start = SEED + lists++ + [...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0);
  const count = Math.min(list.length, cases(list.length));
  return list.filter((_, index) => (index * count + start) % list.length < count);
}

fc.configureGlobal({ seed: SEED, numRuns: cases(100) });
process.on('exit', (code) => {
  if (code !== 0) console.error(`TEST_SEED=${SEED} TEST_CASES=${process.env.TEST_CASES ?? '1'} repeats the random cases of this run.`);
});
