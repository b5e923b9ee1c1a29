// The former name of `toolMap`: it works as before, with one warning.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createSession, fit, prune } from 'palimpsest';
import { Talk } from '../fit/talk.mjs';

const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
const talk = new Talk().user('Read it twice, please.').call('load', { from: 'a.txt' }, lines).call('load', { from: 'a.txt' }, lines);
const toolMap = { load: { kind: 'read', path: 'from' } };
const keep = { recent: 0 };

test('`tools` of `prune` is `toolMap`, and a warning tells once', async () => {
  const { messages, report } = prune(talk.messages, { keep, toolMap });
  assert.equal(report.staleReads, 1);
  const warnings = [];
  process.on('warning', (warning) => warnings.push(warning));
  const warned = once(process, 'warning');
  assert.deepEqual(prune(talk.messages, { keep, tools: toolMap }).messages, messages);
  await warned;
  prune(talk.messages, { keep, tools: toolMap });
  const budget = 200;
  assert.deepEqual(
    fit(talk.messages, { budget, prune: { keep, tools: toolMap } }).messages,
    fit(talk.messages, { budget, prune: { keep, toolMap } }).messages,
  );
  createSession({ limit: 1000, prune: { tools: toolMap } });
  for (const none of [null, undefined]) prune(talk.messages, { tools: none });
  await new Promise(setImmediate);
  assert.deepEqual(
    warnings.map(({ name, code, message }) => ({ name, code, message })),
    [{ name: 'DeprecationWarning', code: 'PALIMPSEST_DEP0001', message: 'prune(): options.tools is now called options.toolMap' }],
  );
});

test('both names are an error, and the former one is checked like the other', () => {
  const refuses = (use, message) => assert.throws(use, { name: 'TypeError', message });
  const both = { tools: toolMap, toolMap };
  refuses(() => prune([], both), 'prune(): options.tools is the former name of toolMap: give one of them');
  refuses(() => fit([], { budget: 1, prune: both }), 'fit(): options.prune.tools is the former name of toolMap: give one of them');
  refuses(() => prune([], { tools: [] }), 'prune(): options.tools must be an object of tools by name, got array');
});
