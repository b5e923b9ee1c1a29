// No error shows content of messages: a word that all of their texts contain is in no error, wherever one of their values is of another kind. With
// random values, of any argument, fuzz.test.mjs says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { palimpsest } from '../support/everything.mjs';
import { errorOf, functionOf, more, placesIn, plant, spoil, textsOf } from './exports.mjs';

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
