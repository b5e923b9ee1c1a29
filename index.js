'use strict';

// The engine is loaded with the package, so that the import tells when it can't be.
require('./lib/native.js');

// All else is read when it is first called: that takes longer than to load the engine, and no program calls everything.
const analysis = () => require('./lib/analysis.js');
const contradiction = () => require('./lib/contradiction.js');
const entropy = () => require('./lib/entropy.js');
const importance = () => require('./lib/importance.js');
const llm = () => require('./lib/llm/index.js');
const flow = () => require('./lib/flow.js');
const discourse = () => require('./lib/discourse.js');
const coreference = () => require('./lib/coreference.js');
const cluster = () => require('./lib/cluster.js');
const tokenClassifier = () => require('./lib/token-classifier.js');
const feedback = () => require('./lib/feedback/index.js');

/** A built-in adapter; what it does is read when it is first asked. */
function adapter(name) {
  const built = () => require('./lib/adapters/built-in.js')[name];
  return Object.freeze({
    name,
    detect: (content) => built().detect(content),
    extractPreserved: (content) => built().extractPreserved(content),
    extractCompressible: (content) => built().extractCompressible(content),
    reconstruct: (preserved, summary) => built().reconstruct(preserved, summary),
  });
}

module.exports = {
  compress: (messages, ...more) => require('./lib/compress.js').compress(messages, ...more),
  uncompress: (messages, store, options) => require('./lib/uncompress.js').uncompress(messages, store, options),
  classifyMessage: (text) => require('./lib/classify.js').classifyMessage(text),

  analyzeDuplicates: (messages, ...more) => analysis().analyzeDuplicates(messages, ...more),
  analyzeFuzzyDuplicates: (messages, ...more) => analysis().analyzeFuzzyDuplicates(messages, ...more),
  bestSentenceScore: (text) => analysis().bestSentenceScore(text),
  collectMessageEntities: (messages) => analysis().collectMessageEntities(messages),
  computeEntityRetention: (original, compressed) => analysis().computeEntityRetention(original, compressed),
  computeFactRetention: (original, compressed) => analysis().computeFactRetention(original, compressed),
  computeQualityScore: (original, compressed) => analysis().computeQualityScore(original, compressed),
  computeReferenceCoherence: (original, compressed) => analysis().computeReferenceCoherence(original, compressed),
  computeStructuralIntegrity: (original, compressed) => analysis().computeStructuralIntegrity(original, compressed),
  defaultTokenCounter: (message) => analysis().defaultTokenCounter(message),
  extractEntities: (text, cap) => analysis().extractEntities(text, cap),

  DEFAULT_IMPORTANCE_THRESHOLD: 0.65,
  computeImportance: (messages) => importance().computeImportance(messages),
  scoreContentSignals: (content) => importance().scoreContentSignals(content),
  analyzeContradictions: (messages, ...more) => contradiction().analyzeContradictions(messages, ...more),
  combineScores: (heuristic, scores, ...more) => entropy().combineScores(heuristic, scores, ...more),
  normalizeScores: (scores) => entropy().normalizeScores(scores),
  splitSentences: (text) => entropy().splitSentences(text),

  createSummarizer: (callLlm, options) => llm().createSummarizer(callLlm, options),
  createEscalatingSummarizer: (callLlm, options) => llm().createEscalatingSummarizer(callLlm, options),
  createClassifier: (callLlm, options) => llm().createClassifier(callLlm, options),
  createEscalatingClassifier: (callLlm, options) => llm().createEscalatingClassifier(callLlm, options),

  detectFlowChains: (messages, recencyStart, preserve) => flow().detectFlowChains(messages, recencyStart, preserve),
  summarizeChain: (chain, messages) => flow().summarizeChain(chain, messages),
  segmentEDUs: (text) => discourse().segmentEDUs(text),
  scoreEDUs: (edus, scorer) => discourse().scoreEDUs(edus, scorer),
  selectEDUs: (edus, budget, ...more) => discourse().selectEDUs(edus, budget, ...more),
  summarizeWithEDUs: (text, budget, scorer) => discourse().summarizeWithEDUs(text, budget, scorer),
  buildCoreferenceMap: (messages) => coreference().buildCoreferenceMap(messages),
  findOrphanedReferences: (entities, old, kept) => coreference().findOrphanedReferences(entities, old, kept),
  generateInlineDefinitions: (entities, source) => coreference().generateInlineDefinitions(entities, source),
  clusterMessages: (messages, eligible, ...more) => cluster().clusterMessages(messages, eligible, ...more),
  summarizeCluster: (found, messages) => cluster().summarizeCluster(found, messages),

  compressWithTokenClassifier: (content, classifier, minConfidence) =>
    tokenClassifier().compressWithTokenClassifier(content, classifier, minConfidence),
  compressWithTokenClassifierSync: (content, classifier, minConfidence) =>
    tokenClassifier().compressWithTokenClassifierSync(content, classifier, minConfidence),
  createMockTokenClassifier: (patterns, ...more) => tokenClassifier().createMockTokenClassifier(patterns, ...more),
  whitespaceTokenize: (text) => tokenClassifier().whitespaceTokenize(text),

  CodeAdapter: adapter('code'),
  StructuredOutputAdapter: adapter('structured_output'),
  XmlAdapter: adapter('xml'),
  YamlAdapter: adapter('yaml'),
  MarkdownAdapter: adapter('markdown'),

  createFeedbackCollector: (callLlm) => feedback().createFeedbackCollector(callLlm),
  refineSummarizer: (options, found) => feedback().refineSummarizer(options, found),
  tightenSummarizer: (options, found) => feedback().tightenSummarizer(options, found),
  refineSummarizerCandidates: (callLlm, options, found, ...more) =>
    feedback().refineSummarizerCandidates(callLlm, options, found, ...more),
  createDistillationPairs: (result) => feedback().createDistillationPairs(result),
  RECOMMENDED_HISTORY_THRESHOLD: 4096,
  RECOMMENDED_OBSERVATION_THRESHOLD: 1024,

  countTokens: (input, options) => require('./lib/tokens/index.js').countTokens(input, options),
  prune: (messages, ...more) => require('./lib/agent/prune.js').prune(messages, ...more),
  restore: (messages, originals) => require('./lib/agent/restore.js').restore(messages, originals),
  validate: (messages, options) => require('./lib/validate/index.js').validate(messages, options),
};
