// Compiled, never run: what people write against the types, and what the types must refuse.
import * as palimpsest from 'palimpsest';
import * as dropIn from 'palimpsest/compress';
import { compress, countTokens, createClassifier, createSummarizer, uncompress } from 'palimpsest';
import {
  DEFAULT_IMPORTANCE_THRESHOLD,
  analyzeContradictions,
  analyzeDuplicates,
  analyzeFuzzyDuplicates,
  bestSentenceScore,
  buildCoreferenceMap,
  classifyMessage,
  clusterMessages,
  collectMessageEntities,
  combineScores,
  computeEntityRetention,
  computeImportance,
  computeQualityScore,
  computeReferenceCoherence,
  computeStructuralIntegrity,
  createEscalatingClassifier,
  createEscalatingSummarizer,
  defaultTokenCounter,
  detectFlowChains,
  extractEntities,
  findOrphanedReferences,
  generateInlineDefinitions,
  normalizeScores,
  scoreContentSignals,
  scoreEDUs,
  segmentEDUs,
  selectEDUs,
  splitSentences,
  summarizeChain,
  summarizeCluster,
  summarizeWithEDUs,
} from 'palimpsest/compress';
import type {
  AsyncCompressOptions,
  CallLlm,
  Classifier,
  ClassifierResult,
  CompressDecision,
  CompressOptions,
  CompressResult,
  CompressionStats,
  CountTokensOptions,
  CreateClassifierOptions,
  CreateSummarizerOptions,
  EntropyScorer,
  Format,
  Message,
  Provenance,
  StoreLookup,
  Summarizer,
  SyncCompressOptions,
  Tokenizer,
  UncompressOptions,
  UncompressResult,
  VerbatimMap,
} from 'palimpsest';
import type {
  ClassificationReason,
  ContradictionAnnotation,
  EDU,
  EntityDefinition,
  FlowChain,
  ImportanceMap,
  MessageCluster,
} from 'palimpsest/compress';

