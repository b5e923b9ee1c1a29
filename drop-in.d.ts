// Types of palimpsest/compress: all that context-compression-engine exports.
import type {
  CallLlm,
  ClassifierResult,
  CompressResult,
  CreateClassifierOptions,
  CreateSummarizerOptions,
  FormatAdapter,
  MLTokenClassifier,
  MessageLike,
  TokenClassification,
} from './index.js';

export { compress, createClassifier, createSummarizer, uncompress } from './index.js';
export type {
  AbortSignalLike,
  AsyncCompressOptions,
  CallLlm,
  Classifier,
  ClassifierResult,
  CompressDecision,
  CompressOptions,
  CompressResult,
  Compressed,
  CompressionStats,
  CreateClassifierOptions,
  CreateSummarizerOptions,
  EntropyScorer,
  FormatAdapter,
  FormatCompressOptions,
  MLTokenClassifier,
  Message,
  MessageLike,
  MessageMetadata,
  PreservePattern,
  Provenance,
  SentenceScores,
  StoreLookup,
  Summarizer,
  SyncCompressOptions,
  TokenClassification,
  UncompressOptions,
  UncompressResult,
  VerbatimMap,
} from './index.js';

/** Recommended `compressionThreshold`, in tokens: 4096. */
export const RECOMMENDED_HISTORY_THRESHOLD: 4096;

/** Recommended `observationThreshold`, in tokens: 1024. */
export const RECOMMENDED_OBSERVATION_THRESHOLD: 1024;

/** Estimates tokens as `ceil(length / 3.5)` of the content; 0 if the content is not a string. */
export function defaultTokenCounter(message: { content?: unknown }): number;

/** Returns the highest score of a sentence in the text: from about −10 for filler to 20 and more for names, numbers and results. */
export function bestSentenceScore(text: string): number;

/**
 * Returns the names, identifiers, quantities, paths, URLs and versions in a text, in the order of those kinds.
 *
 * @param cap maximum number; default one per 200 characters, at least 3 and at most 15
 */
export function extractEntities(text: string, cap?: number | null): string[];

/** Returns the entities of all messages, up to 500 of each. */
export function collectMessageEntities(messages: readonly MessageLike[]): Set<string>;

/** Returns the share of the input's entities that the output still names, 0 to 1; 1 if there are none. */
export function computeEntityRetention(input: readonly MessageLike[], output: readonly MessageLike[]): number;

/** Returns the share of the input's code fences, braces and tables that the output still has, 0 to 1; 1 if there are none. */
export function computeStructuralIntegrity(input: readonly MessageLike[], output: readonly MessageLike[]): number;

/** Returns the share of the output's entities whose message is still there by id, 0 to 1; 1 if there are none. */
export function computeReferenceCoherence(input: readonly MessageLike[], output: readonly MessageLike[]): number;

/** Returns the three measures and `0.4·entity_retention + 0.4·structural_integrity + 0.2·reference_coherence`; none is rounded. */
export function computeQualityScore(input: readonly MessageLike[], output: readonly MessageLike[]): QualityScore;

/**
 * Returns the share of specific facts in the originals that can still be read in the result, 0 to 1; 1 if there are none.
 *
 * A fact is a name, an identifier, a path, a URL, an address, a version, a command behind a `$`, a text in double quotes or backticks, a
 * number with its suffix, a date or time, an amount of money, or a number of three digits or more. It counts as kept if the same words and
 * signs occur anywhere in the result. With N originals, a fact that occurs in n of them weighs ln(1 + N/n).
 */
export function computeFactRetention(input: readonly MessageLike[], output: readonly MessageLike[]): number;

export interface QualityScore {
  entity_retention: number;
  structural_integrity: number;
  reference_coherence: number;
  quality_score: number;
}

/** Importance of messages by position, 0 to 1. */
export type ImportanceMap = Map<number, number>;

/** Default of `importanceThreshold`: 0.65. Messages of at least this importance are kept. */
export const DEFAULT_IMPORTANCE_THRESHOLD: number;

/**
 * Computes how much each message matters to later ones, 0 to 1. The importance is the sum of three terms: up to 0.5 for the number of later
 * messages that share an identifier, a word without vowels or a `file.ext:line` with it, relative to the message with the most (at least
 * the next 4032 messages are considered); {@link scoreContentSignals} of its content; and up to 0.1 for a late position.
 *
 * @throws {TypeError} `messages` is not an array of objects
 */
