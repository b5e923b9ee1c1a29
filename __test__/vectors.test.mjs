// Every vector of the drop-in contract, but for those that a documented difference changes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';

import * as palimpsest from '../index.mjs';
import { run } from './vectors/vector-runner.mjs';

const native = createRequire(import.meta.url)('../lib/native.js');

// Functions that the contract specifies because `compress` depends on them, but that nobody exports.
const subjects = {
  ...palimpsest,
  countStructuralElements: native.countStructuralElements,
  detectReasoningChain: native.isReasoningChain,
};

/** Vectors that show what we deliberately do otherwise; each difference has tests of its own. */
const DIFFERENT = {};

/** The contract leaves the wording of these errors to the host. */
const NATIVE_ERRORS = new Set(['options-null', 'un-null-message', 'classifier-null-result-rejects']);

/** What JSON keeps of a value, with errors reduced to their kind where the wording is free. */
function comparable(value, name) {
  const text = JSON.stringify(value, (key, part) =>
    NATIVE_ERRORS.has(name) && part?.message && part.name ? { name: part.name } : part,
  );
  return text;
}

const vectors = readFileSync(new URL('./vectors/vectors-core.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

for (const { name, fn, args, result } of vectors) {
  if (name in DIFFERENT) continue;
  test(`${fn}: ${name}`, async () => {
    const actual = await run(subjects, fn, args);
    assert.equal(comparable(actual, name), comparable(result, name));
  });
}

test('every vector that is left out exists', () => {
  const names = new Set(vectors.map(({ name }) => name));
  assert.deepEqual(Object.keys(DIFFERENT).filter((name) => !names.has(name)), []);
});
