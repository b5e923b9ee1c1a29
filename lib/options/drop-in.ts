// Options of the drop-in's `compress` and `uncompress`.

import { DEPTH } from '../generated/layout.js';
import { formatName } from './custom-format.js';
import { adapters, labelledPatterns, roles } from './drop-in-kinds.js';
import { choice, flag, func, number, numberWhere, orNone } from './kinds.js';
import { concurrency, isTokenizer, signal, summarizer, trace, unlessBothCount } from './shared.js';
import type { Table } from './shared.js';
import type { CompressOptions, UncompressOptions } from '../../index.js';

export const compress = {
  format: { kind: formatName },
  preserve: { kind: roles, default: ['system'] },
  recencyWindow: { kind: number, default: 4 },
  sourceVersion: { kind: number, default: 0 },
  dedup: { kind: flag, default: true },
  fuzzyDedup: { kind: flag, default: false },
  fuzzyThreshold: { kind: number, default: 0.85 },
  conversationFlow: { kind: flag, default: false },
  semanticClustering: { kind: flag, default: false },
  coreference: { kind: flag, default: false },
  discourseAware: { kind: flag, default: false },
  embedSummaryId: { kind: flag, default: false },
  preservePatterns: { kind: labelledPatterns },
  tokenBudget: { kind: numberWhere((value) => !Number.isNaN(value), 'a number of tokens') },
  minRecencyWindow: {
    // The search for the largest window that fits the budget starts here and counts up: below this, adding 1 changes
    // nothing, and the search would not end.
    kind: numberWhere((value) => !(value < Number.MIN_SAFE_INTEGER), `at least ${Number.MIN_SAFE_INTEGER}`),
    default: 0,
  },
  forceConverge: { kind: flag, default: false },
  tokenCounter: { kind: func },
  tokenizer: { kind: unlessBothCount(isTokenizer) },
  compressionThreshold: { kind: number },
  observationThreshold: { kind: number },
  summarizer,
  classifier: { kind: orNone(func) },
  adapters: { kind: orNone(adapters) },
  mlTokenClassifier: { kind: orNone(func) },
  agentToolPrepass: { kind: flag, default: false },
  classifierMode: { kind: choice(['hybrid', 'full']), default: 'hybrid' },
  importanceScoring: { kind: flag, default: false },
  importanceThreshold: { kind: number, default: 0.65 },
  contradictionDetection: { kind: flag, default: false },
  contradictionTopicThreshold: { kind: number, default: 0.15 },
  relevanceThreshold: { kind: number, default: 0 },
  budgetStrategy: { kind: choice(['binary-search', 'tiered']), default: 'binary-search' },
  compressionDepth: { kind: choice(Object.keys(DEPTH)), default: 'gentle' },
  entropyScorer: { kind: orNone(func) },
  entropyScorerMode: { kind: choice(['augment', 'replace']), default: 'augment' },
  clusterThreshold: { kind: number, default: 0.15 },
  concurrency,
  signal,
  trace,
} satisfies Table<CompressOptions>;

export const uncompress = { recursive: { kind: flag, default: false } } satisfies Table<UncompressOptions>;
