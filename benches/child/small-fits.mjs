// Prints the median time (µs) of a small `fit` from the tenth call in this process on: `node small-fits.mjs FOLDER`.
import { readPackage } from '../package.mjs';
import { median } from '../measure.mjs';
import { session } from '../generate.mjs';

/** Number of calls before the first one that counts, and of those that count. */
const [BEFORE, COUNTED] = [9, 32];
const MESSAGES = 20;
const CHARACTERS = 2_000;

const [folder] = process.argv.slice(2);
const { palimpsest } = await readPackage(folder);
const times = [];
for (let call = 0; call < BEFORE + COUNTED; call++) {
  const messages = session(call, MESSAGES, CHARACTERS);
  const budget = Math.floor(palimpsest.countTokens(structuredClone(messages)) / 2);
  const start = performance.now();
  palimpsest.fit(messages, { limit: budget });
  if (call >= BEFORE) times.push(1_000 * (performance.now() - start));
}
console.log(median(times));
