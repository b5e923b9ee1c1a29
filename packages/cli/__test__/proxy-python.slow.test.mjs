// The official Python clients through the proxy. Their packages are installed once, into a folder of their own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { startProxy } from '../dist/proxy/index.mjs';

const run = promisify(execFile);
const STEPS = 30;
const LIMIT = 9000;

/** Returns the folder of the packages; undefined if there is no Python with pip, or no index of packages. */
async function installed() {
  // There, `python3` may open a shop.
  if (process.platform === 'win32') return undefined;
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/palimpsest-python', import.meta.url));
  try {
    const { stdout } = await run('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
    const folder = join(cache, stdout.trim());
    if (existsSync(folder)) return folder;
    mkdirSync(cache, { recursive: true });
    const fresh = `${folder}-${process.pid}`;
    const options = ['-q', '--disable-pip-version-check', '--no-compile', '--only-binary', ':all:', '--retries', '1'];
    try {
      await run('python3', ['-m', 'pip', 'install', ...options, '--target', fresh, 'openai', 'anthropic']);
      renameSync(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    return folder;
  } catch {
    return undefined;
  }
}

test(`Python's clients: agents of ${STEPS} steps, streamed, stay within the limit`, async (t) => {
  const folder = await installed();
  if (folder === undefined) return t.skip('openai and anthropic can not be installed for python3');
  const provider = await startProvider(longAgent({ steps: STEPS }), {
    window: 200_000,
    conversationOf: ({ provider: name }) => name,
  });
  const proxy = await startProxy({ limit: LIMIT, port: 0, upstream: provider.url });
  try {
    const program = fileURLToPath(new URL('clients.py', import.meta.url));
    const { stdout } = await run('python3', [program, proxy.url], { env: { ...process.env, PYTHONPATH: folder } });
    const last = { turns: STEPS, text: `All ${STEPS} steps are done.` };
    assert.deepEqual(JSON.parse(stdout), { anthropic: last, openai: last });
    const { refused, requests } = provider.sum();
    assert.deepEqual([refused, requests], [0, 2 * STEPS]);
    for (const { tokens } of provider.requests) assert.ok(tokens <= LIMIT * 1.03, `${tokens} tokens`);
    for (const { body } of provider.requests) assert.match(JSON.stringify(body.messages), /é, 漢字/);
    assert.match(JSON.stringify(provider.requests.at(-1).body), /\[…/);
  } finally {
    await proxy.close(0);
    await provider.close();
  }
});
