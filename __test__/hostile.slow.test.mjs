// Inputs on which a careless loop takes quadratic time are read to their end. The benchmark measures how the time grows
// (benches/rows/growth.mjs); here only a hang fails.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { FAMILIES } from '../benches/growth/index.mjs';

/** Maximum time of a family. It takes some seconds; in quadratic time it would take hours. */
const HANGS = 600_000;
const script = fileURLToPath(new URL('robustness/hostile.mjs', import.meta.url));

for (const [family, cases] of Object.entries(FAMILIES)) {
  test(`${family}: ${cases.length} inputs`, () => {
    // A call that hangs can only be ended from outside its process.
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, family], { encoding: 'utf8', timeout: HANGS });
    const begun = stdout.trimEnd().split('\n');
    assert.equal(status, 0, `${begun.at(-1)}: ${stderr}`);
    assert.deepEqual(
      begun,
      cases.map(({ name }) => name),
    );
  });
}
