// The results for whole conversations: for the small corpus, compared with the contract's rules written a second time
// (support/contract.mjs); for real conversations, by their hashes. The latter are beside the project and not part of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

import { compress } from 'palimpsest';
import { plainConversations } from './corpus/index.mjs';
import * as contract from './support/contract.mjs';

const shared = new URL('../../shared/', import.meta.url);
const goldens = new URL('contract/goldens-corpus.jsonl', shared);
const skip = existsSync(goldens) ? false : 'the corpus is not here';

const half = (messages) => messages.reduce((total, { content }) => total + Math.ceil(content.length / 3.5), 0) >> 1;
const OPTIONS = {
  defaults: () => ({}),
  'no window': () => ({ recencyWindow: 0 }),
  'similar messages once': () => ({ recencyWindow: 0, fuzzyDedup: true, fuzzyThreshold: 0.7 }),
  'trace and ids': () => ({ recencyWindow: 0, trace: true, embedSummaryId: true, sourceVersion: 3 }),
  'nothing preserved, nothing deduplicated': () => ({ preserve: [], recencyWindow: 2, dedup: false }),
  'short outputs stay': () => ({ recencyWindow: 8, observationThreshold: 300 }),
  'half the tokens': (messages) => ({ tokenBudget: half(messages) }),
  'a quarter, and a window of 2': (messages) => ({ tokenBudget: half(messages) >> 1, minRecencyWindow: 2 }),
};

for (const [name, optionsFor] of Object.entries(OPTIONS)) {
  test(`the small corpus: ${name}`, () => {
    let changed = 0;
    for (const { id, messages } of plainConversations()) {
      const options = optionsFor(messages);
      const own = compress(messages, options);
      assert.deepEqual(own, contract.compress(messages, options), id);
      changed += own.compression.messages_compressed;
    }
    assert(changed > 0, 'nothing was compressed');
  });
}

test('the results for real conversations under each set of options', { skip }, () => {
  const conversations = new Map();
  const load = (file) => {
    if (!conversations.has(file)) {
      const list = JSON.parse(readFileSync(new URL(`corpus/plain/${file}`, shared), 'utf8'));
      conversations.set(file, new Map(list.map(({ id, messages }) => [id, messages.map(withoutToolCallId)])));
    }
    return conversations.get(file);
  };
  const rows = readFileSync(goldens, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const wrong = [];
  for (const { conversation, file, name, options, sha256 } of rows) {
    if (hashOf(compress(load(file).get(conversation), options)) !== sha256) wrong.push(`${conversation} ${name}`);
  }
  const files = new Set(rows.map(({ file }) => file));
  const all = [...files].flatMap((file) => Array.from(load(file).keys(), (conversation) => `${file} ${conversation}`));
  for (const name of new Set(rows.map((row) => row.name)))
    assert.deepEqual(new Set(rows.flatMap((row) => (row.name === name ? `${row.file} ${row.conversation}` : []))), new Set(all), name);
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${rows.length} differ`);
});

// A message that answers a tool call is never merged here; without the key the results are comparable.
const withoutToolCallId = ({ tool_call_id: _, ...message }) => message;

function hashOf({ messages, compression, verbatim, fits, tokenCount, recencyWindow }) {
  const text = JSON.stringify({ messages, compression, verbatim: Object.keys(verbatim), fits, tokenCount, recencyWindow });
  return createHash('sha256').update(text).digest('hex');
}
