// The public types of palimpsest, written by hand. `index.d.mts` is the same text for ES modules.
//
// Lengths ("characters") count UTF-16 code units, as `string.length` does. Tokens are what the token counter or the tokenizer says.

/** A message of a conversation. Keys beyond these are kept as they are. */
export interface Message {
  /** Names the message in `verbatim`, in references and in provenance. The one field that is required at run time. */
  id: string;
  /** The caller's own numbering; copied, never read. */
  index: number;
  /** `system`, `user`, `assistant`, `tool`, or any other name. */
  role?: string | undefined;
  /** The text. Anything but a string counts as an empty text and stays as it is. */
  content?: string | undefined;
  /** Kept as it is, but for the key `_cce_original` of messages that stand for others. */
  metadata?: MessageMetadata | undefined;
  /** A message with at least one tool call is never rewritten, unless `forceConverge` has to cut it. */
  tool_calls?: unknown[] | undefined;
  // `any`, because only then an interface of one's own that has no index signature is assignable to it.
  [key: string]: any;
}

export interface MessageMetadata {
  /** Present on messages that stand for others. */
  _cce_original?: Provenance | undefined;
  [key: string]: any;
}

/** What a message of the result stands for. */
export interface Provenance {
  /** Keys of the originals in `verbatim`, in the order of the conversation. */
  ids: string[];
  /** Derived from `ids`: the same originals give the same id. */
  summary_id: string;
  /** Summaries that the originals themselves stood for; only when there are any. */
  parent_ids?: string[];
  /** `sourceVersion` of the compression. */
  version: number;
}

/**
 * What a message type of your own has to have: an id. Interfaces without an index signature are fine, and so are
 * contents that are null or lists of parts (they stay as they are).
 */
export interface MessageLike {
  id: string;
  index?: number | undefined;
  role?: string | undefined;
  content?: unknown;
  metadata?: object | null | undefined;
  tool_calls?: unknown;
}

/** A message type of your own, with the fields that compression may add. */
export type Compressed<M> = M & Omit<KnownFields, keyof M>;

interface KnownFields {
  content?: string | undefined;
  metadata?: MessageMetadata | undefined;
  tool_calls?: unknown[] | undefined;
}

/**
 * The originals by id: a plain object that can be stored as JSON. A second original of the same id, or of one that an
 * earlier summary in the conversation stands for, has a key of its own: `id (2)` or the next number that is free.
 */
export type VerbatimMap<M = Message> = Record<string, M>;

/** Finds an original by id, at once; undefined when it is not there. */
export type StoreLookup<M = Message> = (id: string) => M | null | undefined;

/**
 * Writes a summary of a text. What is not a string, is empty or is not shorter than the text is not used, and neither is
 * a failure: the text is then summarised without an LLM.
 */
export type Summarizer = (text: string) => string | PromiseLike<string>;

/** Says whether a text stays word for word. A failure rejects the call of `compress`. */
export type Classifier = (text: string) => ClassifierResult | PromiseLike<ClassifierResult>;

export interface ClassifierResult {
  /** `preserve`: the message stays as it is. `compress`: it is summarised if nothing else keeps it. */
  decision: 'preserve' | 'compress';
  /** From 0 to 1. `compress` does not read it. */
  confidence: number;
  /** Shown in the trace. */
  reason: string;
}

/**
 * Scores sentences, a number for each, the higher the sooner it is in a summary; negative ones are fine, such as logarithms of
 * probabilities, and what is too many is ignored. A failure, too few scores, or one that is no number leave it at our own
 * scores, and `callback_fallbacks` of the statistics counts that. In a call without summarizer or classifier a promise is an
 * Error.
 */
export type EntropyScorer = (sentences: string[]) => SentenceScores | PromiseLike<SentenceScores>;

export type SentenceScores = readonly number[] | Float32Array | Float64Array;

/** A pattern that keeps every message whose text it finds. */
export interface PreservePattern {
  /** Asked with `test(text)`. A RegExp with the flag `g` or `y` goes on where its last match ended, in another message too. */
  re: Pick<RegExp, 'test'>;
  /** Shown in the trace as `pattern:<label>`. */
  label: string;
}

/** The part of an `AbortSignal` that is used, so that no DOM or Node types are needed. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Options of `compress`. `undefined` and `null` mean the default. A value of the wrong type is a TypeError that names the
 * option and what came.
 */
export interface CompressOptions<M = Message> {
  /** Roles that are never rewritten. Default `['system']`; `[]` protects none. */
  preserve?: (Iterable<string> & object) | null | undefined;
  /** How many messages at the end stay as they are. Default 4; 0 or less, or NaN: none. Without effect with `tokenBudget`. */
  recencyWindow?: number | null | undefined;
  /** A version of the conversation, copied to `original_version` and into provenance. Default 0. */
  sourceVersion?: number | null | undefined;
  /** Replaces texts of 200 characters or more that occur again by a reference. Default true. */
  dedup?: boolean | null | undefined;
  /** The same for texts that are nearly the same, line by line. Default false. */
  fuzzyDedup?: boolean | null | undefined;
  /** Share of lines in common, 0 to 1, from which texts are nearly the same. Default 0.85. */
  fuzzyThreshold?: number | null | undefined;
  /**
   * One summary stands for successive messages that belong together: a question and its answer, a request and what was
   * done, a statement and its correction or a short consent. Never for what a hard reason, a pattern or the classifier
   * keeps. `summarizer` and `embedSummaryId` have no effect on it. Default false.
   */
  conversationFlow?: boolean | null | undefined;
  /**
   * One summary stands for successive messages of 80 characters or more about the same things, as {@link clusterMessages}
   * finds them among the last 200 before the recency window. The same is exempt as with `conversationFlow`. Default false.
   */
  semanticClustering?: boolean | null | undefined;
  /** With `semanticClustering`: how alike, 0 to 1, messages are on average to share a summary. Default 0.15. */
  clusterThreshold?: number | null | undefined;
  /**
   * Where a summary lacks a name such as `readToken` that it would explain to a message that stays, adds the sentence that
   * had it, as `[summary: [context: …] …]`, if it stays shorter than what it stands for. Default false.
   */
  coreference?: boolean | null | undefined;
  /**
   * Makes summaries of clauses and what they depend on, as {@link summarizeWithEDUs} does, instead of whole sentences.
   * Without effect with a summarizer. Default false.
   */
  discourseAware?: boolean | null | undefined;
  /** Writes the summary's id into its text. Default false. */
  embedSummaryId?: boolean | null | undefined;
  /** Messages that one of these finds stay as they are. Default none. */
  preservePatterns?: readonly PreservePattern[] | null | undefined;
  /**
   * Tokens that the result should stay within; the result then says whether it `fits`. Default none. Where the next answer needs what
   * the user asks for, {@link fit} is the better choice: it knows the question.
   */
  tokenBudget?: number | null | undefined;
  /**
   * With `tokenBudget`: messages at the end that stay as they are even when the budget cannot be met. Default 0; below
   * `Number.MIN_SAFE_INTEGER` a RangeError.
   */
  minRecencyWindow?: number | null | undefined;
  /** With `tokenBudget`: cuts long messages, the longest first, when summaries do not suffice. Default false. */
  forceConverge?: boolean | null | undefined;
  /**
   * Counts the tokens of a message, at once. What it throws is passed on; an answer that is no number is a TypeError.
   * Default {@link defaultTokenCounter}.
   */
  tokenCounter?: ((message: M) => number) | null | undefined;
  /**
   * Counts the tokens of all that is sent of the messages, as {@link countTokens} does: content, names, calls with their
   * arguments, and what OpenAI adds, instead of characters / 3.5 of the content. Together with `tokenCounter` a TypeError.
   * Default none.
   */
  tokenizer?: Tokenizer | null | undefined;
  /** Conversations of fewer tokens are returned untouched. Default none. */
  compressionThreshold?: number | null | undefined;
  /** Messages of more tokens are compressed even when they are recent or a hard reason speaks against it. Default none. */
  observationThreshold?: number | null | undefined;
  /** Writes summaries, an LLM as a rule; the result is then a promise. Default none: summaries by rules. */
  summarizer?: Summarizer | null | undefined;
  /** Says what stays word for word, an LLM as a rule; the result is then a promise. Default none: rules alone. */
  classifier?: Classifier | null | undefined;
  /**
   * `hybrid`: the classifier is asked where no hard reason keeps a message. `full`: it decides instead of those reasons.
   * Without effect without a classifier. Default `'hybrid'`.
   */
  classifierMode?: 'hybrid' | 'full' | null | undefined;
  /**
   * Writes summaries out of the tokens that it keeps; with it no `summarizer` is asked. It may return a promise where the
   * result is one anyway, because of a `summarizer` or `classifier`; else a promise is an Error. Where it fails, answers
   * with something else or keeps nothing, the rules summarise. Default none.
   */
  mlTokenClassifier?: MLTokenClassifier | null | undefined;
  /**
   * The first one that detects a text says what of it stays and what is summarised. Asked only about texts that no other
   * rule keeps and that have no code fence. What an adapter throws is passed on; where an answer is of the wrong type (a
   * promise too), the text is summarised as a whole or, after `reconstruct`, stays. Default none.
   */
  adapters?: readonly FormatAdapter[] | null | undefined;
  /**
   * Trims tool results before all else: listings of installed packages, steps of builds, notices of package managers,
   * tests that pass, what the agent has just said itself, and files that were written anew since. What is trimmed is in
   * `verbatim`. Messages of preserved roles and with tool calls stay. Default false.
   */
  agentToolPrepass?: boolean | null | undefined;
  /**
   * Keeps messages that matter to later ones, see {@link computeImportance}; with `forceConverge` the least important are cut
   * first. Default false.
   */
  importanceScoring?: boolean | null | undefined;
  /** The importance from which a message is kept; NaN: none is. Default 0.65. */
  importanceThreshold?: number | null | undefined;
  /**
   * Replaces a message that later ones take back or put right by a reference to the one that holds in the end, with a summary;
   * that one stays as it is. See {@link analyzeContradictions}. Default false.
   */
  contradictionDetection?: boolean | null | undefined;
  /** How much both have in common, 0 to 1; half as much again where their roles differ. Default 0.15. */
  contradictionTopicThreshold?: number | null | undefined;
  /**
   * Leaves out messages to be summarised of which no sentence scores as much as this: see {@link bestSentenceScore} for the
   * scale, on which 3 is one identifier. Plain words with dates or names score low. Default 0: none is left out.
   */
  relevanceThreshold?: number | null | undefined;
  /**
   * How short summaries are: `gentle` about 30 % of the text, `moderate` half of that and more for texts full of names,
   * `aggressive` hardly more than names. `auto` with `tokenBudget`: the first of these that fits; without: `gentle`.
   * Default `'gentle'`.
   */
  compressionDepth?: 'gentle' | 'moderate' | 'aggressive' | 'auto' | null | undefined;
  /**
   * How a `tokenBudget` is met. `binary-search`: with the largest recency window that fits. `tiered`: `recencyWindow` stays as
   * it is, and what stands before it is summarised more tightly, then left out where it says little, until the budget is
   * met; code, structures, keys, tool calls and whatever an option keeps are not touched. Default `'binary-search'`.
   */
  budgetStrategy?: 'binary-search' | 'tiered' | null | undefined;
  /**
   * Scores the sentences that a summary is chosen from, a language model as a rule. With a `summarizer` it is asked only where
   * that has no good answer. Default none: our own scores alone.
   */
  entropyScorer?: EntropyScorer | null | undefined;
  /** `augment`: 60 % the scorer's scores, 40 % our own, both from 0 to 1. `replace`: the scorer's alone. Default `'augment'`. */
  entropyScorerMode?: 'augment' | 'replace' | null | undefined;
  /** Adds `decisions` to the statistics: what was done with each message, and why. Default false. */
  trace?: boolean | null | undefined;
  /**
   * How many calls of the summarizer or classifier run at the same time: a positive integer or Infinity, otherwise a
   * RangeError. Default 4; 1 makes the calls one after the other.
   */
  concurrency?: number | null | undefined;
  /**
   * Ends a call that waits for a summarizer or classifier: it rejects with the signal's reason and starts no further
   * callback. Without effect without a summarizer or classifier. Default none.
   */
  signal?: AbortSignalLike | null | undefined;
  /** What the messages are, where they are not {@link Message}: see {@link FormatCompressOptions}. Default none. */
  format?: null | undefined;
}

