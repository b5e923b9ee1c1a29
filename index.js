'use strict';

// Loads the engine, so that the import fails if it cannot be loaded.
require('./lib/native.js');
const { marksNote } = require('./lib/marks-note.js');

// Everything else is loaded at its first call: loading it takes longer than loading the engine, and no program calls everything.
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

/** Creates a built-in adapter, whose code is loaded at its first call. */
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

const compress = (messages, ...more) => require('./lib/compress/index.js').compress(messages, ...more);
const uncompress = (messages, store, options) => require('./lib/uncompress.js').uncompress(messages, store, options);
const classifyMessage = (text) => require('./lib/classify.js').classifyMessage(text);

const analyzeDuplicates = (messages, ...more) => analysis().analyzeDuplicates(messages, ...more);
const analyzeFuzzyDuplicates = (messages, ...more) => analysis().analyzeFuzzyDuplicates(messages, ...more);
const bestSentenceScore = (text) => analysis().bestSentenceScore(text);
const collectMessageEntities = (messages) => analysis().collectMessageEntities(messages);
const computeEntityRetention = (input, output) => analysis().computeEntityRetention(input, output);
const computeFactRetention = (input, output) => analysis().computeFactRetention(input, output);
const computeQualityScore = (input, output) => analysis().computeQualityScore(input, output);
const computeReferenceCoherence = (input, output) => analysis().computeReferenceCoherence(input, output);
const computeStructuralIntegrity = (input, output) => analysis().computeStructuralIntegrity(input, output);
const defaultTokenCounter = (message) => analysis().defaultTokenCounter(message);
const extractEntities = (text, cap) => analysis().extractEntities(text, cap);

const DEFAULT_IMPORTANCE_THRESHOLD = 0.65;
const computeImportance = (messages) => importance().computeImportance(messages);
const scoreContentSignals = (content) => importance().scoreContentSignals(content);
const analyzeContradictions = (messages, ...more) => contradiction().analyzeContradictions(messages, ...more);
const combineScores = (heuristic, scores, ...more) => entropy().combineScores(heuristic, scores, ...more);
const normalizeScores = (scores) => entropy().normalizeScores(scores);
const splitSentences = (text) => entropy().splitSentences(text);

const createSummarizer = (callLlm, options) => llm().createSummarizer(callLlm, options);
const createEscalatingSummarizer = (callLlm, options) => llm().createEscalatingSummarizer(callLlm, options);
const createClassifier = (callLlm, options) => llm().createClassifier(callLlm, options);
const createEscalatingClassifier = (callLlm, options) => llm().createEscalatingClassifier(callLlm, options);

const detectFlowChains = (messages, recencyStart, preserve) => flow().detectFlowChains(messages, recencyStart, preserve);
const summarizeChain = (chain, messages) => flow().summarizeChain(chain, messages);
const segmentEDUs = (text) => discourse().segmentEDUs(text);
const scoreEDUs = (edus, scorer) => discourse().scoreEDUs(edus, scorer);
const selectEDUs = (edus, budget, ...more) => discourse().selectEDUs(edus, budget, ...more);
const summarizeWithEDUs = (text, budget, scorer) => discourse().summarizeWithEDUs(text, budget, scorer);
const buildCoreferenceMap = (messages) => coreference().buildCoreferenceMap(messages);
const findOrphanedReferences = (entities, old, kept) => coreference().findOrphanedReferences(entities, old, kept);
const generateInlineDefinitions = (entities, source) => coreference().generateInlineDefinitions(entities, source);
const clusterMessages = (messages, eligible, ...more) => cluster().clusterMessages(messages, eligible, ...more);
const summarizeCluster = (found, messages) => cluster().summarizeCluster(found, messages);

const compressWithTokenClassifier = (content, classifier, minConfidence) =>
  tokenClassifier().compressWithTokenClassifier(content, classifier, minConfidence);
const compressWithTokenClassifierSync = (content, classifier, minConfidence) =>
  tokenClassifier().compressWithTokenClassifierSync(content, classifier, minConfidence);
const createMockTokenClassifier = (patterns, ...more) => tokenClassifier().createMockTokenClassifier(patterns, ...more);
const whitespaceTokenize = (text) => tokenClassifier().whitespaceTokenize(text);

