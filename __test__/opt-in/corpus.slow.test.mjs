// Recorded and written conversations under each opt-in option and under random combinations.
import assert from 'node:assert/strict';
import test from 'node:test';

import { compress, uncompress } from 'palimpsest';

import { MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter, createMockTokenClassifier } from 'palimpsest/compress';
import { CORPORA } from '../support/corpus.mjs';
import { Random } from '../support/random.mjs';
import { someOf } from '../support/seed.mjs';

/** What each option may be set to beside its default. */
const VALUES = {
  importanceScoring: [true],
  importanceThreshold: [0.3, 0.5],
  contradictionDetection: [true],
  relevanceThreshold: [1, 3, 6],
  compressionDepth: ['moderate', 'aggressive', 'auto'],
  budgetStrategy: ['tiered'],
  tokenBudget: [200, 1000, 5000],
  forceConverge: [true],
  recencyWindow: [0, 10],
  entropyScorer: [(sentences) => sentences.map(({ length }) => -length), () => []],
  entropyScorerMode: ['replace'],
  conversationFlow: [true],
  semanticClustering: [true],
  coreference: [true],
  discourseAware: [true],
  mlTokenClassifier: [createMockTokenClassifier([/[A-Z0-9]/]), () => []],
  adapters: [[StructuredOutputAdapter, XmlAdapter, YamlAdapter, MarkdownAdapter]],
  observationThreshold: [200],
  agentToolPrepass: [true],
};

const lengthOf = ({ content }) => (typeof content === 'string' ? content.length : 0);
const sum = (messages) => messages.reduce((total, message) => total + lengthOf(message), 0);

/** Compresses twice, as agents do whose conversation goes on. */
function check(id, messages, options) {
  const name = `${id} ${JSON.stringify(options, (_key, value) => (typeof value === 'function' ? 'function' : value))}`;
  const before = JSON.stringify(messages);
  const first = compress(messages, options);
  assert.equal(JSON.stringify(messages), before, `${name}: the input was changed`);
  assert.ok(sum(first.messages) <= sum(messages), `${name}: it grew`);
  assert.deepEqual(uncompress(first.messages, first.verbatim).messages, messages, name);
  const again = compress(first.messages, options);
  assert.ok(sum(again.messages) <= sum(first.messages), `${name}: it grew the second time`);
  assert.deepEqual(uncompress(again.messages, again.verbatim).messages, first.messages, `${name}, again`);
}

for (const { corpus, plain, skip } of CORPORA) {
  test(`${corpus}: each option by itself`, { skip }, () => {
    for (const { id, messages } of someOf(plain())) {
      for (const [option, values] of Object.entries(VALUES)) {
        // These only tune others.
        const more = {
          importanceThreshold: { importanceScoring: true },
          budgetStrategy: { tokenBudget: 1000 },
          forceConverge: { tokenBudget: 1000 },
        }[option];
        for (const value of values) check(id, messages, { ...more, [option]: value });
      }
    }
  });

  test(`${corpus}: random combinations`, { skip }, () => {
    const random = new Random(1);
    for (const { id, messages } of someOf(plain())) {
      for (let round = 0; round < 5; round++) {
        const chosen = Object.entries(VALUES).filter(() => random.chance(0.5));
        check(id, messages, Object.fromEntries(chosen.map(([option, values]) => [option, random.pick(values)])));
      }
    }
  });
}