/** Options that give a result at once. */
export interface SyncCompressOptions<M = Message> extends CompressOptions<M> {
  summarizer?: null | undefined;
  classifier?: null | undefined;
}

/** Options that give a promise. */
export type AsyncCompressOptions<M = Message> = CompressOptions<M> & ({ summarizer: Summarizer } | { classifier: Classifier });

/**
 * Options of `compress` for the messages of a provider, which need no ids. Every text of a message, and every result of a tool that
 * is a text, is compressed for itself and stays in its place: no message goes or is merged with another. Untouched stay calls and
 * the texts beside them in their message, data that is no text, and what the provider wants back as it was, signed thinking and
 * all that stands before it included (see `thinking` of {@link PruneOptions}).
 *
 * Roles, in `preserve`, are `system` (also what the developer says), `user`, `assistant` and `tool`, whatever the format calls
 * them. Windows count the provider's messages. A `tokenizer` counts as {@link countTokens} does with this format.
 */
export interface FormatCompressOptions extends Omit<CompressOptions, 'format' | 'tokenCounter'> {
  /** What the messages are; `'auto'` finds out. */
  format: Format | 'auto';
  /**
   * Counts the tokens of a text, given as a message `{ id, index, role, content }` with the position of its message as `index`;
   * calls and media are not in it. Default {@link defaultTokenCounter}.
   */
  tokenCounter?: ((message: Message) => number) | null | undefined;
}

/** What `compress` gives for the messages of a provider. Its statistics count texts; a message without any counts as one. */
export interface FormatCompressResult<T> extends Omit<CompressResult, 'messages' | 'verbatim'> {
  /** Messages of the type that came in, as many as came in. What stays as it is is the same object. */
  messages: T[];
  /** What `uncompress` and `restore` need. Those of several rounds are merged by object spread. */
  verbatim: Originals;
}

export interface CompressResult<M = Message> {
  /**
   * The smaller conversation. What stays as it is is the same object; nothing given is ever changed. With
   * `compressionThreshold` or `tokenBudget` it is the given array itself when there was nothing to do.
   */
  messages: M[];
  compression: CompressionStats;
  /** The originals that `messages` stands for. Keep it: `uncompress` needs it. */
  verbatim: VerbatimMap<M>;
  /** Only with `tokenBudget`: whether `tokenCount` is within it. */
  fits?: boolean;
  /** Only with `tokenBudget`: tokens of `messages`. */
  tokenCount?: number;
  /** Only with `tokenBudget`: the window that was found; the number of messages when there was nothing to do. */
  recencyWindow?: number;
}

/** Counts are of given messages and absent when they would be 0, but for the first five. */
export interface CompressionStats {
  /** `sourceVersion`. */
  original_version: number;
  /** Characters before / after; 1 when no message was summarised, cut or replaced by a reference to the same text. */
  ratio: number;
  /** Tokens before / after; 1 in the same cases. */
  token_ratio: number;
  /** Messages whose text was summarised, cut or trimmed. */
  messages_compressed: number;
  /** Messages that stayed as they are. */
  messages_preserved: number;
  /** Messages that became a reference to the same text. */
  messages_deduped?: number;
  /** Messages that became a reference to nearly the same text. */
  messages_fuzzy_deduped?: number;
  /** Messages that a pattern kept. */
  messages_pattern_preserved?: number;
  /** Messages that the classifier was asked about. */
  messages_llm_classified?: number;
  /** Messages that the classifier kept. */
  messages_llm_preserved?: number;
  /** With `agentToolPrepass`: tool results that were trimmed, 0 too. */
  messages_tool_prepass_trimmed?: number;
  /** With `agentToolPrepass`: characters that they are shorter, 0 too. */
  chars_tool_prepass_removed?: number;
  /** Messages that were kept for their importance. */
  messages_importance_preserved?: number;
  /** Messages that a reference to the one that supersedes them stands for. They count neither as compressed nor as preserved. */
  messages_contradicted?: number;
  /** Messages that were left out for `relevanceThreshold`; they count as compressed too. */
  messages_relevance_dropped?: number;
  /** With `trace`: how often a callback's answer was no good and the rules were used instead, by option. */
  callback_fallbacks?: { entropyScorer?: number; mlTokenClassifier?: number; adapters?: number };
  /** With `trace`, unless there was nothing to do. */
  decisions?: CompressDecision[];
  /**
   * Share of the entities that are still named, 0 to 1, rounded to three digits. This and the next three only when a
   * message was summarised, cut, trimmed, superseded or replaced by an exact reference, and not where trimming alone met the
   * budget.
   */
  entity_retention?: number;
  /** Share of fences, braces and tables that are still there, 0 to 1, rounded to three digits. */
  structural_integrity?: number;
  /** Share of named entities whose message is still there, 0 to 1, rounded to three digits. */
  reference_coherence?: number;
  /** The three above, weighted 0.4, 0.4 and 0.2, rounded to three digits. */
  quality_score?: number;
  /**
   * {@link computeFactRetention} of the conversation and the result, rounded to three digits. Computed when it is first
   * read, for that takes about as long as the call; and no enumerable property, so it is in no JSON and no copy.
   */
  readonly fact_retention: number;
}

/** What was done with a message, and why. */
export interface CompressDecision {
  /** With `format`, the path of the text, `messages[3].content[1].text`, or of a message without any. */
  messageId: string;
  /** Position in the given conversation. */
  messageIndex: number;
  action: 'preserved' | 'compressed' | 'deduped' | 'fuzzy_deduped' | 'truncated' | 'code_split' | 'contradicted';
  /**
   * The rule that decided: `preserved_role`, `recency_window`, `tool_calls`, `short_content`, `already_compressed`,
   * `exact_duplicate`, `fuzzy_duplicate`, `duplicate_reverted`, `code_split`, `code_split_reverted`, `code_fence_no_prose`,
   * `hard_t0:<hard reasons>`, `pattern:<label>`, `llm_preserved:<the classifier's reason>`, `json_structure`,
   * `adapter:<name>`, `adapter_reverted:<name>`, `tool_prepass`, `compressible_prose`, `merged_compressed`,
   * `flow:<type of chain>`, `cluster:<label>`, `merge_reverted`, `single_reverted`, `force_converge`,
   * `importance:<0.00 to 1.00>`, `correction:<signal>`, `contradicted:<signal>`, `contradiction_reverted`,
   * `relevance_dropped:<score>`, `tightened` or `omitted`. `…_reverted`: what would have stood for
   * the message is not shorter or, for a duplicate, longer.
   */
  reason: string;
  /** Characters of the message. */
  inputChars: number;
  /** Characters of what stands for it; of a merged summary its share. */
  outputChars: number;
}

