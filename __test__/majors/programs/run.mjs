// Runs a program in all of its ways, one after the other: `node run.mjs PROGRAM URL`. Prints what each way saw, and what the SDK keeps.
import { watching } from './common.mjs';

const [name, url] = process.argv.slice(2);
const { ways } = await import(`./${name}.mjs`);
const warnings = [];
process.on('warning', ({ code, message }) => code?.startsWith('PALIMPSEST') && warnings.push(message));

const results = {};
for (const [way, run] of Object.entries(ways)) {
  const { seen, options } = watching();
  try {
    results[way] = { ...seen, history: await run({ url, name: way.replace(/\W+/g, '-'), options }) };
  } catch (error) {
    results[way] = { history: null };
    seen.errors.push(String(error?.stack ?? error));
  }
  Object.assign(results[way], seen);
}
process.stdout.write(`${JSON.stringify({ warnings, results })}\n`, () => process.exit());
