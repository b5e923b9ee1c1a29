// The same functions as `require('palimpsest')`, under names that ES modules can import.
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
  prune,
  restore,
  uncompress,
  validate,
} = palimpsest;