export function computeImportance(messages: readonly { content?: unknown }[]): ImportanceMap;

/**
 * Returns 0.15 if the text decides something (`must`, `always`, `we will use` …), plus 0.25 if it corrects something (`actually`,
 * `scratch that` …), plus 0.1 if it limits something (`deadline`, `constraint` …); at most 0.4.
 *
 * @throws {TypeError} `content` is not a string
 */
export function scoreContentSignals(content: string): number;

/** The message that supersedes another. */
export interface ContradictionAnnotation {
  /** Position of the superseding message. */
  supersededByIndex: number;
  /** Share of their topics that both messages have in common, 0 to 1. */
  topicOverlap: number;
  /** Kind of correction that was recognised, such as `explicit_correction`. */
  signal: string;
}

/**
 * Finds the messages that a later one retracts or corrects (`actually, …`, `no, use …`, `scratch that` …), by position. A correction
 * applies to the message with the largest topic overlap among the 512 before it. If several correct the same message, the first one is
 * reported. Texts of fewer than 50 characters and earlier summaries neither correct nor are corrected.
 *
 * @param topicThreshold minimum topic overlap, 0 to 1; 1.5 times as much if the roles differ. Default 0.15
 * @param preserveRoles roles whose messages neither correct nor are corrected; default none
 * @throws {TypeError} an argument has the wrong type; the error names it
 */
export function analyzeContradictions(
  messages: readonly { role?: string | undefined; content?: unknown }[],
  topicThreshold?: number,
  preserveRoles?: Iterable<string> & object,
): Map<number, ContradictionAnnotation>;

/**
 * Returns the sentences of a text, trimmed. A sentence ends in `.`, `!` or `?` and stays on one line. Text without such an end is left out,
 * unless there is no sentence at all: the result is then the whole text, trimmed, or nothing for a blank text.
 *
 * @throws {TypeError} `text` is not a string
 */
export function splitSentences(text: string): string[];

/**
 * Scales the scores linearly, from 0 for the smallest to 1 for the largest; 0.5 each if all are equal.
 *
 * @throws {TypeError} `scores` is not an array of numbers
 */
export function normalizeScores(scores: readonly number[]): number[];

/**
 * Normalises two lists of scores and combines them as `heuristic · (1 − weight) + scores · weight`.
 *
 * @param weight default 0.6; any number
 * @throws {TypeError} one of the lists is not an array of numbers, or `weight` is not a number
 * @throws {Error} the lists differ in length
 */
export function combineScores(heuristic: readonly number[], scores: readonly number[], weight?: number): number[];

/** Result of the classification rules for a text. */
export interface MessageClassification {
  /** `T0`: its wording matters. `T2`: prose of fewer than 20 words. `T3`: longer prose. */
  decision: 'T0' | 'T2' | 'T3';
  /** 0.65 for prose; 0.75 for one reason, plus 0.05 for each further one, up to 0.95. */
  confidence: number;
  reasons: ClassificationReason[];
}

export type ClassificationReason =
  | 'code_fence'
  | 'indented_code'
  | 'latex_math'
  | 'unicode_math'
  | 'json_structure'
  | 'yaml_structure'
  | 'verse_pattern'
  | 'high_line_length_variance'
  | 'high_special_char_ratio'
  | 'sql_content'
  | 'api_key'
  | 'reasoning_chain'
  | 'url'
  | 'email'
  | 'phone'
  | 'version_number'
  | 'hash_or_sha'
  | 'base64_content'
  | 'file_path'
  | 'ip_or_semver'
  | 'quoted_key'
  | 'legal_term'
  | 'direct_quote'
  | 'numeric_with_units'
  | 'error_traceback'
  | 'http_error'
  | 'failure_signature';

/** Classifies a text by rules alone, as `compress` does. */
export function classifyMessage(text: string): MessageClassification;

export interface DuplicateAnnotation {
  /** Position of the message that keeps the text. */
  duplicateOfIndex: number;
  /** Characters of the duplicate. */
  contentLength: number;
  /** Near duplicates only: share of lines in common with the message that keeps the text, 0 to 1. */
  similarity?: number;
}

