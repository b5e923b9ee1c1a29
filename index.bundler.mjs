// What index.mjs gives, for bundlers: they follow an `import`, but not every one of them a `createRequire`.
import palimpsest from './index.js';

export const {
  analyzeDuplicates,
  analyzeFuzzyDuplicates,
  bestSentenceScore,
  classifyMessage,
  collectMessageEntities,
  compress,
  computeEntityRetention,
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
  fit,
  prune,
  restore,
  uncompress,
  validate,
} = palimpsest;