/**
 * Makes a conversation smaller and keeps what it takes out in `verbatim`. With a summarizer or classifier the result is a
 * promise, otherwise it comes at once.
 *
 * @throws {TypeError} `messages` is not an array of objects with an id, or an option is of the wrong type; thrown at once,
 *   also when the result would be a promise
 * @throws {RangeError} an option's number makes no sense
 */
export function compress<M extends MessageLike>(
  messages: readonly M[],
  options?: SyncCompressOptions<Compressed<M>>,
): CompressResult<Compressed<M>>;
export function compress<M extends MessageLike>(
  messages: readonly M[],
  options: AsyncCompressOptions<Compressed<M>>,
): Promise<CompressResult<Compressed<M>>>;
export function compress<M extends MessageLike>(
  messages: readonly M[],
  options?: CompressOptions<Compressed<M>>,
): CompressResult<Compressed<M>> | Promise<CompressResult<Compressed<M>>>;
/**
 * Makes the texts of a provider's messages smaller; messages of the same type come out, and what the provider accepted it accepts
 * afterwards.
 *
 * @throws {TypeError} as above; the format is unknown or ambiguous; or something in a message is not what its format has
 */
export function compress<T extends object>(
  messages: readonly T[],
  options: FormatCompressOptions & { summarizer?: null | undefined; classifier?: null | undefined },
): FormatCompressResult<T>;
export function compress<T extends object>(
  messages: readonly T[],
  options: FormatCompressOptions & ({ summarizer: Summarizer } | { classifier: Classifier }),
): Promise<FormatCompressResult<T>>;
export function compress<T extends object>(
  messages: readonly T[],
  options: FormatCompressOptions,
): FormatCompressResult<T> | Promise<FormatCompressResult<T>>;

export interface UncompressOptions {
  /**
   * Restores originals that stand for others too, in at most 10 more passes and about a million messages; what is still
   * compressed then stays as it is. Default false.
   */
  recursive?: boolean | null | undefined;
}

export interface UncompressResult<M = Message> {
  /** The originals in the place of what stood for them, by reference. */
  messages: M[];
  /** Messages of which at least one original was found, all passes together. */
  messages_expanded: number;
  /** Messages that the last pass left as they were; copies behind found originals are not counted. */
  messages_passthrough: number;
  /** Ids that were not found, in order; an id that several passes looked for is named by each of them. */
  missing_ids: string[];
}

/**
 * Puts the originals back in the place of the messages that stand for them.
 *
 * A store object is asked for its own properties only. Where none of a message's originals is found, the message stays as
 * it is. Where some are found, they take its place, and behind them stands a copy of it whose `_cce_original.ids` names
 * only the missing ones: nothing is lost, and a later call with the complete store restores each original exactly once,
 * the late ones in the place of that copy.
 *
 * @throws {TypeError} `messages` is not an array or holds null, `store` is neither an object nor a function or answers
 *   with a promise, or `options` is not an object
 */
export function uncompress<M extends MessageLike, O extends MessageLike = M>(
  messages: readonly M[],
  store: VerbatimMap<O> | StoreLookup<O>,
  options?: UncompressOptions | null,
): UncompressResult<M | O>;
/**
 * Puts back the texts of a provider's messages: `restore`, with a result in the terms of this function. All rounds that `verbatim`
 * holds are undone, `recursive` or not; `missing_ids` are keys of it.
 *
 * @throws {TypeError} `messages` is not an array of objects, or `verbatim` holds something else than originals
 */
export function uncompress<T extends object>(
  messages: readonly T[],
  verbatim: Originals,
  options?: UncompressOptions | null,
): UncompressResult<T>;

/**
 * The shape of messages. `'auto'`, wherever a format is asked for, finds out by itself: a message that only one format has
 * decides. Plain texts with roles, which read and write the same in several, are taken for `'openai-chat'`; messages that
 * show the marks of two formats, or of none, are a TypeError that names them.
 */
export type Format =
  /** OpenAI's chat completions, and every API that speaks them. */
  | 'openai-chat'
  /** Items of OpenAI's Responses API. */
  | 'openai-responses'
  /** Anthropic's Messages API. */
  | 'anthropic'
  /** `ModelMessage` of the Vercel AI SDK 5 to 7, `CoreMessage` of version 4. */
  | 'ai-sdk-model'
  /** `UIMessage` of the Vercel AI SDK 4 to 7. */
  | 'ai-sdk-ui'
  /** `Content` of the Gemini API. */
  | 'gemini'
  /** Message instances of LangChain and LangGraph. */
  | 'langchain'
  /** {@link Message}, as `compress` takes it. */
  | 'message';

/** Something that the provider would refuse. */
export interface Problem {
  /** The name of the rule, such as `tool-result-without-call`; the README lists them all. */
  rule: string;
  /** Where, from the array that was given: `messages[14].content[2]`. A call without a result is named where the call stands. */
  path: string;
  /** What stands there, with its id, and why the provider refuses it. For people: the wording may change. */
  message: string;
}

export interface ValidateOptions {
  /** Default `'auto'`: finds out. An ambiguous or unknown format is then an error. */
  format?: Format | 'auto' | null | undefined;
}

/**
 * Says what the provider would refuse in these messages, before they are sent, in the order of the messages; an empty array
 * when nothing is wrong. Broken messages never throw, whatever they hold. Takes time in proportion to the messages.
 *
 * Calls that nothing follows are problems too, under the rule `tool-call-at-end`: in the middle of an agent loop they are as
 * they should be, but a provider refuses them without their results.
 *
 * @throws {TypeError} `messages` is not an array, or `options` or `format` is none
 */
export function validate<T>(messages: readonly T[], options?: ValidateOptions | null): Problem[];

/** Three and a half characters make a token: `ceil(length / 3.5)`; 0 for a content that is not a string. */
export function defaultTokenCounter(message: { content?: unknown }): number;

/**
 * Counts tokens. `o200k_base` is the encoding of GPT-4o and later models of OpenAI, `cl100k_base` that of GPT-4 and GPT-3.5:
 * both are exact, text like `<|endoftext|>` counts as the characters that it is, and a lone surrogate as U+FFFD. `estimate`
 * takes a token for every 3.5 UTF-16 code units, rounded up text by text.
 */
export type Tokenizer = 'o200k_base' | 'cl100k_base' | 'estimate';

/** A text of instructions: a block or part with a `text`. */
export interface SystemPromptText {
  type?: 'text' | 'input_text' | undefined;
  text?: string | undefined;
}

/**
 * A message of instructions: of the role `system` or `developer`, LangChain's `SystemMessage`, or Gemini's `Content`. Its content is a
 * string or texts.
 */
export type SystemPromptMessage =
  | { role: 'system' | 'developer'; content: string | readonly object[] }
  | { getType(): string; content: string | readonly object[] }
  | { parts?: readonly object[] | undefined };

/**
 * The instructions that are sent beside the messages, as the provider takes them: a string (OpenAI's `instructions`), Anthropic's blocks,
 * Gemini's `systemInstruction`, the AI SDK's `instructions` or LangChain's `SystemMessage`. Texts only.
 */
export type SystemPrompt = string | SystemPromptText | SystemPromptMessage | readonly (string | SystemPromptText | SystemPromptMessage)[];

export interface CountTokensOptions {
  /** Default `'o200k_base'`. */
  tokenizer?: Tokenizer | null | undefined;
  /** What the messages are. Default `'auto'`: it is found out. Without effect on a string. */
  format?: Format | 'auto' | null | undefined;
  /**
   * The instructions that are sent beside the messages. OpenAI's count as a message of the role `system`, those of Anthropic and Gemini
   * as their texts. Default none; with a string a TypeError.
   */
  system?: SystemPrompt | null | undefined;
  /** The schemas of the tools that are sent along, as the provider takes them. Default none; with a string a TypeError. */
  tools?: readonly unknown[] | null | undefined;
}

/**
 * The tokens of a text, or of a request with these messages: the texts, and what the provider adds for each message, name,
 * call, tool and image. That is exact for OpenAI's messages as far as OpenAI documents it; for other providers, whose
 * tokenizers are not public, it is an approximation. Images count by the provider's rule, their size is read from inline
 * PNG, JPEG, GIF and WebP data; one that is only referred to counts as one of 1024 × 1024 pixels (OpenAI), as the largest
 * (Anthropic, 1600 tokens) or as a tile (Gemini, 258 tokens).
 *
 * The first call with a vocabulary reads it: some 20 ms and 11 MB for `o200k_base`, a third of that for `cl100k_base`.
 *
 * @throws {TypeError} an argument is wrong, or the messages are of no known format
 */
export function countTokens(input: string | readonly object[], options?: CountTokensOptions | null): number;

/** The highest score of a sentence of the text: about −10 for filler to 20 and more for names, numbers and results. */
export function bestSentenceScore(text: string): number;

/**
 * The names, identifiers, quantities, paths, URLs and versions in a text, in the order of those kinds.
 *
 * @param cap how many at most; default one per 200 characters, 3 at least and 15 at most
 */
export function extractEntities(text: string, cap?: number | null): string[];

/** The entities of all messages, up to 500 of each. */
export function collectMessageEntities(messages: readonly MessageLike[]): Set<string>;