/**
 * Finds messages with identical texts of 200 characters or more, by position.
 *
 * @param recencyStart if above 0, the first duplicate at or after this position keeps the text, or the last of all if there is none; with 0
 *   the last of all keeps it. Default 0
 * @param preserveRoles roles that are skipped; default `['system']`
 * @throws {TypeError} an argument has the wrong type; the error names it
 */
export function analyzeDuplicates(
  messages: readonly MessageLike[],
  recencyStart?: number,
  preserveRoles?: Iterable<string> & object,
): Map<number, DuplicateAnnotation>;

/**
 * Finds messages with nearly the same lines, by position.
 *
 * @param recencyStart as for {@link analyzeDuplicates}
 * @param preserveRoles as for {@link analyzeDuplicates}
 * @param exactDuplicates result of {@link analyzeDuplicates}; the messages in it are skipped. Default none
 * @param threshold minimum share of common lines, 0 to 1; default 0.85
 * @throws {TypeError} an argument has the wrong type; the error names it
 */
export function analyzeFuzzyDuplicates(
  messages: readonly MessageLike[],
  recencyStart?: number,
  preserveRoles?: Iterable<string> & object,
  exactDuplicates?: ReadonlyMap<number, unknown>,
  threshold?: number,
): Map<number, Required<DuplicateAnnotation>>;

/** Messages that belong together. */
export interface FlowChain {
  /** Positions, ascending: the opening message, the one that responds to it and, in `qa` and `request_action`, a confirmation if any. */
  indices: number[];
  /** Question and answer; request and report of what was done; statement and correction; long statement and short consent. */
  type: 'qa' | 'request_action' | 'correction' | 'acknowledgment';
  /** The type and the first 50 characters of the first message, or of the second for `correction`. */
  label: string;
}

/**
 * Finds chains of messages: each leads from a message to one of the next three, and on to a confirmation. A message belongs to at most one
 * chain. Texts under 10 characters, texts with code fences, summaries and messages with tool calls belong to none.
 *
 * @param recencyStart only messages before this position are considered
 * @param preserveRoles roles that are skipped
 */
export function detectFlowChains(messages: readonly MessageLike[], recencyStart: number, preserveRoles: ReadonlySet<string>): FlowChain[];

/** Summarises a chain in at most 230 characters: the beginnings of its first two messages, or of the one that matters. */
export function summarizeChain(chain: Pick<FlowChain, 'indices' | 'type'>, messages: readonly MessageLike[]): string;

/** Elementary discourse unit: a sentence or a clause of one. */
export interface EDU {
  text: string;
  /** Position in the list. */
  index: number;
  /** Positions of the units that are needed to understand this one. */
  dependsOn: number[];
  /** Value in a summary; higher scores are selected first. */
  score: number;
}

/** Splits a text into discourse units with score 0. Clauses of 10 characters or less, and a rest without a full stop, are left out. */
export function segmentEDUs(text: string): EDU[];

/**
 * Returns copies of the units with scores.
 *
 * @param scorer returns a score for a text, synchronously; what it throws is passed on. By default, names of code, quantities with
 *   a suffix and emphasis raise the score, and filler lowers it.
 */
export function scoreEDUs(edus: readonly EDU[], scorer?: ((text: string) => number) | null): EDU[];

/**
 * Selects the units with the highest scores that fit into a budget, together with the units they depend on. The order is kept.
 *
 * @param budget characters; each unit costs two more than its text has
 * @param maxDepth levels of dependencies to include; default 2
 */
export function selectEDUs(edus: readonly EDU[], budget: number, maxDepth?: number): EDU[];

/** Joins the best units of a text within a budget of characters; returns the beginning of the text if none fits. */
export function summarizeWithEDUs(text: string, budget: number, scorer?: ((text: string) => number) | null): string;

/** A name of code that several messages use. */
export interface EntityDefinition {
  entity: string;
  /** Position of the first message that contains it. */
  definingMessageIndex: number;
  /** Positions of the later ones, ascending. */
  referencingMessageIndices: number[];
}

/**
 * Returns the names such as `readToken`, `TokenStream` and `read_token` that more than one message contains, in order of first occurrence.
 *
 * @throws {TypeError} the content of a message is neither a string nor missing
 */
export function buildCoreferenceMap(messages: readonly MessageLike[]): EntityDefinition[];

