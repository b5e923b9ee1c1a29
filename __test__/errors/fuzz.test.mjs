// Valid arguments of every export with a few random places replaced by wrong values. The result is valid, or one error names the place. No error shows
// content of messages or options: a word that texts in the arguments contain is in none.
// `TEST_CASES=50 node --test …` runs more cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { palimpsest } from '../support/everything.mjs';
import { cases } from '../support/seed.mjs';
import { assertNamed, errorOf, functionOf, garbage, more, placesIn, plant, SECRET, spoil, table, textsOf } from './exports.mjs';

const rows = Object.entries({ ...table, ...more });
/** Values of every kind. Those of the secret are texts. */
const kinds = Object.entries({
  ...garbage,
  secret: () => SECRET,
  'array of the secret': () => [SECRET],
  'message of the secret': () => ({ role: SECRET, content: SECRET }),
  'part of the secret': () => ({ type: SECRET, text: SECRET }),
  'message with the secret': () => ({ id: SECRET, role: 'user', content: [{ type: SECRET, [SECRET]: SECRET }] }),
});
const CASES = cases(4000);

/** Whether a whole message or option was replaced, so that other changes in it have no effect. */
function spoilt(args, path, value) {
  try {
    spoil(args, path, value);
  } catch {
    // It is frozen, a Proxy that throws, or has no places.
  }
}

test('arguments with one to three corrupted values', async () => {
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(rows.length - 1),
      fc.array(fc.tuple(fc.nat(), fc.nat(kinds.length - 1)), { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.boolean()),
      async (number, changes, choices) => {
        const [name, row] = rows[number];
        const args = row().map(([, , value]) => value);
        plant(args, () => choices.next().value);
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
        for (const text of textsOf(error)) assert.ok(!text.includes('walrus'), `${name}: ${error.stack}`);
        if (error !== undefined)
          assertNamed(
            error,
            name,
            row().map(([one]) => one),
            how.join(', '),
          );
      },
    ),
    { numRuns: CASES, endOnFailure: true, includeErrorInReport: true },
  );
  assert.equal(calls, CASES);
});