/** Share of the input's entities that the output still names, 0 to 1; 1 when there are none. */
export function computeEntityRetention(input: readonly MessageLike[], output: readonly MessageLike[]): number;

/** Share of the input's fences, braces and tables that the output still has, 0 to 1; 1 when there are none. */
export function computeStructuralIntegrity(input: readonly MessageLike[], output: readonly MessageLike[]): number;

/** Share of the output's entities whose message is still there by id, 0 to 1; 1 when there are none. */
export function computeReferenceCoherence(input: readonly MessageLike[], output: readonly MessageLike[]): number;

/** The three measures and `0.4·entity_retention + 0.4·structural_integrity + 0.2·reference_coherence`; none is rounded. */
export function computeQualityScore(input: readonly MessageLike[], output: readonly MessageLike[]): QualityScore;

/**
 * The share of specific facts of the originals that can still be read in the result, 0 to 1; 1 where there are none.
 *
 * A fact is a name, an identifier, a path, a URL, an address, a version, a command behind a `$`, a text in double quotes or
 * backticks, a number with its unit, a date or time, an amount of money, or a number of three digits or more. It is kept if
 * the same words and signs stand anywhere in the result. With N originals, a fact that n of them have weighs ln(1 + N/n).
 */
export function computeFactRetention(input: readonly MessageLike[], output: readonly MessageLike[]): number;

export interface QualityScore {
  entity_retention: number;
  structural_integrity: number;
  reference_coherence: number;
  quality_score: number;
}

/** The importance of messages by their positions, 0 to 1. */
export type ImportanceMap = Map<number, number>;

/** From this importance on a message is kept, unless `importanceThreshold` says otherwise. It is 0.65. */
export const DEFAULT_IMPORTANCE_THRESHOLD: number;

/**
 * How much each message matters to those that come after it, 0 to 1: up to 0.5 for the share of later messages that have an
 * identifier, a word without vowels or a `file.ext:line` in common with it, compared with the message that has most of
 * them (at least the next 4032 messages are looked at); {@link scoreContentSignals} of its content; and up to 0.1 for coming
 * late.
 *
 * @throws {TypeError} `messages` is not an array of objects
 */
export function computeImportance(messages: readonly { content?: unknown }[]): ImportanceMap;

/**
 * 0.15 if the text decides something (`must`, `always`, `we will use` …), 0.25 if it corrects something (`actually`,
 * `scratch that` …), 0.1 if it limits something (`deadline`, `constraint` …); 0.4 at most.
 *
 * @throws {TypeError} `content` is not a string
 */
export function scoreContentSignals(content: string): number;

/** What supersedes a message. */
export interface ContradictionAnnotation {
  /** Position of the message that does. */
  supersededByIndex: number;
  /** How much of what both are about they have in common, 0 to 1. */
  topicOverlap: number;
  /** What shows it, such as `explicit_correction`. */
  signal: string;
}

/**
 * The messages that a later one takes back or puts right (`actually, …`, `no, use …`, `scratch that` …), by position. The
 * later one is meant for that of the 512 messages before it with which it has most in common; of several the first counts.
 * Texts of fewer than 50 characters and earlier summaries neither correct nor are corrected.
 *
 * @param topicThreshold how much both must have in common, 0 to 1; half as much again where their roles differ. Default 0.15
 * @param preserveRoles roles whose messages neither correct nor are corrected; default none
 * @throws {TypeError} an argument is of the wrong type; it is named
 */
export function analyzeContradictions(
  messages: readonly { role?: string | undefined; content?: unknown }[],
  topicThreshold?: number,
  preserveRoles?: Iterable<string> & object,
): Map<number, ContradictionAnnotation>;

/**
 * The sentences of a text, trimmed: what ends in `.`, `!` or `?` on one line. What does not is left out, unless there is no
 * sentence at all: then it is the whole text, trimmed; nothing for a blank one.
 *
 * @throws {TypeError} `text` is not a string
 */
export function splitSentences(text: string): string[];

/**
 * The scores between 0 for the least and 1 for the greatest of them, in proportion; 0.5 each where all are equal.
 *
 * @throws {TypeError} `scores` is not an array of numbers
 */
export function normalizeScores(scores: readonly number[]): number[];

/**
 * Two lists of scores, each normalised, as one: `heuristic · (1 − weight) + scores · weight`.
 *
 * @param weight default 0.6; any number
 * @throws {TypeError} one of the lists is not an array of numbers, or `weight` is no number
 * @throws {Error} they are not of the same length
 */
export function combineScores(heuristic: readonly number[], scores: readonly number[], weight?: number): number[];

/** What the rules say about a text. */
export interface MessageClassification {
  /** `T0`: its wording matters. `T2`: prose of fewer than 20 words. `T3`: longer prose. */
  decision: 'T0' | 'T2' | 'T3';
  /** 0.65 for prose, 0.75 for one reason, 0.05 more for each further one, 0.95 at most. */
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
  /** Only of near duplicates: share of lines in common with the message that keeps the text, 0 to 1. */
  similarity?: number;
}

/**
 * Finds messages with the same text of 200 characters or more, by position.
 *
 * @param recencyStart where above 0, the first duplicate at or behind this position keeps the text; where there is none,
 *   and with 0, the last of all does; default 0
 * @param preserveRoles roles that are left out; default `['system']`
 * @throws {TypeError} an argument is of the wrong type; it is named
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
 * @param exactDuplicates what {@link analyzeDuplicates} found: those are left out; default none
 * @param threshold share of lines in common, 0 to 1, from which texts are nearly the same; default 0.85
 * @throws {TypeError} an argument is of the wrong type; it is named
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
  /** Their positions, ascending: what comes first, what follows from it and, in `qa` and `request_action`, a confirmation. */
  indices: number[];
  /** A question and its answer, a request and what was done, a statement and its correction, a long statement and its consent. */
  type: 'qa' | 'request_action' | 'correction' | 'acknowledgment';
  /** The kind and the first 50 characters of the first message; of the second, for `correction`. */
  label: string;
}

/**
 * Finds chains of messages: each from a message to one of the next three, and on to a confirmation. No message is in two.
 * Texts under 10 characters, with code fences, or that are summaries belong to none, nor do messages that call tools.
 *
 * @param recencyStart only messages before this position are looked at
 * @param preserveRoles roles that are left out
 */
export function detectFlowChains(messages: readonly MessageLike[], recencyStart: number, preserveRoles: ReadonlySet<string>): FlowChain[];

/** What a chain says, in at most 230 characters: the beginnings of its first two messages, or of the one that matters. */
export function summarizeChain(chain: Pick<FlowChain, 'indices' | 'type'>, messages: readonly MessageLike[]): string;

/** An elementary discourse unit: a sentence or a clause of one. */
export interface EDU {
  text: string;
  /** Its place in the list. */
  index: number;
  /** Places of those without which it can't be understood. */
  dependsOn: number[];
  /** What it is worth in a summary. */
  score: number;
}

/** Cuts a text into units, with score 0. A clause of 10 characters or less, and a rest without a full stop, are left out. */
export function segmentEDUs(text: string): EDU[];

/**
 * Copies of the units with scores.
 *
 * @param scorer gives a number for a text, at once; what it throws is passed on. Default: names of code, quantities with
 *   units, and emphasis raise the score, filler lowers it.
 */
export function scoreEDUs(edus: readonly EDU[], scorer?: ((text: string) => number) | null): EDU[];

/**
 * The units with the highest scores that fit into a budget, in their order, each together with what it depends on.
 *
 * @param budget characters; each unit costs two more than its text has
 * @param maxDepth levels of dependencies that come along; default 2
 */
export function selectEDUs(edus: readonly EDU[], budget: number, maxDepth?: number): EDU[];

/** The best units of a text within a budget of characters; its beginning, where none fits. */
export function summarizeWithEDUs(text: string, budget: number, scorer?: ((text: string) => number) | null): string;

/** A name of code that several messages use. */
export interface EntityDefinition {
  entity: string;
  /** Position of the first message that has it. */
  definingMessageIndex: number;
  /** Positions of the later ones, ascending. */
  referencingMessageIndices: number[];
}

/**
 * The names such as `readToken`, `TokenStream` and `read_token` that more than one message has, in the order in which they
 * first come.
 *
 * @throws {TypeError} a content is neither a string nor missing
 */
export function buildCoreferenceMap(messages: readonly MessageLike[]): EntityDefinition[];

/** The entities whose defining message is compressed while one that refers to it is preserved, by the former's position. */
export function findOrphanedReferences(
  definitions: readonly EntityDefinition[],
  compressedIndices: ReadonlySet<number>,
  preservedIndices: ReadonlySet<number>,
): Map<number, string[]>;

/**
 * The first sentences of a text that have the first five of the entities, each cut to 80 characters: `[context: a | b] `,
 * with a blank at its end; empty where the text has none of them.
 */
export function generateInlineDefinitions(entities: readonly string[], source: string): string;

/** Successive messages about the same things. */
export interface MessageCluster {
  /** Their positions, ascending. */
  indices: number[];
  /** Up to five entities that at least two of them have, the most frequent first. */
  sharedEntities: string[];
  /** The first three of those, or `cluster-<first position>`. */
  label: string;
}

/**
 * Groups messages by the words they share (rare ones count more; the first 1,000 distinct ones of each) and the entities
 * they name, by average linkage. Groups whose positions are not successive are left out.
 *
 * @param eligibleIndices positions of the messages to compare; of more than 200, the last 200
 * @param similarityThreshold how alike, 0 to 1, two groups are on average to become one; default 0.15
 */
