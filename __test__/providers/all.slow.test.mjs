// Histories of any kinds as `describeProvider` tests them, and many more, and the page about kinds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../support/kinds-page.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED, someOf } from '../support/seed.mjs';
import { testFit, testPrune, testSession } from './histories.mjs';
import { PROVIDERS } from './index.mjs';

for (const [name, provider] of someOf(Object.entries(PROVIDERS))) {
  test(`${name}: histories of any kinds`, async () => {
    const random = new Random(SEED);
    let held = 0;
    for (let run = 0; run < cases(200); run++) held += await testFit(provider, random.integer(0, 2 ** 31), 16);
    // The user's words were to stay in some of them.
    assert.ok(held > cases(200) / 4, String(held));
    for (let run = 0; run < cases(200); run++) await testPrune(provider, random.integer(0, 2 ** 31));
    for (let run = 0; run < cases(20); run++) await testSession(provider, random.integer(0, 2 ** 31));
  });
}

test('docs/reference/kinds.md says what the package does', () => {
  const { now, made } = page();
  assert.equal(now, made, 'run `node __test__/support/kinds-page.mjs`');
});
