// The descriptions of all providers, together.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { declaredKinds } from '../support/declared.mjs';
import { PROVIDERS } from './index.mjs';

const lib = createRequire(import.meta.url)('../../unbundled/providers/index.js');

test('every provider of the package has a description', () => {
  assert.deepEqual(Object.keys(PROVIDERS).sort(), lib.PROVIDERS.map(({ name }) => name).sort());
});

test('the table has every kind that the installed SDKs declare, and no other', () => {
  const declared = declaredKinds();
  const listed = {};
  for (const { kinds } of Object.values(PROVIDERS))
    for (const [list, makers] of Object.entries(kinds)) if (list !== 'more') listed[list] = Object.keys(makers);
  // States of which more is to come.
  listed.uiStates.push(...Object.keys(PROVIDERS['ai-sdk-ui'].opens));
  assert.deepEqual(Object.keys(listed).toSorted(), Object.keys(declared).toSorted());
  for (const [list, names] of Object.entries(declared)) {
    assert.ok(names.length > 0, `${list} is empty`);
    assert.deepEqual(listed[list].toSorted(), names.toSorted(), list);
  }
});