export function clusterMessages(
  messages: readonly MessageLike[],
  eligibleIndices: readonly number[],
  similarityThreshold?: number,
): MessageCluster[];

/** What a cluster says: three of its shared entities, and the first 100 characters of each message. */
export function summarizeCluster(cluster: Pick<MessageCluster, 'indices' | 'sharedEntities'>, messages: readonly MessageLike[]): string;

/** Sends a prompt to an LLM and gives its answer. */
export type CallLlm = (prompt: string) => string | PromiseLike<string>;

export interface CreateSummarizerOptions {
  /** Tokens that the prompt allows the answer, above 0; a request to the model, nothing is cut. Default 300. */
  maxResponseTokens?: number | null | undefined;
  /** Stands in front of every prompt, followed by a blank line. Default none. */
  systemPrompt?: string | null | undefined;
  /**
   * `aggressive` asks for terse bullet points in half of the tokens, `structured` for the state that an agent needs in its
   * later turns. Default `normal`.
   */
  mode?: 'normal' | 'aggressive' | 'structured' | null | undefined;
  /** Kinds of text to be kept as written, beside those that the prompt names already; without effect in mode `structured`. */
  preserveTerms?: readonly string[] | null | undefined;
}

export interface CreateClassifierOptions {
  /** Tokens that the prompt allows the answer, above 0; a request to the model, nothing is cut. Default 100. */
  maxResponseTokens?: number | null | undefined;
  /** Stands in front of every prompt, followed by a blank line. Default none. */
  systemPrompt?: string | null | undefined;
  /** More criteria for keeping a message as it is. Default none. */
  alwaysPreserve?: readonly string[] | null | undefined;
  /** More criteria for summarising a message. Default none. */
  alwaysCompress?: readonly string[] | null | undefined;
}

/**
 * Makes a `summarizer` out of a call to an LLM. It hands on what the call returns, throws or rejects with.
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createSummarizer<R extends string | PromiseLike<string>>(
  callLlm: (prompt: string) => R,
  options?: CreateSummarizerOptions | null,
): (text: string) => R;

/**
 * Makes a `summarizer` that asks a second time, for terse bullet points in half of the tokens, when the first answer
 * fails, is empty or is not shorter than the text. The second answer is returned as it comes. `mode` is without effect.
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createEscalatingSummarizer(callLlm: CallLlm, options?: CreateSummarizerOptions | null): (text: string) => Promise<string>;

/**
 * Makes a `classifier` out of a call to an LLM. An answer that holds no verdict gives `compress` with confidence 0 and the
 * reason `unparseable`; what the call throws or rejects with is passed on; an answer that is no string is a TypeError.
 *
 * @returns a classifier that answers at once when `callLlm` does, and otherwise with a promise
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createClassifier(
  callLlm: (prompt: string) => string,
  options?: CreateClassifierOptions | null,
): (text: string) => ClassifierResult;
export function createClassifier(
  callLlm: (prompt: string) => PromiseLike<string>,
  options?: CreateClassifierOptions | null,
): (text: string) => Promise<ClassifierResult>;
export function createClassifier(
  callLlm: CallLlm,
  options?: CreateClassifierOptions | null,
): (text: string) => ClassifierResult | Promise<ClassifierResult>;

/**
 * Makes a `classifier` that never fails: where the LLM fails, gives no verdict or has no confidence in it, the rules of
 * {@link classifyMessage} decide. The reason is then `heuristic_t0` or `heuristic_fallback`.
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createEscalatingClassifier(
  callLlm: CallLlm,
  options?: CreateClassifierOptions | null,
): (text: string) => Promise<ClassifierResult>;

/** A classifier's verdict on one token of a text. */
export interface TokenClassification {
  /** The token as it is to be written. */
  token: string;
  /** Whether it is to stay. */
  keep: boolean;
  /** From 0 to 1. */
  confidence: number;
}

/** Splits a text into tokens and says of each whether it is to stay. A model, as a rule. */
export type MLTokenClassifier = (content: string) => TokenClassification[] | PromiseLike<TokenClassification[]>;

/**
 * The text that is left when a classifier's tokens are gone. A token stays if it is to be kept with a confidence of
 * `minConfidence` or more, or to go with less. What stays is joined by blanks; there is none before `. , ; : ! ? ) ] }` and
 * behind `( [ {`.
 *
 * @param minConfidence from 0 to 1, default 0.5
 * @returns a promise that rejects with what the classifier throws, or with a TypeError where its answer is no array of
 *   {@link TokenClassification}
 * @throws {TypeError} an argument is of the wrong type; thrown at once
 */
export function compressWithTokenClassifier(content: string, classifier: MLTokenClassifier, minConfidence?: number): Promise<string>;

/**
 * The same at once.
 *
 * @throws {Error} the classifier returned a promise
 * @throws {TypeError} an argument is of the wrong type, or the classifier's answer is no array of {@link TokenClassification}
 */
export function compressWithTokenClassifierSync(
  content: string,
  classifier: (content: string) => TokenClassification[],
  minConfidence?: number,
): string;

/** Splits a text at white space; there are no empty tokens. */
export function whitespaceTokenize(text: string): string[];

/**
 * A token classifier for tests: of the tokens between white space it keeps those in which one of the patterns is found.
 *
 * @param confidence of every verdict, default 0.9
 */
export function createMockTokenClassifier(patterns: readonly RegExp[], confidence?: number): (content: string) => TokenClassification[];

/** Tells apart what of a text stays word for word and what is summarised. Its methods answer at once. */
export interface FormatAdapter {
  /** Shown in the trace as `adapter:<name>`. */
  name: string;
  /** Whether a text is of this format. */
  detect(content: string): boolean;
  /** The pieces that stay as they are. */
  extractPreserved(content: string): string[];
  /** The pieces that a summary is made of, joined by blanks. */
  extractCompressible(content: string): string[];
  /** The new text; the summary is empty where there was nothing to summarise. */
  reconstruct(preserved: string[], summary: string): string;
}

/** Keeps fenced code and summarises the text around it. `compress` does this without an adapter. */
export const CodeAdapter: FormatAdapter;
/** Keeps the results and the file names of what tools print. */
export const StructuredOutputAdapter: FormatAdapter;
/** Keeps the tags of XML and HTML and summarises long texts and comments. */
export const XmlAdapter: FormatAdapter;
/** Keeps the lines of YAML and summarises values of more than 60 characters. */
export const YamlAdapter: FormatAdapter;
/** Keeps headings and tables of Markdown and summarises the paragraphs. */
export const MarkdownAdapter: FormatAdapter;

/** How an agent did with a compressed history. */
export interface TaskOutcome {
  success: boolean;
  /** What went wrong. */
  error?: string;
}

/** A history, what it was compressed to, and how an agent did with that. */
export interface CompressionPair {
  original: readonly MessageLike[];
  compressed: readonly MessageLike[];
  outcome: TaskOutcome;
}

/** What compression lost that was needed. */
export interface FeedbackResult {
  lostPatterns: string[];
  /** For `preserveTerms` of a summarizer. */
  suggestedTerms: string[];
  /** For the system prompt of a summarizer. */
  guidelines: string[];
}

/** What compression kept that was not needed. */
export interface OverPreservationResult {
  unnecessaryPatterns: string[];
  /** To be taken out of `preserveTerms` of a summarizer. */
  removableTerms: string[];
  /** For the system prompt of a summarizer. */
  tighteningGuidelines: string[];
}

/** Collects outcomes and asks an LLM what follows from them. */
export interface FeedbackCollector {
  /** @throws {TypeError} an argument is of the wrong type */
  add(original: readonly MessageLike[], compressed: readonly MessageLike[], outcome: TaskOutcome): void;
  /**
   * Asks once what was lost; without a failed outcome it asks nothing and the lists are empty. Rejects with what the LLM
   * rejects with, and with a SyntaxError where the reply is neither JSON nor one fenced block of it.
   */
  analyze(): Promise<FeedbackResult>;
  /** Asks once what was kept in vain; without a successful outcome it asks nothing. Rejects in the same cases. */
  analyzeOverPreservation(): Promise<OverPreservationResult>;
  /** What was added so far. */
  readonly pairs: CompressionPair[];
}

/** @throws {TypeError} `callLlm` is no function */
export function createFeedbackCollector(callLlm: CallLlm): FeedbackCollector;

/** A copy of the options with the suggested terms and guidelines added. */
export function refineSummarizer(options: CreateSummarizerOptions, feedback: FeedbackResult): CreateSummarizerOptions;

/** A copy of the options without the removable terms, and with the tightening guidelines added. */
export function tightenSummarizer(options: CreateSummarizerOptions, feedback: OverPreservationResult): CreateSummarizerOptions;

/**
 * Asks an LLM once for improvements of a summarizer, each as a copy of the options with its terms and guidelines added.
 *
 * @param count how many at most, default 5
 * @returns a promise that rejects with what the LLM rejects with, and where the reply is no JSON array of objects
 * @throws {TypeError} an argument is of the wrong type; thrown at once
 */
export function refineSummarizerCandidates(
  callLlm: CallLlm,
  options: CreateSummarizerOptions,
  feedback: FeedbackResult,
  count?: number,
): Promise<CreateSummarizerOptions[]>;

/** A text and what it was compressed to. */
export interface DistillationPair {
  /** The originals of a message, one per line. */
  input: string;
  /** What stands for them. */
  output: string;
}

