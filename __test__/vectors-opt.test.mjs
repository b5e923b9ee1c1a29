// Every vector of the opt-in features, but for those that a documented difference changes. They lie beside the project.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

import * as palimpsest from '../index.mjs';
import { exportsOf, run } from './vectors/opt-runner.mjs';

const file = new URL('../../shared/contract/vectors-opt.jsonl', import.meta.url);
const skip = existsSync(file) ? false : 'the vectors are not here';
const vectors = skip ? [] : readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

/** Vectors that show what we deliberately do otherwise; each difference has tests of its own. */
const DIFFERENT = {
  'forceConverge.noImportanceOrder': 'D4: no empty metadata is added, and the statistics describe the result',
  'compress.ml.dropAll': 'an answer that leaves nothing falls back to the rules',
  'prepass.expired': 'D12: the agent speaks of an update, but no tool says that it wrote the file',
  'compress.prepass.convB': 'D12: the file was only edited, and what was trimmed has provenance',
  'compress.combo.agent': 'D12: the same',
  'prepass.toolCallsNotExempt': 'D12: messages with tool calls are exempt, as documented',
  'prepass.preserveNotExempt': 'D12: preserved roles are exempt, as documented',
  'prepass.compressedToolMessage': 'D12: what stands for others already stays',
  'prepass.roundtripLoss': 'D12: stack frames stay',
};
/** D12: what the pass over tool results takes out is in `verbatim`, so there is more than texts to its vectors here. */
const textsOf = ({ messages }) => messages.map(({ content }) => content);
const isDifferent = (name) => name in DIFFERENT || /^(prepass\.)?bug\./.test(name);

/** What is missing so far for a vector, if anything is. */
const missing = (vector) => exportsOf(vector).find((name) => !(name in palimpsest));

/** The same structure, with keys in any order and floats as near as different libraries of logarithms leave them. */
function assertSame(actual, expected, path = '') {
  if (typeof expected === 'number' && typeof actual === 'number') {
    return assert.ok(Math.abs(actual - expected) <= 1e-12, `${path}: ${actual} instead of ${expected}`);
  }
  if (expected === null || typeof expected !== 'object' || actual === null || typeof actual !== 'object') {
    return assert.equal(actual, expected, path);
  }
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), path);
  for (const key of Object.keys(expected)) assertSame(actual[key], expected[key], `${path}.${key}`);
}

for (const vector of vectors) {
  const { name, fn, result } = vector;
  if (isDifferent(name)) continue;
  test(`${fn}: ${name}`, async (t) => {
    if (missing(vector)) return t.skip(`${missing(vector)} does not exist yet`);
    const actual = await run(palimpsest, vector);
    if (actual?.$error === 'ERR_UNSUPPORTED_OPTION') return t.skip('the option is not supported yet');
    if (name.startsWith('prepass.')) return assert.deepEqual(textsOf(actual), textsOf(result));
    assertSame(actual, result);
  });
}

test('every vector that is left out exists', { skip }, () => {
  const names = new Set(vectors.map(({ name }) => name));
  assert.deepEqual(Object.keys(DIFFERENT).filter((name) => !names.has(name)), []);
});
