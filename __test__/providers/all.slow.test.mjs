// Histories of any kinds as `describeProvider` tests them, and many more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';
import { testFit, testPrune, testSession } from './histories.mjs';
import { PROVIDERS } from './index.mjs';

for (const [name, provider] of Object.entries(PROVIDERS)) {
  test(`${name}: histories of any kinds`, async () => {
    const random = new Random(SEED);
    let held = 0;
    for (let run = 0; run < 200; run++) held += await testFit(provider, random.integer(0, 2 ** 31), 16);
    // The user's words were to stay in some of them.
    assert.ok(held > 50, String(held));
    for (let run = 0; run < 200; run++) await testPrune(provider, random.integer(0, 2 ** 31));
    for (let run = 0; run < 20; run++) await testSession(provider, random.integer(0, 2 ** 31));
  });
}
