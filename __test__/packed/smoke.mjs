// Runs under every runtime: both module systems give the same functions, and they work.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as esm from 'palimpsest';
import { characters, conversation } from './conversation.mjs';

const cjs = createRequire(import.meta.url)('palimpsest');
const names = Object.keys(esm);
assert.deepEqual(names, Object.keys(cjs).sort());
for (const name of names) assert.equal(esm[name], cjs[name], name);

const messages = conversation(1);
const result = esm.compress(messages);
assert.ok(characters(result.messages) < characters(messages));
assert.deepEqual(cjs.uncompress(result.messages, result.verbatim).messages, messages);

const summarizer = async () => 'They talked about the garden.';
const summarized = await esm.compress(messages, { summarizer });
assert.ok(characters(summarized.messages) < characters(messages));
assert.ok(JSON.stringify(summarized.messages).includes('They talked about the garden.'));
assert.deepEqual(esm.uncompress(summarized.messages, summarized.verbatim).messages, messages);

assert.throws(() => esm.compress('no messages'), TypeError);
console.log('smoke passed');
