// After warmUp() the first calls of a process read no more code, and none of them lays out a vocabulary or builds a table.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { warmUp } from 'palimpsest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The first calls of each function on a conversation that has to be made smaller. */
const CALLS = {
  compress: "p.compress(messages.map((message, index) => ({ id: 'm' + index, index, ...message })), { recencyWindow: 1 })",
  countTokens: 'p.countTokens(messages)',
  prune: 'p.prune(messages)',
  'fit, messages of another format':
    "p.fit(messages.map(({ role, content }) => ({ role: role === 'user' ? role : 'model', parts: [{ text: content }] })), { limit: 200 })",
  'fitRequest, which names a model': "p.fitRequest({ model: 'gpt-5', messages, max_completion_tokens: 100 }, { limit: 300 })",
  'fit and restore': 'const fitted = p.fit(messages, { limit: 200 }); p.restore(fitted.messages, fitted.originals)',
  createSession: 'p.createSession({ limit: 200 }).next(messages)',
  validate: 'p.validate(messages)',
};

/** The files that a call reads in a process of its own, after warmUp() or without it. */
function filesRead(call, isWarm) {
  const script = `
    const p = require('palimpsest');
    const content = 'A sentence of many words, with a path: src/jobs/worker.ts. '.repeat(60);
    const messages = Array.from({ length: 6 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: content + index }));
    ${isWarm ? 'p.warmUp();' : ''}
    const before = Object.keys(require.cache).length;
    ${call};
    console.log(Object.keys(require.cache).length - before);`;
  return Number(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }));
}

for (const [name, call] of Object.entries(CALLS)) {
  test(`after warmUp() the first call of ${name} reads no file`, () => {
    assert.ok(filesRead(call, false) > 0, 'without it, it does');
    assert.equal(filesRead(call, true), 0);
  });
}

/** The processor's time of a first exact count after warmUp() with a tokenizer, in µs: the least of some processes. */
function firstCount(warmedUp) {
  const script = `
    const p = require('palimpsest');
    p.warmUp({ tokenizer: '${warmedUp}' });
    const before = process.cpuUsage();
    p.countTokens('Hello, world!', { tokenizer: 'o200k_base' });
    const { user, system } = process.cpuUsage(before);
    console.log(user + system);`;
  const measured = Array.from({ length: 5 }, () => Number(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })));
  return Math.min(...measured);
}

test('warmUp() lays out the vocabulary of its tokenizer, and no other', () => {
  const [cold, other, warm] = [firstCount('estimate'), firstCount('cl100k_base'), firstCount('o200k_base')];
  assert.ok(warm < Math.min(cold, other) / 3, `${warm} µs, ${cold} without it, ${other} with the other`);
});

test('the engine builds no table of Unicode in a process', () => {
  for (const file of [
    'crates/tokens/src/classes.rs',
    'crates/text/src/tables.rs',
    'crates/agent/src/fit/words.rs',
    'crates/text/src/terms.rs',
  ])
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /LazyLock|OnceLock/, file);
});

test('options are checked, and nothing is returned', () => {
  for (const tokenizer of ['o200k_base', 'cl100k_base', 'estimate', null, undefined]) assert.equal(warmUp({ tokenizer }), undefined);
  assert.throws(() => warmUp({ tokenizer: 'gpt-4o' }), { name: 'TypeError', message: /^warmUp\(\): options\.tokenizer must be one of / });
  assert.throws(() => warmUp(5), { name: 'TypeError', message: /^warmUp\(\): options must be an object/ });
});