/**
 * Finds entities whose defining message is compressed while a message that refers to them is preserved. The keys are the positions of the
 * defining messages.
 */
export function findOrphanedReferences(
  definitions: readonly EntityDefinition[],
  compressedIndices: ReadonlySet<number>,
  preservedIndices: ReadonlySet<number>,
): Map<number, string[]>;

/**
 * Returns the first sentences of a text that contain the first five of the entities, each cut to 80 characters: `[context: a | b] `, with a
 * space at its end. The result is empty if the text contains none of them.
 */
export function generateInlineDefinitions(entities: readonly string[], source: string): string;

/** Consecutive messages on the same subject. */
export interface MessageCluster {
  /** Positions, ascending. */
  indices: number[];
  /** Up to five entities that at least two of the messages contain, most frequent first. */
  sharedEntities: string[];
  /** The first three of those, or `cluster-<first position>`. */
  label: string;
}

/**
 * Groups messages by average linkage. The similarity of two messages combines the words that they share (rare words count more; the first
 * 1,000 distinct words of each are compared) and the entities that they name. Groups whose positions are not consecutive are left out.
 *
 * @param eligibleIndices positions of the messages to compare; of more than 200, the last 200
 * @param similarityThreshold minimum average similarity, 0 to 1, at which two groups are merged; default 0.15
 */
export function clusterMessages(
  messages: readonly MessageLike[],
  eligibleIndices: readonly number[],
  similarityThreshold?: number,
): MessageCluster[];

/** Summarises a cluster: three of its shared entities, and the first 100 characters of each message. */
export function summarizeCluster(cluster: Pick<MessageCluster, 'indices' | 'sharedEntities'>, messages: readonly MessageLike[]): string;

/**
 * Creates a `summarizer` that asks a second time, for terse bullet points in half of the tokens, if the first answer fails, is empty or is
 * not shorter than the text. The second answer is returned as it is. `mode` has no effect.
 *
 * @example
 * import { createEscalatingSummarizer } from 'palimpsest/compress';
 *
 * const answers = ['', '- moved by an hour'];
 * const summarize = createEscalatingSummarizer(async () => answers.shift());
 * console.log(await summarize('The report job was moved by an hour, because it waited for a lock.')); // → - moved by an hour
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createEscalatingSummarizer(callLlm: CallLlm, options?: CreateSummarizerOptions | null): (text: string) => Promise<string>;

/**
 * Creates a `classifier` that never fails. If the LLM fails, returns no verdict or has no confidence in it, the rules of
 * {@link classifyMessage} decide. The reason is then `heuristic_t0` or `heuristic_fallback`.
 *
 * @example
 * import { createEscalatingClassifier } from 'palimpsest/compress';
 *
 * const classify = createEscalatingClassifier(async () => 'no verdict');
 * const { decision, reason } = await classify('SELECT id FROM jobs WHERE state = 3;');
 * console.log(decision, reason); // → preserve heuristic_t0
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createEscalatingClassifier(
  callLlm: CallLlm,
  options?: CreateClassifierOptions | null,
): (text: string) => Promise<ClassifierResult>;

/**
 * Removes the tokens that a classifier rejects. A token stays if the verdict is to keep it with a confidence of at least `minConfidence`,
 * or to drop it with less. The remaining tokens are joined by spaces, except before `. , ; : ! ? ) ] }` and after `( [ {`.
 *
 * @param minConfidence from 0 to 1, default 0.5
 * @returns a promise that rejects with what the classifier throws, or with a TypeError if its answer is not an array of
 *   {@link TokenClassification}
 * @throws {TypeError} an argument has the wrong type; thrown synchronously
 */
export function compressWithTokenClassifier(content: string, classifier: MLTokenClassifier, minConfidence?: number): Promise<string>;

/**
 * Synchronous version of {@link compressWithTokenClassifier}.
 *
 * @throws {Error} the classifier returned a promise
 * @throws {TypeError} an argument has the wrong type, or the classifier's answer is not an array of {@link TokenClassification}
 */
export function compressWithTokenClassifierSync(
  content: string,
  classifier: (content: string) => TokenClassification[],
  minConfidence?: number,
): string;

/** Splits a text at white space; there are no empty tokens. */
export function whitespaceTokenize(text: string): string[];