/** Pairs to train a summarizer with: each message that stands for others, with their texts as far as they are there. */
export function createDistillationPairs(result: Pick<CompressResult<MessageLike>, 'messages' | 'verbatim'>): DistillationPair[];

/** Tokens, for `compressionThreshold`: 4096. */
export const RECOMMENDED_HISTORY_THRESHOLD: 4096;
/** Tokens, for `observationThreshold`: 1024. */
export const RECOMMENDED_OBSERVATION_THRESHOLD: 1024;

/**
 * What was taken out of a conversation, by key: all that `restore` needs. Plain JSON (as far as the messages are: what stood
 * in LangChain's instances stays instances). Originals of several rounds go together as `{ ...first, ...second }`.
 */
export interface Originals {
  [key: string]: Original;
}

/** One thing that was taken out. Its fields are for `restore`. */
export interface Original {
  /** The round it was taken out in. */
  round: string;
  /** Its place in that round. */
  step: number;
  /** Messages that the round left. */
  length: number;
  [field: string]: unknown;
}

export interface RestoreResult<T> {
  /** The conversation as it was. What nothing was taken out of is the same object. */
  messages: T[];
  /**
   * Keys that could not be put back, each once: of a stub or a cut message that was changed or is gone (the change stays), of one that
   * reads like others of which some were taken away or added, of messages that went where those around them are gone, and of a
   * marker whose original isn't there. What is there already, because it was restored before, is not named.
   */
  missing: string[];
  /** How many originals were put back. */
  restored: number;
}

/**
 * Puts back what was taken out. The result equals what was given, key order included, also when messages were appended
 * since, when messages and originals went through JSON, and when there were several rounds.
 *
 * A stub is found by the key in its marker, wherever its message stands now; a text that quotes a stub stays. What left no stub
 * is found by a 64-bit hash of the message that was written, or put back between the messages it stood between. Where that isn't
 * certain, nothing is put back, and the key is in `missing`.
 *
 * @param messages of any format; never changed
 * @param originals of all rounds; a store may sort keys, as `jsonb` does
 * @throws {TypeError} `messages` is not an array of objects, or `originals` holds something else than originals
 */
export function restore<T extends object>(messages: readonly T[], originals: Originals): RestoreResult<T>;

/** Options of `prune`. `undefined` and `null` mean the default. */
export interface PruneOptions {
  /** The messages' format. Default `auto`. */
  format?: Format | 'auto' | null | undefined;
  /**
   * `stub` leaves a short text in place of a result and of the long arguments of a superseded write or edit. `remove` takes
   * a call out together with its results; what is left of a failed command or of a cut result stays in both, and so does the
   * call of an edit whose result only a later read holds. Default `stub`.
   */
  mode?: 'stub' | 'remove' | null | undefined;
  /**
   * `safe` takes an edit only where a later whole write of the file, or a later read that stays, holds its result. `last`
   * keeps the last edit of a file alone, and with the others what can't be told without them. Default `safe`.
   */
  edits?: 'safe' | 'last' | null | undefined;
  /**
   * How a command's failure is told. `status`: by its exit code, by the format's own sign (`is_error` and the like), by the
   * form in which the tool says so. `words`: where none of these says anything, also by `error:`, `failed`, `exception`,
   * `command not found`, `permission denied`, `no such file`, `cannot` and `fatal:` in the output, but not by "0 failed".
   * Default `status`.
   */
  failures?: 'status' | 'words' | null | undefined;
  /**
   * What becomes of signed thinking, as Claude gives it: models with preserved thinking accept such a block only behind exactly
   * what it was made from. `keep` edits nothing that stands before one. `strip` edits, and takes out the signed thinking that
   * stands behind the first edit, that of the last `keep.recent` messages too. `leave` edits, and leaves the blocks where they are, but
   * for those of which all that they led to goes: for Claude without prefix checks, and with `prefix_mismatch_behavior: 'drop_block'`.
   * Thinking without a signature, OpenAI's encrypted reasoning and Gemini's thought signatures hold nothing back and stay as they are;
   * from GPT-6.2 on OpenAI silently drops reasoning behind an edit. Default `keep`.
   */
  thinking?: 'keep' | 'strip' | 'leave' | null | undefined;
  /**
   * What is not touched. The user's texts, also where a tool's result passes on what the user said to the call, and the system's
   * instructions are never touched.
   */
  keep?:
    | {
        /** So many messages at the end; a whole number from 0, or `Infinity`. Default 6. */
        recent?: number | null | undefined;
        /** Names of tools, as calls give them. Default none. */
        tools?: readonly string[] | null | undefined;
        /**
         * Files, as patterns: `*` stands for anything but `/`, `**` for anything, `?` for one character. A pattern without
         * `/` is compared with a file's name, one that begins with `/` with its whole path, another with the path's end.
         * Default none.
         */
        paths?: readonly string[] | null | undefined;
      }
    | null
    | undefined;
  /** Tools beside those that are built in, or in their place, by name. Default none. */
  tools?: ToolMap | null | undefined;
  /** Adds to the report why each edit was made, and what supersedes it. Default `false`. */
  trace?: boolean | null | undefined;
}

/** Tools by the name that calls give them. */
export interface ToolMap {
  [name: string]: ToolDescription;
}

/** What a tool does, and the names of its arguments. A dot leads into an object or into each element of an array. */
export interface ToolDescription {
  kind: 'read' | 'write' | 'edit' | 'command' | 'search' | 'other';
  /** The argument with the file's path, or with a list of paths. `read`, `write` and `edit` need it. */
  path?: string | undefined;
  /** `edit`: the argument with the text that it brings; without it only a whole write or a read of all lines supersedes it. */
  text?: string | undefined;
  /** The argument with the command, a string or a list of words. `command` needs it. */
  command?: string | undefined;
  /** `command`: the argument with the directory that it runs in. */
  cwd?: string | undefined;
  /** `read`: the arguments with the first line, counted from 1, and the number of lines. */
  offset?: string | undefined;
  limit?: string | undefined;
  /** `read`: the arguments with the first and the last line, counted from 1. */
  start?: string | undefined;
  end?: string | undefined;
}

/**
 * Takes out of an agent's conversation what a later operation says better: stale reads, superseded edits, commands that were
 * run again, failed ones but for the line that says what failed, repeated results and images, very long outputs. The user's texts
 * are never touched, nor is what the provider wants back as it was (signatures, encrypted items, thinking but for `thinking:
 * 'strip'`). What the provider accepted it accepts afterwards, no text gets longer, and pruning twice is the same as once. Takes time in proportion to the
 * messages; they are never changed.
 *
 * @throws {TypeError} an argument is wrong, the format is unknown or ambiguous, or something in a message is not what its
 *   format has; the place is named, as `messages[14].content[2].input`
 * @throws {RangeError} `keep.recent` is a number that makes no sense
 */
export function prune<T extends object>(messages: readonly T[], options?: PruneOptions): PruneResult<T>;

/** What pruning gives: messages of the type that came in. */
export interface PruneResult<T> {
  /** Messages that are not edited are the same objects. */
  messages: T[];
  /** All that `restore` needs, as plain JSON. Those of several rounds are merged by object spread. */
  originals: Originals;
  report: PruneReport;
}

/** What a pruning came to. `String(report)` is `summary`. */
export interface PruneReport {
  messages: { before: number; after: number };
  /**
   * By the rules of `countTokens`. Counting takes longer than pruning, so it is done when this, or `summary`, is first read
   * (by `JSON.stringify` too), of the messages as they are then: leave them as they are until you have read it. Arrays
   * may grow.
   */
  tokens: { before: number; after: number };
  /**
   * Reads of files that were changed, or read again, later. Where the change was a partial one, a read of some lines that
   * takes up to 2,000 characters stays, and another of 1,000 characters or more keeps, in mode `stub`, up to half: the lines
   * that name what nothing else names.
   */
  staleReads: number;
  /** Writes and edits that a later operation holds the result of. */
  staleEdits: number;
  /** Commands that were run again later. */
  staleCommands: number;
  /**
   * Commands that failed, cut to the line that says what failed; where they were not run again, an output of 1,000 characters
   * or more keeps up to half: what looks like an error or names what nothing else names.
   */
  failedCommands: number;
  /**
   * Signed thinking blocks that were taken out because something before them was edited, with `thinking: 'strip'`; with `leave`, because
   * another one of their message went with the call that it led to.
   */
  strippedThinking: number;
  others: {
    /** Reads without the lines that a later read shows too. */
    overlappingReads: number;
    /** Searches that were made again later. */
    staleSearches: number;
    /** Results of 160 characters or more that a later call's result repeats. */
    identicalResults: number;
    /**
     * Outputs of more than 16,000 characters, but for reads, cut to the first and the last 4,000 and in between up to 6,000
     * of lines that look like an error, that name the next file of a diff or that are taken up later.
     */
    oversizedOutputs: number;
    /** Images of tools, and encoded data of 512 characters or more in results, that a later result repeats. */
    repeatedMedia: number;
    /** Messages of the model without content. */
    emptyMessages: number;
    /** Texts of the model that only announced calls which were removed. */
    announcements: number;
  };
  /** All of it in one line. */
  summary: string;
  /** One entry for each edit, with `trace`. */
  trace?: PruneTrace[];
}

/** Where a text stands. */
export interface PartPosition {
  /** Index of its message. */
  message: number;
  /** Where it stands inside of the message. */
  path: (string | number)[];
  /** A call's tool. */
  name?: string;
  callId?: string;
}

