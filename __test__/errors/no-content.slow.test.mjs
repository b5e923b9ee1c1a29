// No error shows content of messages or options: a word that all of their texts contain
// is in no error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { palimpsest } from '../support/everything.mjs';
import { cases } from '../support/seed.mjs';
import { errorOf, functionOf, garbage, more, Own, placesIn, spoil, table } from './exports.mjs';

// It is longer than the names of options that errors show.
const SECRET = 'the azure walrus of 4711 crosses the harbour at noon with eleven lanterns';
const rows = Object.entries({ ...table, ...more });
/** Values of every kind. Those with texts contain the secret. */
const kinds = [
  ...Object.values(garbage),
  () => SECRET,
  () => [SECRET],
  () => ({ role: SECRET, content: SECRET }),
  () => ({ type: SECRET, text: SECRET }),
  () => ({ id: SECRET, role: 'user', content: [{ type: SECRET, [SECRET]: SECRET }] }),
];
const CASES = cases(3000);

/** Puts the secret into the texts of arguments: after the text, or in its place. */
function plant(args, isChosen) {
  for (const path of placesIn(args)) {
    let at = args;
    for (const key of path.slice(0, -1)) at = at[key];
    const text = at[path.at(-1)];
    if (path.length < 2 || typeof text !== 'string' || !isChosen()) continue;
    // Names of roles, types and choices stay, because otherwise the checks would end there.
    const isName = /^[\w-]{1,20}$/.test(text);
    Object.defineProperty(at, path.at(-1), {
      value: isName ? text : `${text} ${SECRET}`,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
}

/** Returns the texts of an error and of its causes. Errors of the caller's callbacks and getters are its own. */
function textsOf(error) {
  return error instanceof Own || !(error instanceof Error) ? [] : [error.message, ...textsOf(error.cause)];
}

test('no error says what stands in the arguments', async () => {
  let errors = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(rows.length - 1),
      fc.array(fc.tuple(fc.nat(), fc.nat(kinds.length - 1)), { minLength: 1, maxLength: 2 }),
      fc.infiniteStream(fc.boolean()),
      async (number, changes, choices) => {
        const [name, row] = rows[number];
        const args = row().map(([, , value]) => value);
        plant(args, () => choices.next().value);
        const places = placesIn(args).filter((place) => place.length > 0);
        for (const [place, kind] of changes) {
          try {
            spoil(args, places[place % places.length], kinds[kind]());
          } catch {
            // The place is frozen, or was replaced by the other change.
          }
        }
        const error = await errorOf(() => functionOf(palimpsest, name)(...args));
        if (error !== undefined) errors++;
        for (const text of textsOf(error)) assert.ok(!text.includes('walrus'), `${name}: ${error.stack}`);
      },
    ),
    { numRuns: CASES, endOnFailure: true, includeErrorInReport: true },
  );
  assert.ok(errors > CASES / 4, `${errors} errors`);
});

test('the texts of messages are in no error, wherever one of their values is of another kind', async () => {
  const calls = Object.entries(more).filter(([name]) => /^(fit|prune|countTokens|compress|session\.next|validate):/.test(name));
  let errors = 0;
  for (const [name, row] of calls) {
    const fresh = () => {
      const args = row().map(([, , value]) => value);
      plant(args, () => true);
      return args;
    };
    for (const path of placesIn(fresh()).filter(([argument, ...rest]) => argument === '0' && rest.length > 0)) {
      for (const value of [5, null, 'walrus', {}, ['walrus'], { type: 'walrus', a: 'walrus' }, 12n]) {
        const error = await errorOf(() => functionOf(palimpsest, name)(...spoil(fresh(), path, value)));
        if (error === undefined) continue;
        errors++;
        for (const text of textsOf(error)) assert.ok(!text.includes('walrus'), `${name} at ${path.join('.')}: ${error.stack}`);
      }
    }
  }
  assert.ok(errors > 500, `${errors} errors`);
});
