// Wrong arguments of every kind, at every position and in every documented field of every export. The result is valid, or one error
// says, in the project's words, which argument is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { palimpsest } from '../support/everything.mjs';
import { apart, assertNamed, constants, errorOf, functionOf, garbage, more, placesIn, spoil, table } from './exports.mjs';

test('every export is in the table', () => {
  assert.deepEqual(
    [...Object.keys(table), ...constants, ...apart].sort(),
    Object.keys(palimpsest)
      .filter((name) => name !== 'default')
      .sort(),
  );
});

/** Originals have a test of their own. */
const isOriginal = (name, place) => name === 'restore' && place[0] === '1' && place.length > 1;

const valuesOf = (row) => row().map(([, , value]) => value);

for (const [name, row] of Object.entries({ ...table, ...more })) {
  const call = (args) => errorOf(() => functionOf(palimpsest, name)(...args));
  const names = row().map(([one]) => one);

  test(`${name}: the arguments of the table are right`, async () => {
    assert.equal(await call(valuesOf(row)), undefined);
  });

  test(`${name}: a wrong argument is refused by its name`, async () => {
    for (const [position, [argument, takes]] of row().entries()) {
      for (const [kind, make] of Object.entries(garbage)) {
        if (takes(make())) continue;
        const error = await call(spoil(valuesOf(row), [position], make()));
        assert.ok(error, `${name} takes ${kind} for ${argument}`);
        const known = name.startsWith('summarize') ? [argument] : names; // others are read first there
        assertNamed(error, name, known, `${kind} for ${argument}`);
      }
      // No value at all.
      const error = await call(valuesOf(row).slice(0, position));
      if (error !== undefined) assertNamed(error, name, names, `no ${argument}`);
      else assert.ok(takes(undefined), `${name} needs no ${argument}`);
    }
  });

  test(`${name}: every kind of value in every field`, async () => {
    const places = placesIn(valuesOf(row)).filter((place) => place.length > 0 && !isOriginal(name, place));
    for (const [number, path] of places.entries()) {
      for (const [index, [kind, make]] of Object.entries(garbage).entries()) {
        // Each of the many fields of messages gets some of the kinds; the fuzz test covers the others.
        if (name in more && (index + number) % 5 !== 0) continue;
        const error = await call(spoil(valuesOf(row), path, make()));
        if (error !== undefined) assertNamed(error, name, names, `${kind} at ${path.join('.')}`);
      }
    }
  });
}
