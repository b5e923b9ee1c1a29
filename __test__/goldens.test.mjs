// The results for real conversations, by their hashes. The corpus lies beside the project and isn't part of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

import { compress } from '../index.mjs';

const shared = new URL('../../shared/', import.meta.url);
const goldens = new URL('contract/goldens-corpus.jsonl', shared);
const skip = existsSync(goldens) ? false : 'the corpus is not here';

test('the results for 227 real conversations under 8 sets of options', { skip }, () => {
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
  assert.equal(rows.length, 1816);
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${rows.length} differ`);
});

// A message that answers a tool call is never merged here; without the key the results are comparable.
const withoutToolCallId = ({ tool_call_id: _, ...message }) => message;

function hashOf({ messages, compression, verbatim, fits, tokenCount, recencyWindow }) {
  const text = JSON.stringify({ messages, compression, verbatim: Object.keys(verbatim), fits, tokenCount, recencyWindow });
  return createHash('sha256').update(text).digest('hex');
}