const CodeAdapter = adapter('code');
const StructuredOutputAdapter = adapter('structured_output');
const XmlAdapter = adapter('xml');
const YamlAdapter = adapter('yaml');
const MarkdownAdapter = adapter('markdown');

const createFeedbackCollector = (callLlm) => feedback().createFeedbackCollector(callLlm);
const refineSummarizer = (options, found) => feedback().refineSummarizer(options, found);
const tightenSummarizer = (options, found) => feedback().tightenSummarizer(options, found);
const refineSummarizerCandidates = (callLlm, options, found, ...more) =>
  feedback().refineSummarizerCandidates(callLlm, options, found, ...more);
const createDistillationPairs = (result) => feedback().createDistillationPairs(result);
const RECOMMENDED_HISTORY_THRESHOLD = 4096;
const RECOMMENDED_OBSERVATION_THRESHOLD = 1024;

const recall = (history, messages, query, options) => require('./lib/recall/index.js').recall(history, messages, query, options);
const recallTool = (session) => require('./lib/session/index.js').recallTool(session);
const createSession = (options, saved) => require('./lib/session/index.js').createSession(options, saved);
const countTokens = (input, options) => require('./lib/tokens/index.js').countTokens(input, options);
const fit = (messages, options) => require('./lib/fit/index.js').fit(messages, options);
const fitRequest = (request, options) => require('./lib/fit/request.js').fitRequest(request, options);
const prune = (messages, ...more) => require('./lib/agent/prune.js').prune(messages, ...more);
const saveOriginals = (store, id, originals, options) => require('./lib/store/originals.js').saveOriginals(store, id, originals, options);
const loadOriginals = (store, id, key) => require('./lib/store/originals.js').loadOriginals(store, id, key);
const redactSecrets = (text) => require('./lib/redact.js').redactSecrets(text);
const mergeOriginals = (...originals) => require('./lib/agent/merge.js').mergeOriginals(...originals);
const restore = (messages, originals) => require('./lib/agent/restore.js').restore(messages, originals);
const validate = (messages, options) => require('./lib/validate/index.js').validate(messages, options);
const warmUp = (options) => require('./lib/warm-up.js').warmUp(options);

// Shorthand names only, so that Node recognises them in an `import` of this file.
module.exports = {
  compress,
  uncompress,
  classifyMessage,
  analyzeDuplicates,
  analyzeFuzzyDuplicates,
  bestSentenceScore,
  collectMessageEntities,
  computeEntityRetention,
  computeFactRetention,
  computeQualityScore,
  computeReferenceCoherence,
  computeStructuralIntegrity,
  defaultTokenCounter,
  extractEntities,
  DEFAULT_IMPORTANCE_THRESHOLD,
  computeImportance,
  scoreContentSignals,
  analyzeContradictions,
  combineScores,
  normalizeScores,
  splitSentences,
  createSummarizer,
  createEscalatingSummarizer,
  createClassifier,
  createEscalatingClassifier,
  detectFlowChains,
  summarizeChain,
  segmentEDUs,
  scoreEDUs,
  selectEDUs,
  summarizeWithEDUs,
  buildCoreferenceMap,
  findOrphanedReferences,
  generateInlineDefinitions,
  clusterMessages,
  summarizeCluster,
  compressWithTokenClassifier,
  compressWithTokenClassifierSync,
  createMockTokenClassifier,
  whitespaceTokenize,
  CodeAdapter,
  StructuredOutputAdapter,
  XmlAdapter,
  YamlAdapter,
  MarkdownAdapter,
  createFeedbackCollector,
  refineSummarizer,
  tightenSummarizer,
  refineSummarizerCandidates,
  createDistillationPairs,
  RECOMMENDED_HISTORY_THRESHOLD,
  RECOMMENDED_OBSERVATION_THRESHOLD,
  countTokens,
  marksNote,
  createSession,
  fit,
  fitRequest,
  prune,
  recall,
  redactSecrets,
  recallTool,
  mergeOriginals,
  restore,
  saveOriginals,
  loadOriginals,
  validate,
  warmUp,
};
