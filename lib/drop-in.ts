// palimpsest/compress: all that context-compression-engine exports.

import type * as api from '../drop-in.js';
import type { Foreign } from './types.js';

export { compress, createClassifier, createSummarizer, uncompress } from './index.js';

// Loaded at the first call, as in index.ts.
const analysis = () => require('./analysis.js') as typeof import('./analysis.js');
const contradiction = () => require('./contradiction.js') as typeof import('./contradiction.js');
const entropy = () => require('./entropy.js') as typeof import('./entropy.js');
const importance = () => require('./importance.js') as typeof import('./importance.js');
const llm = () => require('./llm/index.js') as typeof import('./llm/index.js');
const flow = () => require('./flow.js') as typeof import('./flow.js');
const discourse = () => require('./discourse.js') as typeof import('./discourse.js');
const coreference = () => require('./coreference.js') as typeof import('./coreference.js');
const cluster = () => require('./cluster.js') as typeof import('./cluster.js');
const tokenClassifier = () => require('./token-classifier.js') as typeof import('./token-classifier.js');
const feedback = () => require('./feedback/index.js') as typeof import('./feedback/index.js');

/** Creates a built-in adapter, whose code is loaded at its first call. */
function adapter(name: string) {
  const built = () => (require('./adapters/built-in.js') as typeof import('./adapters/built-in.js')).default[name];
  return Object.freeze({
    name,
    detect: (content: Foreign) => built().detect(content),
    extractPreserved: (content: Foreign) => built().extractPreserved(content),
    extractCompressible: (content: Foreign) => built().extractCompressible(content),
    reconstruct: (preserved: Foreign, summary: Foreign) => built().reconstruct(preserved, summary),
  });
}

export const classifyMessage: typeof api.classifyMessage = (text: Foreign): Foreign =>
  (require('./classify.js') as typeof import('./classify.js')).classifyMessage(text);
export const analyzeDuplicates: typeof api.analyzeDuplicates = (messages: Foreign, ...more: Foreign[]): Foreign =>
  analysis().analyzeDuplicates(messages, ...more);
export const analyzeFuzzyDuplicates: typeof api.analyzeFuzzyDuplicates = (messages: Foreign, ...more: Foreign[]): Foreign =>
  analysis().analyzeFuzzyDuplicates(messages, ...more);
export const bestSentenceScore: typeof api.bestSentenceScore = (text: Foreign): Foreign => analysis().bestSentenceScore(text);
export const collectMessageEntities: typeof api.collectMessageEntities = (messages: Foreign): Foreign =>
  analysis().collectMessageEntities(messages);
export const computeEntityRetention: typeof api.computeEntityRetention = (input: Foreign, output: Foreign): Foreign =>
  analysis().computeEntityRetention(input, output);
export const computeFactRetention: typeof api.computeFactRetention = (input: Foreign, output: Foreign): Foreign =>
  analysis().computeFactRetention(input, output);
export const computeQualityScore: typeof api.computeQualityScore = (input: Foreign, output: Foreign): Foreign =>
  analysis().computeQualityScore(input, output);
export const computeReferenceCoherence: typeof api.computeReferenceCoherence = (input: Foreign, output: Foreign): Foreign =>
  analysis().computeReferenceCoherence(input, output);
export const computeStructuralIntegrity: typeof api.computeStructuralIntegrity = (input: Foreign, output: Foreign): Foreign =>
  analysis().computeStructuralIntegrity(input, output);
export const defaultTokenCounter: typeof api.defaultTokenCounter = (message: Foreign): Foreign => analysis().defaultTokenCounter(message);
export const extractEntities: typeof api.extractEntities = (text: Foreign, cap: Foreign): Foreign => analysis().extractEntities(text, cap);
export const DEFAULT_IMPORTANCE_THRESHOLD: typeof api.DEFAULT_IMPORTANCE_THRESHOLD = 0.65;
export const computeImportance: typeof api.computeImportance = (messages: Foreign): Foreign => importance().computeImportance(messages);
export const scoreContentSignals: typeof api.scoreContentSignals = (content: Foreign): Foreign => importance().scoreContentSignals(content);
export const analyzeContradictions: typeof api.analyzeContradictions = (messages: Foreign, ...more: Foreign[]): Foreign =>
  contradiction().analyzeContradictions(messages, ...more);
export const combineScores: typeof api.combineScores = (heuristic: Foreign, scores: Foreign, ...more: Foreign[]): Foreign =>
  entropy().combineScores(heuristic, scores, ...more);
export const normalizeScores: typeof api.normalizeScores = (scores: Foreign): Foreign => entropy().normalizeScores(scores);
export const splitSentences: typeof api.splitSentences = (text: Foreign): Foreign => entropy().splitSentences(text);
export const createEscalatingSummarizer: typeof api.createEscalatingSummarizer = (callLlm: Foreign, options: Foreign): Foreign =>
  llm().createEscalatingSummarizer(callLlm, options);
