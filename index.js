'use strict';

// The engine is loaded with the package, so that the import tells when it can't be.
require('./lib/native.js');

// All else is read when it is first called: that takes longer than to load the engine, and no program calls everything.
const analysis = () => require('./lib/analysis.js');
const llm = () => require('./lib/llm/index.js');

const compress = (messages, ...more) => require('./lib/compress.js').compress(messages, ...more);
const uncompress = (messages, store, options) => require('./lib/uncompress.js').uncompress(messages, store, options);
const classifyMessage = (text) => require('./lib/classify.js').classifyMessage(text);

const analyzeDuplicates = (messages, ...more) => analysis().analyzeDuplicates(messages, ...more);
const analyzeFuzzyDuplicates = (messages, ...more) => analysis().analyzeFuzzyDuplicates(messages, ...more);
const bestSentenceScore = (text) => analysis().bestSentenceScore(text);
const collectMessageEntities = (messages) => analysis().collectMessageEntities(messages);
const computeEntityRetention = (original, compressed) => analysis().computeEntityRetention(original, compressed);
const computeQualityScore = (original, compressed) => analysis().computeQualityScore(original, compressed);
const computeReferenceCoherence = (original, compressed) => analysis().computeReferenceCoherence(original, compressed);
const computeStructuralIntegrity = (original, compressed) => analysis().computeStructuralIntegrity(original, compressed);
const defaultTokenCounter = (message) => analysis().defaultTokenCounter(message);
const extractEntities = (text, cap) => analysis().extractEntities(text, cap);

const createSummarizer = (callLlm, options) => llm().createSummarizer(callLlm, options);
const createEscalatingSummarizer = (callLlm, options) => llm().createEscalatingSummarizer(callLlm, options);
const createClassifier = (callLlm, options) => llm().createClassifier(callLlm, options);
const createEscalatingClassifier = (callLlm, options) => llm().createEscalatingClassifier(callLlm, options);

const countTokens = (input, options) => require('./lib/tokens/index.js').countTokens(input, options);
const fit = (messages, options) => require('./lib/fit/index.js').fit(messages, options);
const prune = (messages, ...more) => require('./lib/agent/prune.js').prune(messages, ...more);
const restore = (messages, originals) => require('./lib/agent/restore.js').restore(messages, originals);
const validate = (messages, options) => require('./lib/validate/index.js').validate(messages, options);

// By nothing but names, so that an `import` of this file knows them too.
module.exports = {
  compress,
  uncompress,
  classifyMessage,
  analyzeDuplicates,
  analyzeFuzzyDuplicates,
  bestSentenceScore,
  collectMessageEntities,
  computeEntityRetention,
  computeQualityScore,
  computeReferenceCoherence,
  computeStructuralIntegrity,
  defaultTokenCounter,
  extractEntities,
  createSummarizer,
  createEscalatingSummarizer,
  createClassifier,
  createEscalatingClassifier,
  countTokens,
  fit,
  prune,
  restore,
  validate,
};
