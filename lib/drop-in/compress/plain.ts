import { unlessAborted } from '../../abort.js';
import { checkMessages, textOf } from '../../messages.js';
import { assembleResult, trimmedMessage } from './assemble.js';
import { asyncFunctions, hostFunctions } from './callbacks.js';
import { countTokens, sumOf } from './count.js';
import { gatherMessages, gatherOptions } from './gather.js';
import { addFactRetention, addMeasures } from './measures.js';
import { checkOptions } from '../../options/index.js';
import native from '../../native.js';
import type { Message } from '../../messages.js';
import type { Result } from './assemble.js';
import type { Counting, Counts } from './count.js';
import type { CompressOutcome, GatheredTokenizer } from '../../../binding';
import type { ClassifierResult, CompressOptions } from '../../../index.js';

const DEFAULT_PRESERVE = new Set(['system']);

/** The options of `compress`, checked. */
export type Options = Omit<CompressOptions, 'format' | 'tokenCounter'> & Counting;

export type Call = ReturnType<typeof prepare>;

/**
 * Compresses messages that have an id and a text each.
 *
 * @param given see `CompressOptions` in `index.d.ts`
 */
export function compressPlain(messages: unknown, given: unknown): Result | Promise<Result> {
  checkMessages(messages, 'compress');
  // A first call without options doesn't load what checks them.
  const options: Options = given === undefined ? {} : asTheyAre(checkOptions('compress', given));
  const isAsync = Boolean(options.summarizer || options.classifier);
  if (isAsync && options.signal?.aborted) return Promise.reject(options.signal.reason);
  const threshold = options.compressionThreshold;
  let counts: Counts | undefined;
  if (threshold !== null && threshold !== undefined) {
    counts = countTokens(messages, options);
    if (sumOf(counts) < threshold) {
      const result = untouchedResult(messages, options.sourceVersion ?? 0);
      return isAsync ? Promise.resolve(result) : result;
    }
  }
  return isAsync ? compressLater(messages, options, counts) : compressNow(messages, options, counts);
}

/** Copies the options, because a callback may change the object and the lists in it. */
function asTheyAre(options: Options) {
  const { preservePatterns, adapters } = options;
  const copy = { ...options };
  if (preservePatterns) copy.preservePatterns = preservePatterns.slice();
  if (adapters) copy.adapters = adapters.slice();
  return copy;
}

function untouchedResult(messages: Message[], version: number) {
  const compression = {
    original_version: version,
    ratio: 1,
    token_ratio: 1,
    messages_compressed: 0,
    messages_preserved: messages.length,
  };
  addFactRetention(compression, messages.map(textOf));
  return { messages, compression, verbatim: {} };
}

/** Whether the engine calls functions of the options while it works. */
function isHostAsked({ tokenCounter, preservePatterns, adapters, mlTokenClassifier, entropyScorer }: Options, isAsync: boolean) {
  return Boolean(tokenCounter || preservePatterns?.length || adapters?.length || (!isAsync && (mlTokenClassifier || entropyScorer)));
}

function compressNow(messages: Message[], options: Options, counts: Counts | undefined) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const host = isHostAsked(options, false) ? hostFunctions(call, false) : undefined;
  const outcome = native.compress(texts, ids, columns, call.slots, call.tokens, host, call.tokenizer, call.trimmed?.conversation);
  return finish(call, outcome);
}

async function compressLater(messages: Message[], options: Options, counts: Counts | undefined) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const { functions, verdicts } = asyncFunctions(call);
  const host = isHostAsked(options, true) ? hostFunctions(call, true) : undefined;
  const { slots, tokens, tokenizer, trimmed } = call;
  const outcome = native.compressAsync(texts, ids, columns, slots, tokens, host, functions, tokenizer, trimmed?.conversation);
  return finish(call, await unlessAborted(outcome, options.signal), verdicts);
}

/** Gathers the data of a call. `messages` are those to compress: the given ones, some of them trimmed. */
function prepare(given: Message[], options: Options, counts: Counts | undefined) {
  // A copy, because a callback may change the list.
  const originals = given.slice();
  const preserve = options.preserve ? new Set<string>(options.preserve) : DEFAULT_PRESERVE;
  const { tokenizer, tokenCounter } = options;
  const gathered = gatherMessages(originals, preserve);
  const trimmed = options.agentToolPrepass
    ? (require('./prepass.js') as typeof import('./prepass.js')).trimToolResults(originals, gathered, preserve)
    : undefined;
  const messages = trimmed?.messages ?? originals;
  const version = options.sourceVersion ?? 0;
  const count = () => countTokens(asReturned(messages, originals, version), options);
  const known = messages === originals ? counts : undefined;
  const counted = tokenizer || tokenCounter ? (known ?? count()) : undefined;
  return {
    given,
    originals,
    messages,
    trimmed,
    options,
    tokens: counted?.tokens,
    tokenizer: tokenizer ? ({ name: tokenizer, others: counted?.others, ofRequest: counted?.ofRequest } as GatheredTokenizer) : undefined,
    gathered,
    /** The options in the engine's slots. */
    slots: gatherOptions(options),
    version,
    /** How often the callback of an option gave no usable answer, by option. */
    fallbacks: {} as Record<string, number>,
  };
}

/** Returns the messages with trimmed ones in the form in which they are returned, because a counter may read any field. */
function asReturned(messages: Message[], originals: Message[], version: number) {
  if (messages === originals) return messages;
  const isTrimmed = (index: number) => messages[index] !== originals[index];
  return messages.map((message, index) => (isTrimmed(index) ? trimmedMessage(messages, index, message.id, version) : message));
}

/**
 * Makes the result of a call from the engine's.
 *
 * @param verdicts of the classifier, by message
 */
function finish(call: Call, found: CompressOutcome, verdicts?: Map<number, ClassifierResult>) {
  const { messages, originals, trimmed, gathered, options, version } = call;
  const result = assembleResult(messages, originals, found, version, {
    trace: options.trace,
    labels: options.preservePatterns?.map(({ label }) => label),
    adapters: options.adapters,
    verdicts,
    fallbacks: call.fallbacks,
  });
  const input = trimmed ? originals.map(textOf) : gathered.texts;
  addMeasures(result.compression, { input, gathered, numbers: found.numbers, written: found.texts });
  if (result.messages === originals) result.messages = call.given;
  if (trimmed) {
    const tokensOf = (list: Message[]) => sumOf(countTokens(list, options));
    (require('./prepass.js') as typeof import('./prepass.js')).reportTrimmed(trimmed, originals, result, tokensOf);
  }
  return result;
}