/** Compiles only when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(proof: Same<A, B>) => proof;

declare const messages: Message[];
declare const summarizer: Summarizer;
declare const classifier: Classifier;

// Without a callback the result comes at once, with one it is a promise. Options of which nothing is known count as without, as they did in
// the package that this one replaces.
const result: CompressResult = compress(messages);
const withOptions: CompressResult = compress(messages, { recencyWindow: 2, summarizer: undefined, classifier: null });
const promised: Promise<CompressResult> = compress(messages, { summarizer });
const alsoPromised: Promise<CompressResult> = compress(messages, { classifier, classifierMode: 'full' });
declare const unknownOptions: CompressOptions;
const known: CompressResult = compress(messages, unknownOptions);
const ratio: number = compress(messages, unknownOptions).compression.ratio;
const pipeline = (options?: CompressOptions): Message[] => compress(messages, options).messages;
const awaited: CompressResult = await compress(messages, unknownOptions);
// @ts-expect-error a promise has no messages
compress(messages, { summarizer }).messages;
declare const syncOptions: SyncCompressOptions;
const sync: CompressResult = compress(messages, syncOptions);
declare const asyncOptions: AsyncCompressOptions;
const later: Promise<CompressResult> = compress(messages, asyncOptions);

// Callbacks written in place know their parameter.
await compress(messages, { summarizer: (text) => text.slice(0, 60) });
await compress(messages, { summarizer: async (text) => text.slice(0, 60) });
await compress(messages, { classifier: (text) => ({ decision: text ? 'preserve' : 'compress', confidence: 1, reason: '' }) });
compress(messages, { tokenCounter: (message) => message.content?.length ?? 0 });
// @ts-expect-error no such decision
compress(messages, { classifier: () => ({ decision: 'keep', confidence: 1, reason: '' }) });
// @ts-expect-error a summary is a string
compress(messages, { summarizer: () => 42 });

// The result's own fields.
const stats: CompressionStats = result.compression;
const decisions: CompressDecision[] | undefined = stats.decisions;
const verbatim: VerbatimMap = result.verbatim;
const provenance: Provenance | undefined = result.messages[0]?.metadata?._cce_original;
const text: string | undefined = result.messages[0]?.content;
const fits: boolean | undefined = result.fits;
same<typeof result.messages, Message[]>(true);

// Literals need no annotation, and extra keys are fine.
const literal = compress([{ id: 'a', index: 0, role: 'user', content: 'x', cached: true }], { trace: true });
literal.messages[0]?.metadata?._cce_original?.ids;
same<typeof literal.compression.ratio, number>(true);
compress([{ id: 'a', index: 0, role: 'tool', content: 'x', tool_call_id: 'call_1' }]);
compress([]);
compress(Object.freeze([...messages]));

// A message type of one's own, as from a provider: an interface, contents that are null or lists of parts.
interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
interface ChatMessage {
  id: string;
  index: number;
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | { type: 'text'; text: string }[] | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}
declare const chat: ChatMessage[];
const compressedChat = compress(chat, { tokenBudget: 1000, tokenCounter: (message) => message.role.length });
const backToChat: ChatMessage[] = compressedChat.messages;
const ids: string[] | undefined = compressedChat.messages[0]?.metadata?._cce_original?.ids;
const restoredChat: ChatMessage[] = uncompress(compressedChat.messages, compressedChat.verbatim).messages;
const asyncChat: ChatMessage[] = (await compress(chat, { summarizer, tokenBudget: 1000 })).messages;
const shared: Partial<Pick<CompressOptions, 'recencyWindow' | 'preserve'>> = { recencyWindow: 1 };
compress(chat, shared);

// An interface goes where the package's own type is asked for, and a store of the one serves messages of the other.
const literalAsMessages: Message[] = literal.messages;
interface OwnMessage {
  id: string;
  index: number;
  role: string;
  content: string;
  metadata?: { source: string };
}
declare const own: OwnMessage[];
const ownAsMessages: Message[] = own;
const ownResult: CompressResult = compress(own);
const mixed: Message[] = uncompress(own, result.verbatim).messages;
const restoredOwn: OwnMessage[] = uncompress(compress(own).messages, compress(own).verbatim).messages;

// @ts-expect-error a message needs an id
compress([{ role: 'user', content: 'x' }]);
// @ts-expect-error messages are an array
compress({ messages });

// Options: null and undefined mean the default; wrong types are refused.
compress(messages, {
  preserve: null,
  recencyWindow: null,
  sourceVersion: undefined,
  dedup: null,
  fuzzyDedup: undefined,
  fuzzyThreshold: null,
  embedSummaryId: null,
  preservePatterns: null,
  tokenBudget: null,
  minRecencyWindow: null,
  forceConverge: null,
  tokenCounter: null,
  compressionThreshold: null,
  observationThreshold: null,
  classifierMode: null,
  trace: null,
  concurrency: null,
  signal: null,
});
compress(messages, { preserve: ['system', 'tool'] });
compress(messages, { preserve: new Set(['tool']) });
compress(messages, { preservePatterns: [{ re: /ticket-\d+/i, label: 'ticket' }] });
compress(messages, { concurrency: Infinity });
declare const signal: import('palimpsest').AbortSignalLike;
compress(messages, { summarizer, signal });
// @ts-expect-error a string would be read letter by letter
compress(messages, { preserve: 'tool' });
// @ts-expect-error a number
compress(messages, { tokenBudget: '1000' });
// @ts-expect-error a label is needed
compress(messages, { preservePatterns: [{ re: /x/ }] });
// @ts-expect-error one of two
compress(messages, { classifierMode: 'none' });
// @ts-expect-error a misspelt option
compress(messages, { recencyWindows: 2 });
// @ts-expect-error counts at once
compress(messages, { tokenCounter: async () => 1 });

// uncompress
const restored: UncompressResult = uncompress(result.messages, result.verbatim);
const restoredMessages: Message[] = restored.messages;
const lookUp: StoreLookup = (id) => verbatim[id];
const uncompressOptions: UncompressOptions = { recursive: true };
uncompress(messages, lookUp, uncompressOptions);
uncompress(messages, (id) => (id === 'a' ? messages[0] : undefined));
const missing: string[] = uncompress(messages, {}, null).missing_ids;
// @ts-expect-error a store answers at once
uncompress(messages, async () => messages[0]);
// @ts-expect-error a store is needed
uncompress(messages);

// Helpers around an LLM.
declare const callLlm: (prompt: string) => Promise<string>;
const summarizerOptions: CreateSummarizerOptions = { mode: 'aggressive', maxResponseTokens: 100, preserveTerms: ['ids'] };
const classifierOptions: CreateClassifierOptions = { alwaysPreserve: ['figures'], alwaysCompress: [], systemPrompt: 'Be strict.' };
await compress(messages, { summarizer: createSummarizer(callLlm, summarizerOptions) });
await compress(messages, { summarizer: createEscalatingSummarizer(callLlm), concurrency: 8 });
await compress(messages, { classifier: createClassifier(callLlm, classifierOptions) });
await compress(messages, { classifier: createEscalatingClassifier(callLlm) });
same<ReturnType<ReturnType<typeof createEscalatingClassifier>>, Promise<ClassifierResult>>(true);
const atOnce: ClassifierResult = createClassifier(() => '{}')('text');
const promisedVerdict: Promise<ClassifierResult> = createClassifier(callLlm)('text');
const promisedSummary: Promise<string> = createSummarizer(callLlm)('text');
const summary: string = createSummarizer(() => 'short')('text');
declare const anyLlm: CallLlm;
const eitherVerdict: ClassifierResult | Promise<ClassifierResult> = createClassifier(anyLlm)('text');
// @ts-expect-error no such mode
createSummarizer(callLlm, { mode: 'short' });
// @ts-expect-error an answer is a string
createClassifier(() => 42);

// Measures and rules.
const tokens: number = defaultTokenCounter({ content: 'x' }) + bestSentenceScore('x');
const entities: string[] = extractEntities('x', 5);
const allEntities: Set<string> = collectMessageEntities(chat);
const share: number =
  computeEntityRetention(chat, backToChat) + computeStructuralIntegrity(chat, chat) + computeReferenceCoherence(chat, chat);
const quality: number = computeQualityScore(chat, messages).quality_score;
const reasons: ClassificationReason[] = classifyMessage('x').reasons;
const exact = analyzeDuplicates(messages, 2, new Set(['system']));
const near = analyzeFuzzyDuplicates(messages, 2, ['system'], exact, 0.9);
const similarity: number | undefined = near.get(0)?.similarity;

// The opt-in features.
const scorer: EntropyScorer = (sentences) => sentences.map((sentence) => sentence.length);
const scored = compress(chat, { entropyScorer: scorer, entropyScorerMode: 'replace' });
await compress(messages, { classifier, entropyScorer: async (sentences) => new Float64Array(sentences.length) });
const fallbacks: number | undefined = scored.compression.callback_fallbacks?.entropyScorer;
const kept: number | undefined = scored.compression.messages_importance_preserved;
compress(messages, { importanceScoring: true, importanceThreshold: DEFAULT_IMPORTANCE_THRESHOLD, contradictionDetection: true });
compress(messages, { compressionDepth: 'auto', budgetStrategy: 'tiered', tokenBudget: 1000, relevanceThreshold: 3 });
// @ts-expect-error no such depth
compress(messages, { compressionDepth: 'deep' });
// @ts-expect-error no such strategy
compress(messages, { budgetStrategy: 'greedy' });
// @ts-expect-error scores are numbers
compress(messages, { entropyScorer: (sentences) => sentences });
const importance: ImportanceMap = computeImportance(chat);
const superseded: ContradictionAnnotation | undefined = analyzeContradictions(chat, 0.2, ['system']).get(0);
const combined: number[] = combineScores(normalizeScores([1, 2]), splitSentences('One. Two.').map(scoreContentSignals), 0.5);

// Parts of the opt-in features.
const chains: FlowChain[] = detectFlowChains(messages, 10, new Set(['system']));
const units: EDU[] = selectEDUs(
  scoreEDUs(segmentEDUs('x'), (text) => text.length),
  100,
  1,
);
const names: EntityDefinition[] = buildCoreferenceMap(messages);
const orphans: Map<number, string[]> = findOrphanedReferences(names, new Set([0]), new Set([1]));
const clusters: MessageCluster[] = clusterMessages(messages, [0, 1], 0.2);
const said: string[] = [
  ...chains.map((chain) => summarizeChain(chain, messages)),
  ...clusters.map((one) => summarizeCluster(one, messages)),
  ...[...orphans].map(([index, entities]) => generateInlineDefinitions(entities, messages[index]?.content ?? '')),
  summarizeWithEDUs('x', 100),
  ...units.map(({ text }) => text),
];

// Tokens of a text or of any messages.
const tokenizer: Tokenizer = 'cl100k_base';
const format: Format = 'anthropic';
const countOptions: CountTokensOptions = { tokenizer, format, tools: [{ name: 'read_file' }] };
const counted: number =
  countTokens('text') + countTokens(messages, countOptions) + countTokens([{ role: 'user', content: 'Hi' }], { format: 'auto' });
compress(messages, { tokenizer, tokenBudget: 1000 });
// @ts-expect-error no such tokenizer
countTokens('text', { tokenizer: 'gpt-4o' });
// @ts-expect-error no such format
countTokens(messages, { format: 'openai' });
// @ts-expect-error a message is an object
countTokens(['text']);
// @ts-expect-error no such tokenizer
compress(messages, { tokenizer: 'p50k_base' });
// Of several forms, `Parameters` and `ReturnType` take the last one: that of context-compression-engine.
const ofWrapper: Parameters<typeof compress>[1] = { tokenBudget: 5 };
const ofWrapped = (result: ReturnType<typeof compress>): boolean | undefined => result.fits;
void [ofWrapper, ofWrapped];

{
  const { messages, verbatim } = palimpsest.compress([{ id: 'a', index: 0, role: 'user', content: 'x' }]);
  const pairs: dropIn.DistillationPair[] = dropIn.createDistillationPairs({ messages, verbatim });
  const keep: dropIn.MLTokenClassifier = dropIn.createMockTokenClassifier([/x/]);
  const kept: Promise<string> = dropIn.compressWithTokenClassifier('x', keep);
  const adapters: dropIn.FormatAdapter[] = [dropIn.YamlAdapter, { ...dropIn.XmlAdapter, name: 'own' }];
  const collector: dropIn.FeedbackCollector = dropIn.createFeedbackCollector(() => '{}');
  collector.add(messages, messages, { success: true });
  const refined: dropIn.CreateSummarizerOptions = dropIn.refineSummarizer({}, await collector.analyze());
  const threshold: number = dropIn.RECOMMENDED_HISTORY_THRESHOLD;
  void [pairs, kept, adapters, refined, threshold];
}