/** An edit, and why it was made. */
export interface PruneTrace extends PartPosition {
  reason:
    | 'staleRead'
    | 'staleEdit'
    | 'staleCommand'
    | 'failedCommand'
    | 'overlappingRead'
    | 'staleSearch'
    | 'identicalResult'
    | 'oversizedOutput'
    | 'repeatedMedia'
    | 'emptyMessage'
    | 'announcement'
    | 'strippedThinking';
  action: 'replace' | 'remove';
  charsBefore: number;
  charsAfter: number;
  /** The later operation. */
  supersededBy?: PartPosition;
}

/** Options of `fit`. `undefined` and `null` mean the default. */
export interface FitOptions<T = object> {
  /** The tokens that may be taken by everything that is sent: messages, `system`, `tools`, and what the provider adds. At least 0. */
  budget: number;
  /** How tokens are counted. Default `o200k_base`. */
  tokenizer?: Tokenizer | null | undefined;
  /**
   * Counts a message in place of `tokenizer`: a number from 0. It is asked once for each message that comes in and for each that
   * is written. What belongs to no message is then not counted, but for `system` and `tools`, which are counted
   * with `o200k_base`.
   */
  tokenCounter?: ((message: T) => number) | null | undefined;
  /** The messages' format. Default `auto`. */
  format?: Format | 'auto' | null | undefined;
  /** The instructions that are sent beside the messages: they are counted, and never edited. Default none. */
  system?: SystemPrompt | null | undefined;
  /** The schemas of tools that are sent along, in the provider's shape: they are counted. Default none. */
  tools?: readonly unknown[] | null | undefined;
  /** What stays whatever it takes, beside the system's instructions. Where all of this is over the budget, nothing fits. */
  keep?:
    | {
        /** So many messages at the end; a whole number from 0, or `Infinity`. Default 0: the current exchange stays where it can. */
        recent?: number | null | undefined;
        /** Everything that the user said or showed, and said when rejecting a call. Default `false`: the user's words are the last to go. */
        user?: boolean | null | undefined;
        /** Calls of these tools, by name, with their results. Default none. */
        tools?: readonly string[] | null | undefined;
        /** Lines and sentences that one of these matches. Default none. */
        patterns?: readonly RegExp[] | null | undefined;
      }
    | null
    | undefined;
  /**
   * What is asked for: a text, or several. Spans that have to do with it, and what stands beside them, are worth more. Of a text the
   * first 4,000 UTF-16 code units are read, and of all texts the first 256 distinct words count. Default: the current exchange, which is the
   * user's last message and, in an agent's loop, the model's last step. `false` or no text: nothing is asked for.
   */
  query?: string | readonly string[] | false | null | undefined;
  /**
   * Whether what a later operation says better is the first to go, and how that is told; see `prune`. `format`, `mode`, `thinking` and
   * `trace` in it have no meaning here. Default `true`.
   */
  prune?: boolean | PruneOptions | null | undefined;
  /**
   * What becomes of signed thinking, as in `PruneOptions`: `keep` cuts nothing that stands before one, so that such a conversation
   * may not fit; `strip` takes it out, from the last message on, as far as that is enough, and all of it before anything else is cut;
   * `leave` cuts as if it were not signed: a block stays as it is, or goes with its message. Default `keep`.
   */
  thinking?: 'keep' | 'strip' | 'leave' | null | undefined;
  /**
   * What earlier rounds took out: it is put back first, so that each round chooses from all there was. Where thinking was signed since,
   * `keep` puts nothing back, `strip` takes that thinking out, and `leave` puts everything back and strips nothing. Default none.
   */
  originals?: Originals | null | undefined;
  /**
   * Sums up what would go: prose of the model and of its tools in coherent groups, never code, never the user's words. An answer is
   * used if it is shorter than what it stands for; facts that it lacks are appended. With it `fit` returns a promise.
   */
  summarizer?: Summarizer | null | undefined;
  /** How many summaries are asked for at the same time; a whole number from 1, or `Infinity`. Default 4. */
  concurrency?: number | null | undefined;
  /** Rejects the promise with its reason when it is aborted. */
  signal?: AbortSignalLike | null | undefined;
  /** Adds to the report what became of each message, and why. Default `false`. */
  trace?: boolean | null | undefined;
}

/**
 * Makes a conversation fit a budget of tokens, with what is needed next still in it. Where it fits as it is, nothing is touched.
 *
 * Lines, sentences and members of JSON stay or go, over the whole history at once: those first that bring the most for their
 * tokens, by the facts in them that nothing kept says yet, how often and how lately those came up, and who took them up; and by
 * what they have to do with what is asked (`query`). What stays reads as it was written, in its order, with a mark where something is missing. Calls and their results go only
 * together, with a mark in their place. The user's words and the current exchange go last, and those of the user's last message
 * after all else. Calls that wait for their results stay as they are.
 *
 * What the provider accepted it accepts afterwards; `restore` gives back everything; the same input gives the same result on every
 * platform. Takes time in proportion to the messages, which are never changed.
 *
 * @throws {TypeError} an argument is wrong, the format is unknown or ambiguous, or something in a message is not what its
 *   format has; the place is named, as `messages[14].content[2].input`
 * @throws {RangeError} a number makes no sense
 */
export function fit<T extends object>(messages: readonly T[], options: FitOptions<T> & { summarizer?: null | undefined }): FitResult<T>;
export function fit<T extends object>(messages: readonly T[], options: FitOptions<T> & { summarizer: Summarizer }): Promise<FitResult<T>>;
export function fit<T extends object>(messages: readonly T[], options: FitOptions<T>): FitResult<T> | Promise<FitResult<T>>;

/** What fitting gives: messages of the type that came in. */
export interface FitResult<T> {
  /** Messages that are not edited are the same objects. */
  messages: T[];
  /** All that `restore` needs, as plain JSON. Those of several rounds are merged by object spread, unless the option took them. */
  originals: Originals;
  /** Whether the result is within the budget. If not, it is the smallest valid one that keeps what has to stay. */
  fits: boolean;
  /** Tokens of everything that is sent; `minimum`, where nothing fits: what it would take at least. */
  tokens: { before: number; after: number; budget: number; minimum?: number };
  report: FitReport;
}

/** What a fitting came to. `String(report)` is `summary`. */
export interface FitReport {
  /** `kept`: as they were; `cut`: some of it went; `removed`: all of it did. */
  messages: { before: number; after: number; kept: number; cut: number; removed: number };
  /** Tokens by which messages got shorter, and those of messages that went. */
  saved: { cut: number; removed: number };
  /** With a summarizer: how many summaries were asked for, used, and refused (no text, not shorter, or an error). */
  summaries?: { asked: number; used: number; refused: number };
  /**
   * With `thinking: 'keep'`: tokens of what may not be cut because signed thinking stands behind it, that thinking and what it led to
   * included, the system's instructions not; where `keep` names some of it as well, it counts too. Absent where there is none.
   */
  heldByThinking?: number;
  /**
   * With `thinking: 'strip'`: the turn whose calls are being answered (the last message with calls, behind which there are only their
   * results) lost its thinking. Models that think by a fixed budget refuse that: send this request without thinking. Otherwise absent.
   */
  strippedOpenTurn?: true;
  /** All of it in one line; where nothing fits because of signed thinking, it says so. */
  summary: string;
  /** One entry for each message, with `trace`. */
  trace?: FitTrace[];
}

export interface FitTrace {
  /** Its index in the messages, after `originals` were put back. */
  message: number;
  action: 'keep' | 'cut' | 'remove';
  /**
   * Why it stays: the system's instructions, what `keep` names, what a valid conversation needs, the current exchange, the user's
   * words, that it has to do with what is asked, or that it is worth its tokens; or why not: the budget.
   */
  why: 'system' | 'keep' | 'valid' | 'current' | 'user' | 'asked' | 'worth' | 'budget';
  tokens: { before: number; after: number };
}

/**
 * What a provider's cache costs, in multiples of the price of uncached input, and how long it holds. With `write` above 1 only what an
 * earlier request ended with counts as readable, as at breakpoints; otherwise any prefix does.
 */
export interface CachePrices {
  /** The price of a token that is not read from the cache, from 0. Default 1. */
  write?: number | null | undefined;
  /** The price of a token that is read from the cache, from 0. */
  read: number;
  /** How long a prefix can be read after the last request that had it, in ms from 0; may be `Infinity`. */
  ttl: number;
  /** The tokens that a prefix must have to be cached, from 0. Default 0. */
  minimum?: number | null | undefined;
}

/**
 * Options of `createSession`: `limit` or `window`, and what else is wanted. `undefined` and `null` mean the default. Shares are above 0
 * and below 1.
 */
