// Time with the opt-in features grows with the conversation, not with its square.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';

import {
  MarkdownAdapter,
  StructuredOutputAdapter,
  XmlAdapter,
  YamlAdapter,
  analyzeContradictions,
  bestSentenceScore,
  compress,
  computeImportance,
  scoreContentSignals,
  splitSentences,
} from '../../index.mjs';

/** The least of three times on the processors, in ms: what else they have to do does not count. */
function fastest(work) {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/**
 * Four times the input would take sixteen times as long, were it the square. A millisecond is timer noise; what the compiler or the
 * collector adds once it does not add each time, as a square would.
 */
function assertLinear(work, small) {
  work(small);
  for (let tries = 3; ; tries--) {
    const [one, four] = [fastest(() => work(small)), fastest(() => work(4 * small))];
    if (four < 10 * one + 1) return;
    assert.ok(tries > 1, `${one.toFixed(2)} ms, four times as much: ${four.toFixed(2)} ms`);
  }
}

const PIECES = {
  letters: 'abcdefghij',
  blanks: ' ',
  consonants: 'bcd',
  'dotted lines': 'a.b:1',
  'line numbers': 'x.y:1:1',
  colons: ':',
  'colons and digits': ':1',
  dots: '.',
  'dots and letters': 'a.',
  'no, and blanks': 'no, ',
  'use, use': 'use ',
  'not a word': 'not a ',
  wait: 'wait,',
  'wait wait': 'wait, ',
  snakes: 'a_b ',
  underscores: 'a_',
  camels: 'aBc',
  words: 'harbour ledger lantern ferry ',
  sentences: 'It is so. ',
  'lone surrogates': '\ud800',
};

describe('one long text', () => {
  for (const [name, piece] of Object.entries(PIECES)) {
    test(name, () => {
      assertLinear((length) => {
        const text = piece.repeat(Math.ceil(length / piece.length));
        const messages = [{ content: text }, { content: text }];
        scoreContentSignals(text);
        bestSentenceScore(text);
        splitSentences(text);
        computeImportance(messages);
        analyzeContradictions(messages);
      }, 50_000);
    });
  }
});

describe('many messages', () => {
  const conversations = {
    'that all have the same names and corrections': (count) =>
      Array.from(
        { length: count },
        (_, index) =>
          `Actually, the berthPlanner of read_token must use the north quay of grpc in src/a.rs:${index % 3}, and never another one at all, whatever it is called.`,
      ),
    'that all have other names': (count) =>
      Array.from(
        { length: count },
        (_, index) =>
          `Actually, the berth${'abcdefghij'[index % 10]}Planner${index} of name_${index} in src/f${index}.rs:1 must be used instead of word${index}, and never another one at all.`,
      ),
  };
  const options = {
    importanceScoring: { importanceScoring: true },
    contradictionDetection: { contradictionDetection: true },
    relevanceThreshold: { relevanceThreshold: 8 },
    compressionDepth: { compressionDepth: 'aggressive' },
    auto: { compressionDepth: 'auto', tokenBudget: 1 },
    tiered: { budgetStrategy: 'tiered', tokenBudget: 1, recencyWindow: 0, forceConverge: true },
    conversationFlow: { conversationFlow: true },
    semanticClustering: { semanticClustering: true },
    coreference: { coreference: true },
    discourseAware: { discourseAware: true },
    entropyScorer: { entropyScorer: (sentences) => sentences.map(({ length }) => length) },
    mlTokenClassifier: { mlTokenClassifier: (text) => text.split(' ').map((token) => ({ token, keep: token.length > 5, confidence: 1 })) },
    adapters: { adapters: [StructuredOutputAdapter, XmlAdapter, YamlAdapter, MarkdownAdapter] },
    agentToolPrepass: { agentToolPrepass: true },
    together: {
      importanceScoring: true,
      importanceThreshold: 0.9,
      contradictionDetection: true,
      compressionDepth: 'auto',
      tokenBudget: 1,
      forceConverge: true,
    },
  };
  for (const [kind, contents] of Object.entries(conversations)) {
    for (const [name, given] of Object.entries(options)) {
      test(`${kind}: ${name}`, () => {
        assertLinear((count) => {
          const messages = contents(count).map((content, index) => ({
            id: `m${index}`,
            index,
            role: index % 2 ? 'user' : 'assistant',
            content,
          }));
          compress(messages, { trace: true, ...given });
        }, 1500);
      });
    }
  }
});
