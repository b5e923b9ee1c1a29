// Codex itself, headless, by the line of docs/proxy.md: within a limit that it knows nothing of, and cheaper than with its own compaction.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { results } from '../../packages/opencode/__test__/support/play.mjs';
import { ADDRESS, ASKED, check, played, proxyBefore, STEPS, THRESHOLD, withoutFrameworks } from '../support/frameworks.mjs';
import { ended } from '../support/programs.mjs';

const program = fileURLToPath(new URL('node_modules/@openai/codex/bin/codex.js', import.meta.url));
const page = readFileSync(new URL('../../docs/proxy.md', import.meta.url), 'utf8');
/** The arguments of the line, with another address. */
const argsFor = (address) => {
  const [, line] = page.match(/^codex (.+)$/m);
  return [...line.replaceAll(ADDRESS, address).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
};

const home = mkdtempSync(join(tmpdir(), 'palimpsest-codex-'));
after(() => rmSync(home, { recursive: true, force: true }));
mkdirSync(join(home, 'results'));
for (const [step, text] of (await results()).entries()) writeFileSync(join(home, `results/${step}.txt`), text);

/** Reads a result in each step. */
const main = ({ step }) => {
  if (step >= STEPS - 1) return { text: `All ${STEPS} steps are done.` };
  return { text: `Step ${step}.`, calls: [{ name: 'exec_command', input: { cmd: `cat results/${step}.txt` } }] };
};

test('Codex through the proxy', { skip: withoutFrameworks }, async (t) => {
  const run = async (address, ...more) => {
    const options = [
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--model',
      'gpt-5.5',
      ...argsFor(address),
      ...more,
    ];
    const env = { PATH: process.env.PATH, HOME: home, OPENAI_API_KEY: 'test' };
    const child = spawn(process.execPath, [program, 'exec', ...options, `${ASKED} [conversation main]`], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout, stderr } = await ended(child);
    assert.equal(code, 0, stderr.slice(-2000));
    assert.equal(stdout.trim(), `All ${STEPS} steps are done.`);
  };
  const ours = await played(t, async (provider) => run(await proxyBefore(t, provider)), { main });
  const theirs = await played(t, ({ url }) => run(url, '-c', `model_auto_compact_token_limit=${THRESHOLD}`), { main });
  assert.ok(theirs.sum().requests > STEPS, 'it asked for summaries');
  check(t, ours, theirs);
});
