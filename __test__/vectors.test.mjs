// Every vector of the drop-in contract, except those that a documented difference changes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';

import * as palimpsest from '../unbundled/drop-in.js';
import { unnumbered } from './support/differences.mjs';
import { run } from './vectors/vector-runner.mjs';

const native = createRequire(import.meta.url)('../unbundled/native.js').default;

// Functions that the contract specifies because `compress` depends on them, but that nobody exports.
const subjects = {
  ...palimpsest,
  countStructuralElements: native.countStructuralElements,
  detectReasoningChain: native.isReasoningChain,
};

/** Vectors with deliberate differences. Each difference has tests of its own. */
const DIFFERENT = {
  'duplicate-ids': 'D2: the second original keeps a key of its own',
  'roundtrip-duplicate-ids-lossy': 'D2: the round trip is exact',
  'un-prototype-key': 'D3: only own properties of the store are looked up',
  'identity-force-converge': 'D4: no empty metadata is added',
  'roundtrip-force-converge-adds-metadata': 'D4: no empty metadata is added',
  'force-converge': 'D4: no empty metadata is added, and the statistics describe the result',
  'force-converge-largest-first-stops': 'D4: the same',
  'force-converge-512-boundary': 'D4: the same, and 513 units are not lengthened to 537',
  'force-converge-truncates-tool-calls': 'D4: the same',
  'force-converge-respects-recency': 'D4: no empty metadata is added',
  'force-converge-already-compressed': 'D4: no empty metadata is added, and the statistics describe the result',
  'force-converge-emoji-cut': 'D4: the same',
  'summarizer-with-budget-calls-per-iteration': 'D5: a text is summarised once per call',
  'un-partial-missing-drops-summary': 'D6: the summary stays behind the originals that were found',
  'classifier-sees-recency-messages': 'D9: recent messages are not sent to the classifier',
  'classifier-ignored-for-code-split': 'D9: nor are texts with code fences',
  'full-mode-without-classifier-skips-t0': 'D10: classifierMode is ignored without a classifier',
  'structured-crlf-colon-end': 'D10: the same',
  'structured-lf-colon-end-is-not': 'D10: the same',
};

/** The contract leaves the wording of these errors to the host. */
const NATIVE_ERRORS = new Set(['options-null', 'un-null-message', 'classifier-null-result-rejects']);

/** Reduces a value to JSON, and errors to their kind if the wording is free. */
function comparable(value, name) {
  const text = JSON.stringify(value, (_, part) => (NATIVE_ERRORS.has(name) && part?.message && part.name ? { name: part.name } : part));
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
  assert.deepEqual(
    Object.keys(DIFFERENT).filter((name) => !names.has(name)),
    [],
  );
});

test('docs/reference/differences.md names the difference of every vector that is left out', () => {
  assert.deepEqual(unnumbered(Object.values(DIFFERENT)), []);
});
