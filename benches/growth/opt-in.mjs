// The opt-in options of `compress`.
import { MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter } from 'palimpsest/compress';
import { cases, messagesOf, repeat } from './family.mjs';

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

const texts = Object.fromEntries(Object.entries(PIECES).map(([name, piece]) => [name, repeat(piece)]));
const inputs = Object.fromEntries(
  Object.entries(conversations).map(([kind, contents]) => [kind, (count) => messagesOf(...contents(count))]),
);

export const optIn = [
  ...cases('scores and contradictions', 200_000, texts, (palimpsest, text) => {
    const messages = [{ content: text }, { content: text }];
    palimpsest.scoreContentSignals(text);
    palimpsest.bestSentenceScore(text);
    palimpsest.splitSentences(text);
    palimpsest.computeImportance(messages);
    palimpsest.analyzeContradictions(messages);
  }),
  ...Object.entries(options).flatMap(([name, given]) =>
    cases(`compress, ${name}`, 6000, inputs, ({ compress }, messages) => compress(messages, { trace: true, ...given })),
  ),
];
