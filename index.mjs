// The same functions as `require('palimpsest')`, under names that ES modules can import. An `import` of a CommonJS file
// would start Node's lexer, which takes several times as long as to load the package (in Node before 24).
import { createRequire } from 'node:module';

export const {
  DEFAULT_IMPORTANCE_THRESHOLD,
  analyzeContradictions,
  analyzeDuplicates,
  analyzeFuzzyDuplicates,
  bestSentenceScore,
  classifyMessage,
  collectMessageEntities,
  combineScores,
  compress,
  computeEntityRetention,
  computeImportance,
  computeQualityScore,
  computeReferenceCoherence,
  computeStructuralIntegrity,
  countTokens,
  createClassifier,
  createEscalatingClassifier,
  createEscalatingSummarizer,
  createSummarizer,
  defaultTokenCounter,
  extractEntities,
  normalizeScores,
  prune,
  restore,
  scoreContentSignals,
  splitSentences,
  uncompress,
  validate,
} = createRequire(import.meta.url)('./index.js');
