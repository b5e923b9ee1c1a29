// Every input on which a careless loop takes quadratic time is read to its end. The benchmark judges how the time grows with it
// (benches/rows/growth.mjs); here only a hang fails.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { FAMILIES } from '../benches/growth/index.mjs';

/** A family takes some seconds; with the square of its inputs it would take hours. */
const HANGS = 600_000;
const script = fileURLToPath(new URL('robustness/hostile.mjs', import.meta.url));

for (const [family, cases] of Object.entries(FAMILIES)) {
  test(`${family}: ${cases.length} inputs`, () => {
    // A call that hangs can only be ended from outside of its process.
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, family], { encoding: 'utf8', timeout: HANGS });
    const begun = stdout.trimEnd().split('\n');
    assert.equal(status, 0, `${begun.at(-1)}: ${stderr}`);
    assert.deepEqual(
      begun,
      cases.map(({ name }) => name),
    );
  });
}
