// The list of functions that bundles put in parentheses, against what first calls run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eagerFunctions } from '../scripts/first-calls.mjs';

test('scripts/eager.json is what `npm run eager` writes', () => {
  assert.deepEqual(JSON.parse(readFileSync(new URL('../scripts/eager.json', import.meta.url), 'utf8')), eagerFunctions());
});
