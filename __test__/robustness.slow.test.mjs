// The package can't take a server down. Each test runs in a process of its own, because an in-process test can't see how a process ends.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** Runs a script to its own end. A crash, a signal or more than a minute is a failure. */
const run = (script, ...args) =>
  promisify(execFile)(process.execPath, [join(here, 'robustness', script), ...args], {
    timeout: 600_000,
    // Warnings about unknown options are tested elsewhere.
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });

test('workers come and go while calls run in them', async () => {
  const { stdout } = await run('workers.mjs');
  assert.equal(stdout, 'main thread works\n');
});

test('workers are terminated while the engine works on another thread', async () => {
  const { stdout, stderr } = await run('offloaded.mjs');
  assert.deepEqual([stdout, stderr], ['main thread works\n', '']);
});

test('a process ends by itself although an LLM never answers', async () => {
  const { stdout } = await run('never-answers.mjs');
  assert.equal(stdout, 'waiting\n');
});

for (const [module, what] of [
  ['../../index.js', 'export'],
  ['../../lib/native.js', 'native function'],
]) {
  const functions = Object.entries(require(join(here, 'robustness', module))).filter(([, value]) => typeof value === 'function');
  for (const [name] of functions) {
    test(`the ${what} ${name} refuses garbage with an Error and never panics`, async () => {
      const { stdout, stderr } = await run('garbage.mjs', module, name);
      assert.equal(stdout, '');
      // A panic that is caught and turned into an Error still reports itself there.
      assert.match(stderr, /^\d+ calls\n$/);
    });
  }
}