export const createEscalatingClassifier: typeof api.createEscalatingClassifier = (callLlm: Foreign, options: Foreign): Foreign =>
  llm().createEscalatingClassifier(callLlm, options);
export const detectFlowChains: typeof api.detectFlowChains = (messages: Foreign, recencyStart: Foreign, preserve: Foreign): Foreign =>
  flow().detectFlowChains(messages, recencyStart, preserve);
export const summarizeChain: typeof api.summarizeChain = (chain: Foreign, messages: Foreign): Foreign =>
  flow().summarizeChain(chain, messages);
export const segmentEDUs: typeof api.segmentEDUs = (text: Foreign): Foreign => discourse().segmentEDUs(text);
export const scoreEDUs: typeof api.scoreEDUs = (edus: Foreign, scorer: Foreign): Foreign => discourse().scoreEDUs(edus, scorer);
export const selectEDUs: typeof api.selectEDUs = (edus: Foreign, budget: Foreign, ...more: Foreign[]): Foreign =>
  discourse().selectEDUs(edus, budget, ...more);
export const summarizeWithEDUs: typeof api.summarizeWithEDUs = (text: Foreign, budget: Foreign, scorer: Foreign): Foreign =>
  discourse().summarizeWithEDUs(text, budget, scorer);
export const buildCoreferenceMap: typeof api.buildCoreferenceMap = (messages: Foreign): Foreign =>
  coreference().buildCoreferenceMap(messages);
export const findOrphanedReferences: typeof api.findOrphanedReferences = (entities: Foreign, old: Foreign, kept: Foreign): Foreign =>
  coreference().findOrphanedReferences(entities, old, kept);
export const generateInlineDefinitions: typeof api.generateInlineDefinitions = (entities: Foreign, source: Foreign): Foreign =>
  coreference().generateInlineDefinitions(entities, source);
export const clusterMessages: typeof api.clusterMessages = (messages: Foreign, eligible: Foreign, ...more: Foreign[]): Foreign =>
  cluster().clusterMessages(messages, eligible, ...more);
export const summarizeCluster: typeof api.summarizeCluster = (found: Foreign, messages: Foreign): Foreign =>
  cluster().summarizeCluster(found, messages);
export const compressWithTokenClassifier: typeof api.compressWithTokenClassifier = (
  content: Foreign,
  classifier: Foreign,
  minConfidence: Foreign,
): Foreign => tokenClassifier().compressWithTokenClassifier(content, classifier, minConfidence);
export const compressWithTokenClassifierSync: typeof api.compressWithTokenClassifierSync = (
  content: Foreign,
  classifier: Foreign,
  minConfidence: Foreign,
): Foreign => tokenClassifier().compressWithTokenClassifierSync(content, classifier, minConfidence);
export const createMockTokenClassifier: typeof api.createMockTokenClassifier = (patterns: Foreign, ...more: Foreign[]): Foreign =>
  tokenClassifier().createMockTokenClassifier(patterns, ...more);
export const whitespaceTokenize: typeof api.whitespaceTokenize = (text: Foreign): Foreign => tokenClassifier().whitespaceTokenize(text);
export const CodeAdapter: typeof api.CodeAdapter = adapter('code');
export const StructuredOutputAdapter: typeof api.StructuredOutputAdapter = adapter('structured_output');
export const XmlAdapter: typeof api.XmlAdapter = adapter('xml');
export const YamlAdapter: typeof api.YamlAdapter = adapter('yaml');
export const MarkdownAdapter: typeof api.MarkdownAdapter = adapter('markdown');
export const createFeedbackCollector: typeof api.createFeedbackCollector = (callLlm: Foreign): Foreign =>
  feedback().createFeedbackCollector(callLlm);
export const refineSummarizer: typeof api.refineSummarizer = (options: Foreign, found: Foreign): Foreign =>
  feedback().refineSummarizer(options, found);
export const tightenSummarizer: typeof api.tightenSummarizer = (options: Foreign, found: Foreign): Foreign =>
  feedback().tightenSummarizer(options, found);
export const refineSummarizerCandidates: typeof api.refineSummarizerCandidates = (
  callLlm: Foreign,
  options: Foreign,
  found: Foreign,
  ...more: Foreign[]
): Foreign => feedback().refineSummarizerCandidates(callLlm, options, found, ...more);
export const createDistillationPairs: typeof api.createDistillationPairs = (result: Foreign): Foreign =>
  feedback().createDistillationPairs(result);
export const RECOMMENDED_HISTORY_THRESHOLD = 4096;
export const RECOMMENDED_OBSERVATION_THRESHOLD = 1024;