/**
 * Creates a token classifier for tests. It splits a text at white space and keeps the tokens that one of the patterns matches.
 *
 * @param confidence confidence of every verdict, default 0.9
 */
export function createMockTokenClassifier(patterns: readonly RegExp[], confidence?: number): (content: string) => TokenClassification[];

/** Keeps fenced code and summarises the text around it. `compress` does this without an adapter. */
export const CodeAdapter: FormatAdapter;

/** Keeps results and file names in the output of tools. */
export const StructuredOutputAdapter: FormatAdapter;

/** Keeps the tags of XML and HTML, and summarises long texts and comments. */
export const XmlAdapter: FormatAdapter;

/** Keeps the lines of YAML, and summarises values of more than 60 characters. */
export const YamlAdapter: FormatAdapter;

/** Keeps the headings and tables of Markdown, and summarises the paragraphs. */
export const MarkdownAdapter: FormatAdapter;

/** Outcome of an agent's task with a compressed history. */
export interface TaskOutcome {
  success: boolean;
  /** Reason of the failure. */
  error?: string;
}

/** A history, its compressed version, and the outcome of an agent's task with it. */
export interface CompressionPair {
  original: readonly MessageLike[];
  compressed: readonly MessageLike[];
  outcome: TaskOutcome;
}

/** Information that compression lost although it was needed. */
export interface FeedbackResult {
  lostPatterns: string[];
  /** For `preserveTerms` of a summarizer. */
  suggestedTerms: string[];
  /** For the system prompt of a summarizer. */
  guidelines: string[];
}

/** Information that compression kept although it was not needed. */
export interface OverPreservationResult {
  unnecessaryPatterns: string[];
  /** To be removed from `preserveTerms` of a summarizer. */
  removableTerms: string[];
  /** For the system prompt of a summarizer. */
  tighteningGuidelines: string[];
}

/** Collects outcomes and asks an LLM what to conclude from them. */
export interface FeedbackCollector {
  /** @throws {TypeError} an argument has the wrong type */
  add(original: readonly MessageLike[], compressed: readonly MessageLike[], outcome: TaskOutcome): void;
  /**
   * Asks once what was lost. Without a failed outcome it asks nothing and returns empty lists. Rejects with what the LLM rejects with, and
   * with a SyntaxError if the reply is neither JSON nor one fenced block of it.
   */
  analyze(): Promise<FeedbackResult>;
  /** Asks once what was kept needlessly. Without a successful outcome it asks nothing. Rejects in the same cases. */
  analyzeOverPreservation(): Promise<OverPreservationResult>;
  /** The pairs added so far. */
  readonly pairs: CompressionPair[];
}

/**
 * Creates a collector that asks `callLlm`.
 *
 * @throws {TypeError} `callLlm` is not a function
 */
export function createFeedbackCollector(callLlm: CallLlm): FeedbackCollector;

/** Returns a copy of the options with the suggested terms and guidelines added. */
export function refineSummarizer(options: CreateSummarizerOptions, feedback: FeedbackResult): CreateSummarizerOptions;

/** Returns a copy of the options without the removable terms, and with the tightening guidelines added. */
export function tightenSummarizer(options: CreateSummarizerOptions, feedback: OverPreservationResult): CreateSummarizerOptions;

/**
 * Asks an LLM once for improvements of a summarizer. Each is a copy of the options with its terms and guidelines added.
 *
 * @param count maximum number, default 5
 * @returns a promise that rejects with what the LLM rejects with, and if the reply is not a JSON array of objects
 * @throws {TypeError} an argument has the wrong type; thrown synchronously
 */
export function refineSummarizerCandidates(
  callLlm: CallLlm,
  options: CreateSummarizerOptions,
  feedback: FeedbackResult,
  count?: number,
): Promise<CreateSummarizerOptions[]>;

/** A text and its compressed version. */
export interface DistillationPair {
  /** The originals of a message, one per line. */
  input: string;
  /** The text that stands for them. */
  output: string;
}

/**
 * Creates training pairs for a summarizer: each message that stands for others, and the texts of its originals as far as `verbatim` holds
 * them.
 */
export function createDistillationPairs(result: Pick<CompressResult<MessageLike>, 'messages' | 'verbatim'>): DistillationPair[];