export interface SessionOptions<T extends object = object> {
  /** The tokens that a request may take, above 0, everything counted: messages, `system`, `tools`, and what the provider adds. Not with `window`. */
  limit?: number | null | undefined;
  /**
   * The model's context window in tokens, above 0, in place of `limit`: the limit is what `maxOutputTokens` leaves of it. Of that it is
   * 80 % until usage was observed, where counts are approximate: in all formats but OpenAI's two and `message`, and with the tokenizer
   * `estimate`, unless there is a `tokenCounter`.
   */
  window?: number | null | undefined;
  /** The tokens that the answer may take, from 0 and below `window`, as the request says. Only with `window`. Default 0. */
  maxOutputTokens?: number | null | undefined;
  /** The messages' format. Default `auto`: by the first messages that show it. */
  format?: Format | 'auto' | null | undefined;
  /** How tokens are counted. Default `o200k_base`. */
  tokenizer?: Tokenizer | null | undefined;
  /** Counts a message in place of `tokenizer`, as in {@link FitOptions}. Default none. */
  tokenCounter?: ((message: T) => number) | null | undefined;
  /** The instructions that are sent beside the messages: they are counted. Default none. */
  system?: SystemPrompt | null | undefined;
  /** The schemas of tools that are sent along, in the provider's shape: they are counted. Default none. */
  tools?: readonly unknown[] | null | undefined;
  /** How much is remembered, and for how much money: sets `low` and `coldLow`. Default `balanced`. */
  preset?: 'careful' | 'balanced' | 'thrifty' | null | undefined;
  /** The share of the limit that an epoch leaves. Default 0.5; `careful` 0.6, `thrifty` 0.3. */
  low?: number | null | undefined;
  /**
   * The share of the limit that an epoch leaves when nothing is in the cache any more. Default 0.35, `careful` 0.6, `thrifty` 0.3, but not more
   * than a `low` that is given.
   */
  coldLow?: number | null | undefined;
  /**
   * The provider's cache; `docs/sessions.md` has the prices behind each name, with sources and dates. Default: `anthropic` and `gemini`
   * for the formats of these names, and `openai` for all others.
   */
  cache?: 'anthropic' | 'anthropic-1h' | 'openai' | 'gemini' | 'none' | CachePrices | null | undefined;
  /**
   * Puts Anthropic's `cache_control` into what is sent, on copies of the messages: at the end of the request, at the end of what the last
   * epoch made, and at the end of the last request where that is 20 blocks or more away. With the caller's own, those of `system` and `tools`
   * included, there are never more than 4. They live for an hour where the cache does and no other breakpoint lives shorter. With
   * another format than `anthropic` a TypeError. Default `false`.
   */
  cacheControl?: boolean | null | undefined;
  /**
   * What becomes of signed thinking. `strip` takes out what stands behind something that changed, because models with preserved thinking
   * refuse it. `leave` leaves it in place, for models that don't check. `keep` cuts nothing that stands before such a block, so that a
   * request may not fit. Default `strip`.
   */
  thinking?: 'strip' | 'keep' | 'leave' | null | undefined;
  /** What stays whatever it takes, as in {@link FitOptions}. Default: the system's instructions. */
  keep?: FitOptions<T>['keep'];
  /** What is asked for, as in {@link FitOptions}. Default: the current exchange. */
  query?: FitOptions<T>['query'];
  /** Whether what a later operation says better goes first, as in {@link FitOptions}. Default `true`. */
  prune?: FitOptions<T>['prune'];
  /**
   * Sums up what goes, as in {@link FitOptions}; `next` then returns a promise. It is asked in the background, from 80 % of the limit on and at
   * epochs, for each text once, and never waited for: an answer that comes later is used by the next epoch, and a failure costs nothing but
   * that summary. Default none.
   */
  summarizer?: Summarizer | null | undefined;
  /** How many summaries are asked for at the same time; a whole number from 1, or `Infinity`. Default 4. */
  concurrency?: number | null | undefined;
  /** The time in ms, a finite number; otherwise `next` throws a TypeError. Default `Date.now`. */
  now?: (() => number) | null | undefined;
}

/**
 * Begins a session, or goes on with one that was saved: a loop of requests that stays within the limit and keeps the provider's cache.
 *
 * The options are not saved: a session that is taken up with the same ones sends what the saved one would have sent, byte for byte.
 *
 * @param saved what `JSON.stringify(session)` wrote, parsed
 * @throws {TypeError} an option is wrong, or `saved` is nothing that a session of this version wrote; it is named
 * @throws {RangeError} a number makes no sense
 */
export function createSession<T extends object = object>(
  options: SessionOptions<T> & { summarizer?: null | undefined },
  saved?: SavedSession | null,
): Session<T>;
export function createSession<T extends object = object>(
  options: SessionOptions<T> & { summarizer: Summarizer },
  saved?: SavedSession | null,
): AsyncSession<T>;
export function createSession<T extends object = object>(
  options: SessionOptions<T>,
  saved?: SavedSession | null,
): Session<T> | AsyncSession<T>;

/** A conversation, request by request. */
export interface Session<T extends object = object> {
  /**
   * What to send for a history: the whole of it, each time, with whatever came since. It is never changed.
   *
   * Mostly this only appends: what was sent before is sent again, the same objects, and the new messages follow untouched. At an *epoch* it
   * chooses anew from everything there is, as {@link fit} does. Where the history itself has changed, what stands before the change is sent
   * as before. Takes time in proportion to the new messages; with an epoch or a change, to the history.
   *
   * @throws {TypeError} `history` is no array, is of another format than before, or something in a message is not what its format has;
   *   the session is then as it was
   */
  next<M extends T>(history: readonly M[]): SessionStep<M>;
  /**
   * The same for servers: an epoch's work is done off the event loop, which is held for a few ms at a time. Calls that overlap are
   * answered in their order.
   */
  nextAsync<M extends T>(history: readonly M[]): Promise<SessionStep<M>>;
  /**
   * Takes the usage that the provider reports for the last request, as it comes: from OpenAI, Anthropic, Gemini, the AI SDK or
   * LangChain (`usage_metadata`). From then on tokens are those that the provider would count, and what it did not read from the cache
   * brings the next epoch nearer. A count below a quarter or above four times that of the session belongs to something else, and
   * changes no counts.
   *
   * @throws {TypeError} it is no object, or has no number of input tokens
   */
  observe(usage: object): void;
  /** What the session came to so far. */
  readonly report: SessionReport;
  /**
   * The session's state, for `JSON.stringify`: at most 5 % of the size of the history and 2 KB. It has no copy of the history, but marks
   * that were put into messages, and summaries.
   */
  toJSON(): SavedSession;
}

/** A session with a summarizer. */
export interface AsyncSession<T extends object = object> extends Omit<Session<T>, 'next'> {
  /** As {@link Session.nextAsync}. */
  next<M extends T>(history: readonly M[]): Promise<SessionStep<M>>;
}

/** A session's state as plain JSON. What it holds is the session's own matter. */
export interface SavedSession {
  /** The version of its shape; another one is refused. */
  version: number;
  [key: string]: unknown;
}

/** What to send, and how it came about. */
export interface SessionStep<T> {
  /**
   * What to send: the history's own objects, copies of those that were cut or that `cacheControl` marks, and marks in the place of those
   * that went.
   */
  messages: T[];
  /** Whether `tokens.after` is within the limit. If not, not even what has to stay fits, and it is the smallest valid request. */
  fits: boolean;
  /**
   * Tokens of the whole request, `system` and `tools` included: `before`, with nothing cut; `after`, as it is sent; `limit`, which they may
   * take; `minimum`, where it does not fit: what it takes. Once usage was observed, the counts are in the provider's tokens and need not be whole.
   */
  tokens: { before: number; after: number; limit: number; minimum?: number };
  /** Where this request begins an epoch; otherwise absent. */
  epoch?: SessionEpoch;
  report: SessionStepReport;
}

/** A new choice from everything there is. It breaks the cached prefix. */
export interface SessionEpoch {
  /** Its number in the session, from 1. */
  number: number;
  /**
   * Why it came. `limit`: the request would be over the limit. `turn`: it is near, and the user has just spoken. `early`: what carrying
   * the surplus has cost is what a rewrite costs, and the user has just spoken. `cold`: nothing is in the cache any more.
   */
  reason: 'limit' | 'turn' | 'early' | 'cold';
  /** The tokens that it aimed at. */
  target: number;
}

/** What became of one request. `String(report)` is `summary`. */
export interface SessionStepReport {
  /** The messages' format. */
  format: Format;
  /** `before`: of the history. `after`: sent. `reused`: of these, the ones at the start that the last request began with as well. */
  messages: { before: number; after: number; reused: number };
  /** The tokens at the start of the request that the last one began with as well, as they are counted here. */
  reusedTokens: number;
  /**
   * Whether counts are taken for the provider's: with a `tokenCounter`, once usage was observed, and in OpenAI's formats and `message`
   * unless the tokenizer is `estimate`.
   */
  exact: boolean;
  /**
   * With `thinking: 'strip'`: the turn whose calls are being answered lost its thinking. Models that think by a fixed budget refuse
   * that: send this request without thinking. Otherwise absent.
   */
  strippedOpenTurn?: true;
  /** The saved state belongs to another history: the session began anew. Only in the first step; otherwise absent. */
  foreign?: true;
  /** All of it in one line. */
  summary: string;
}

/** What a session came to; a snapshot. `String(report)` is `summary`. */
export interface SessionReport {
  requests: number;
  /** How many epochs came for which reason. */
  epochs: Record<SessionEpoch['reason'], number>;
  /** `sent`: the tokens of all requests, as they are counted here. `cached`: those of them that could be read from the cache. */
  tokens: { sent: number; cached: number };
  /**
   * What the input of all requests cost, in tokens at the price of uncached input, by the prices of `cache`. `session`: as it was sent.
   * `uncut`: if nothing were ever cut. `trimmed`: if the newest messages that fit were sent, with the system's.
   */
  cost: { session: number; uncut: number; trimmed: number };
  /** All of it in one line. */
  summary: string;
}
