// Programs that tests run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Settles with what a process printed and its exit code, or the signal that ended it. */
export function ended(child) {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => (said[stream] += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ ...said, code: code ?? signal }));
  });
}

/** Asserts that TypeScript accepts a file. */
export function assertTyped(file) {
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module nodenext --types node'.split(' ');
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, fileURLToPath(file)], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}
