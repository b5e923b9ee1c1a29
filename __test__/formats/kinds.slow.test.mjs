// As kinds.test.mjs, with many histories.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';
import { FORMATS, testFit, testPrune, testSession } from './kinds.mjs';

for (const format of FORMATS) {
  test(`${format}: histories of any kinds`, async () => {
    const random = new Random(SEED);
    let held = 0;
    for (let run = 0; run < 200; run++) held += await testFit(format, random.integer(0, 2 ** 31), 16);
    // The user's words were to stay in some of them.
    assert.ok(held > 50, String(held));
    for (let run = 0; run < 200; run++) await testPrune(format, random.integer(0, 2 ** 31));
    for (let run = 0; run < 20; run++) await testSession(format, random.integer(0, 2 ** 31));
  });
}
