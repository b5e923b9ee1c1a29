// Every kind of content that the SDKs' types know: whatever a history is made of, it fits, is valid and comes back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredKinds } from '../support/declared.mjs';
import { KINDS } from '../support/kinds.mjs';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';
import { FORMATS, testFit, testPrune, testSession } from './kinds.mjs';

test('the table has every kind that the installed SDKs declare, and no other', () => {
  const declared = declaredKinds();
  const listed = {};
  for (const { kinds, opens } of Object.values(KINDS)) {
    for (const [list, makers] of Object.entries(kinds)) if (list !== 'more') listed[list] = Object.keys(makers);
    if (opens) listed.uiStates.push(...Object.keys(opens));
  }
  assert.deepEqual(Object.keys(listed).toSorted(), Object.keys(declared).toSorted());
  for (const [list, names] of Object.entries(declared)) {
    assert.ok(names.length > 0, `${list} is empty`);
    assert.deepEqual(listed[list].toSorted(), names.toSorted(), list);
  }
});

for (const format of FORMATS) {
  test(`${format}: histories of any kinds fit every limit from the minimum on`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < 6; run++) await testFit(format, random.integer(0, 2 ** 31), 8);
  });

  test(`${format}: pruned histories of any kinds are valid`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < 6; run++) await testPrune(format, random.integer(0, 2 ** 31));
  });

  test(`${format}: each request of a session with any kinds is valid and within the limit`, () => testSession(format, SEED));
}
