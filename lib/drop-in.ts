// palimpsest/compress: all that context-compression-engine exports.

import { later } from './later.js';
import type * as api from '../drop-in.js';

export { compress, createClassifier, createSummarizer, uncompress } from './index.js';

// Loaded at the first call, as in index.ts.
const analysis = (): object => require('./drop-in/analysis.js');
const contradiction = () => require('./drop-in/contradiction.js');
const entropy = () => require('./drop-in/entropy.js');
const importance = () => require('./drop-in/importance.js');
const llm = () => require('./drop-in/llm/index.js');
const flow = () => require('./drop-in/flow.js');
const discourse = () => require('./drop-in/discourse.js');
const coreference = () => require('./drop-in/coreference.js');
const cluster = () => require('./drop-in/cluster.js');
const tokenClassifier = () => require('./drop-in/token-classifier.js');
const feedback = () => require('./drop-in/feedback/index.js');

/** Creates a built-in adapter, whose code is loaded at its first call. */
function adapter(name: string) {
  const built = () => (require('./drop-in/adapters/built-in.js') as typeof import('./drop-in/adapters/built-in.js')).default[name];
  return Object.freeze({
    name,
    detect: (content: string) => built().detect(content),
    extractPreserved: (content: string) => built().extractPreserved(content),
    extractCompressible: (content: string) => built().extractCompressible(content),
    reconstruct: (preserved: string[], summary: string) => built().reconstruct(preserved, summary),
  });
}

export const classifyMessage = later<typeof api.classifyMessage>('classifyMessage', 1, () => require('./drop-in/classify.js'));
export const analyzeDuplicates = later<typeof api.analyzeDuplicates>('analyzeDuplicates', 1, analysis);
export const analyzeFuzzyDuplicates = later<typeof api.analyzeFuzzyDuplicates>('analyzeFuzzyDuplicates', 1, analysis);
export const bestSentenceScore = later<typeof api.bestSentenceScore>('bestSentenceScore', 1, analysis);
export const collectMessageEntities = later<typeof api.collectMessageEntities>('collectMessageEntities', 1, analysis);
export const computeEntityRetention = later<typeof api.computeEntityRetention>('computeEntityRetention', 2, analysis);
export const computeFactRetention = later<typeof api.computeFactRetention>('computeFactRetention', 2, analysis);
export const computeQualityScore = later<typeof api.computeQualityScore>('computeQualityScore', 2, analysis);
export const computeReferenceCoherence = later<typeof api.computeReferenceCoherence>('computeReferenceCoherence', 2, analysis);
export const computeStructuralIntegrity = later<typeof api.computeStructuralIntegrity>('computeStructuralIntegrity', 2, analysis);
export const defaultTokenCounter = later<typeof api.defaultTokenCounter>('defaultTokenCounter', 1, analysis);
export const extractEntities = later<typeof api.extractEntities>('extractEntities', 2, analysis);
export const DEFAULT_IMPORTANCE_THRESHOLD: typeof api.DEFAULT_IMPORTANCE_THRESHOLD = 0.65;
export const computeImportance = later<typeof api.computeImportance>('computeImportance', 1, importance);
export const scoreContentSignals = later<typeof api.scoreContentSignals>('scoreContentSignals', 1, importance);
export const analyzeContradictions = later<typeof api.analyzeContradictions>('analyzeContradictions', 1, contradiction);
export const combineScores = later<typeof api.combineScores>('combineScores', 2, entropy);
export const normalizeScores = later<typeof api.normalizeScores>('normalizeScores', 1, entropy);
export const splitSentences = later<typeof api.splitSentences>('splitSentences', 1, entropy);
export const createEscalatingSummarizer = later<typeof api.createEscalatingSummarizer>('createEscalatingSummarizer', 2, llm);
export const createEscalatingClassifier = later<typeof api.createEscalatingClassifier>('createEscalatingClassifier', 2, llm);
export const detectFlowChains = later<typeof api.detectFlowChains>('detectFlowChains', 3, flow);
export const summarizeChain = later<typeof api.summarizeChain>('summarizeChain', 2, flow);
export const segmentEDUs = later<typeof api.segmentEDUs>('segmentEDUs', 1, discourse);
export const scoreEDUs = later<typeof api.scoreEDUs>('scoreEDUs', 2, discourse);
export const selectEDUs = later<typeof api.selectEDUs>('selectEDUs', 2, discourse);
export const summarizeWithEDUs = later<typeof api.summarizeWithEDUs>('summarizeWithEDUs', 3, discourse);
export const buildCoreferenceMap = later<typeof api.buildCoreferenceMap>('buildCoreferenceMap', 1, coreference);
export const findOrphanedReferences = later<typeof api.findOrphanedReferences>('findOrphanedReferences', 3, coreference);
export const generateInlineDefinitions = later<typeof api.generateInlineDefinitions>('generateInlineDefinitions', 2, coreference);
export const clusterMessages = later<typeof api.clusterMessages>('clusterMessages', 2, cluster);
export const summarizeCluster = later<typeof api.summarizeCluster>('summarizeCluster', 2, cluster);
export const compressWithTokenClassifier = later<typeof api.compressWithTokenClassifier>('compressWithTokenClassifier', 3, tokenClassifier);
export const compressWithTokenClassifierSync = later<typeof api.compressWithTokenClassifierSync>(
  'compressWithTokenClassifierSync',
  3,
  tokenClassifier,
);
export const createMockTokenClassifier = later<typeof api.createMockTokenClassifier>('createMockTokenClassifier', 1, tokenClassifier);
export const whitespaceTokenize = later<typeof api.whitespaceTokenize>('whitespaceTokenize', 1, tokenClassifier);
export const CodeAdapter: typeof api.CodeAdapter = adapter('code');
export const StructuredOutputAdapter: typeof api.StructuredOutputAdapter = adapter('structured_output');
export const XmlAdapter: typeof api.XmlAdapter = adapter('xml');
export const YamlAdapter: typeof api.YamlAdapter = adapter('yaml');
export const MarkdownAdapter: typeof api.MarkdownAdapter = adapter('markdown');
export const createFeedbackCollector = later<typeof api.createFeedbackCollector>('createFeedbackCollector', 1, feedback);
export const refineSummarizer = later<typeof api.refineSummarizer>('refineSummarizer', 2, feedback);
export const tightenSummarizer = later<typeof api.tightenSummarizer>('tightenSummarizer', 2, feedback);
export const refineSummarizerCandidates = later<typeof api.refineSummarizerCandidates>('refineSummarizerCandidates', 3, feedback);
export const createDistillationPairs = later<typeof api.createDistillationPairs>('createDistillationPairs', 1, feedback);
export const RECOMMENDED_HISTORY_THRESHOLD = 4096;
export const RECOMMENDED_OBSERVATION_THRESHOLD = 1024;
