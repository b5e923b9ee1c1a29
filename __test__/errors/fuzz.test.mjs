// Right arguments of every export with a few places spoilt at random: a result, or one error that names what is wrong.
// `CASES=200000 node --test …` looks at more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as palimpsest from '../../index.mjs';
import { assertNamed, errorOf, functionOf, garbage, more, placesIn, spoil, table } from './exports.mjs';

const rows = Object.entries({ ...table, ...more });
const kinds = Object.entries(garbage);
const CASES = Number(process.env.CASES ?? 4000);

/** Whether a message or option was put away for a value of another kind: what else is spoilt there is out of reach. */
function spoilt(args, path, value) {
  try {
    spoil(args, path, value);
  } catch {
    // Frozen, or a Proxy that throws, or nothing that has places.
  }
}

test('arguments with one to three corrupted values', async () => {
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(rows.length - 1),
      fc.array(fc.tuple(fc.nat(), fc.nat(kinds.length - 1)), { minLength: 1, maxLength: 3 }),
      async (number, changes) => {
        const [name, row] = rows[number];
        const args = row().map(([, , value]) => value);
        const places = placesIn(args).filter((place) => place.length > 0 && !(name === 'restore' && place[0] === '1' && place.length > 1));
        const how = [];
        for (const [place, kind] of changes) {
          const path = places[place % places.length];
          const [what, make] = kinds[kind];
          how.push(`${what} at ${path.join('.')}`);
          spoilt(args, path, make());
        }
        calls++;
        const error = await errorOf(() => functionOf(palimpsest, name)(...args));
        if (error !== undefined)
          assertNamed(
            error,
            name,
            row().map(([one]) => one),
            how.join(', '),
          );
      },
    ),
    { numRuns: CASES, seed: 8, endOnFailure: true, includeErrorInReport: true },
  );
  assert.equal(calls, CASES);
});
