// The seed of a run, from which all random tests make their cases: a new one for each run, so that runs add up. `TEST_SEED` repeats one.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const given = process.env.TEST_SEED ?? String(randomInt(2 ** 31));
if (!/^\d{1,10}$/.test(given) || Number(given) >= 2 ** 31)
  throw new RangeError(`TEST_SEED must be a whole number below 2 ** 31, got ${given}`);
// Processes that this one starts make the same cases.
process.env.TEST_SEED = given;

export const SEED = Number(given);
fc.configureGlobal({ seed: SEED });
process.on('exit', (code) => {
  if (code !== 0) console.error(`TEST_SEED=${given} repeats the random cases of this run.`);
});
