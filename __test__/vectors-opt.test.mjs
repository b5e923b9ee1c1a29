// Every vector of the opt-in features, except those that a documented difference changes. They are beside the project.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

import * as palimpsest from 'palimpsest/compress';
import { unnumbered } from './support/differences.mjs';
import { run } from './vectors/opt-runner.mjs';

const file = new URL('../../shared/contract/vectors-opt.jsonl', import.meta.url);
const skip = existsSync(file) ? false : 'the vectors are not here';
const vectors = skip
  ? []
  : readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

/** Vectors with deliberate differences. Each difference has tests of its own. */
const DIFFERENT = {
  'forceConverge.noImportanceOrder': 'D4: no empty metadata is added, and the statistics describe the result',
  'forceConverge.importanceOrder': 'D4: the same',
  'compress.contradiction.convA': 'D15: what corrects another message is kept, and the trace says so',
  'compress.contradiction.convD': 'D15: what corrects another message is kept',
  'compress.depth.aggressive.contradiction': 'D15: the same',
  'compress.depth.bogus': 'D18: an unknown depth is a TypeError',
  'compress.entropy.asyncWithClassifier': 'D9: recent messages are not sent to the classifier',
  'compress.entropy.indexMisalignment': 'D16: the scorer gets the very sentences that its scores are used for',
  'compress.entropy.negLength.replace': 'D16: negative scores are in order too, and drop nothing',
  'compress.entropy.one.replaceFallsBack': 'D16: too few scores are no answer: our own are used for all sentences',
  'compress.entropy.short.augmentThrows': 'D16: the same; it does not end the call',
  // Summaries are tightened from what they stand for, so that none is wrapped in another; code, structures and tool calls stay
  // as they are; no empty metadata is added; and the statistics describe the result.
  'tiered.fitsAfterCompress': 'D13: tightened from the source, and the statistics describe that',
  'tiered.tighten': 'D13: the same',
  'tiered.stub': 'D13: the same',
  'tiered.nofit': 'D13: the same',
  'tiered.default.rw4': 'D13: the same',
  'tiered.minRecencyIgnored': 'D13: the same',
  'tiered.hardT0NotProtected': 'D13: JSON and tool calls stay',
  'tiered.forceConverge': 'D13: what looks like code is cut, as in any forced truncation, and not summarised',
  'tiered.async': 'D13: what the summarizer is given is the summary, not its wrapping',
  'tiered.counter': 'D13: no empty metadata is added',
  'tiered.importanceForce': 'D13: tightened from the source; code stays until it is cut',
  'tiered.realTruncate': 'D13: tightened from the source',
  'tiered.truncateReached': 'D13: the same',
  'tiered.truncateT0': 'D13: the same',
  'compress.depth.auto.tiered': 'D13: the same',
  'roundtrip.tiered.convA': 'D13: the same, and the round trip is exact',
  'roundtrip.tiered.convB': 'D13: the same',
  'roundtrip.tiered.convC': 'D13: the same',
  'roundtrip.tiered.convD': 'D13: the same',
  'roundtrip.tiered.convE': 'D13: the same',
  'compress.flow.overridesHardT0': 'D12: a chain cuts nothing that a hard reason keeps',
  'compress.flow.convC': 'D12: the same, an answer that reads as SQL',
  'compress.cluster.flowFirst': 'D12: the same conversation',
  'compress.combo.quality': 'D12: messages with others between them are not joined, and names are explained inside of the brackets',
  'compress.flow.withContradictionAndImportance': 'D12: the same, and what corrects another message is kept',
  'compress.combo.ratio': 'D13: tightened from the source, and the statistics describe that',
  'compress.coref': 'D12: what the summary says is not said again before it',
  'compress.coref.merged': 'D12: the same',
  'compress.coref.convD': 'D12: the same',
  'compress.clusterNonString': 'D17: content that is no string counts as an empty text, as everywhere',
  'compress.corefNonString': 'D17: the same',
  'compress.discourse.classifierOnly': 'D9: recent messages are not sent to the classifier',
  'compress.ml.dropAll': 'D16: an answer that leaves nothing falls back to the rules',
  'prepass.expired': 'D12: the agent speaks of an update, but no tool says that it wrote the file',
  'compress.prepass.convB': 'D12: the file was only edited, and what was trimmed has provenance',
  'compress.combo.agent': 'D12: the same',
  'prepass.toolCallsNotExempt': 'D12: messages with tool calls are exempt, as documented',
  'prepass.preserveNotExempt': 'D12: preserved roles are exempt, as documented',
  'prepass.compressedToolMessage': 'D12: what stands for others already stays',
  'prepass.roundtripLoss': 'D12: stack frames stay',
};
/** D12: content that the pass over tool results removes is in `verbatim`, so the vectors' texts are not all of it here. */
const textsOf = ({ messages }) => messages.map(({ content }) => content);
const isDifferent = (name) => name in DIFFERENT || /^(prepass\.)?bug\./.test(name);

/** The same structure, with keys in any order and floats as close as different libraries of logarithms give them. */
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
  test(`${fn}: ${name}`, async () => {
    const actual = await run(palimpsest, vector);
    if (name.startsWith('prepass.')) return assert.deepEqual(textsOf(actual), textsOf(result));
    assertSame(actual, result);
  });
}

test('every omitted vector exists', { skip }, () => {
  const names = new Set(vectors.map(({ name }) => name));
  assert.deepEqual(
    Object.keys(DIFFERENT).filter((name) => !names.has(name)),
    [],
  );
});

test('docs/reference/differences.md names the difference of every omitted vector', () => {
  assert.deepEqual(unnumbered(Object.values(DIFFERENT)), []);
});
