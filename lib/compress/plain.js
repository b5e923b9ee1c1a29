// @ts-check
'use strict';

const { unlessAborted } = require('../abort.js');
const { checkMessages, textOf } = require('../messages.js');
const { assembleResult, trimmedMessage, writtenMessage } = require('./assemble.js');
const { gatherMessages, gatherOptions, outcomeOf } = require('./gather.js');
const { addFactRetention, addMeasures } = require('./measures.js');
const { describe } = require('../checks.js');
const { checkOptions } = require('../options/index.js');
const { defaultTokenCounter } = require('../analysis.js');
const { isUnawaited } = require('../promises.js');
const native = require('../native.js');

const DEFAULT_PRESERVE = new Set(['system']);

/** @typedef {import('../messages.js').Message} Message */
/** @typedef {{ tokens: Float64Array, others?: Float64Array, ofRequest?: number }} Counts */
/** @typedef {ReturnType<typeof prepare>} Call */

/**
 * Compresses messages that have an id and a text each.
 *
 * @param {any} messages
 * @param {any} given see `CompressOptions` in `index.d.ts`
 */
function compressPlain(messages, given) {
  checkMessages(messages, 'compress');
  const options = asTheyAre(checkOptions('compress', given));
  const isAsync = Boolean(options.summarizer || options.classifier);
  if (isAsync && options.signal?.aborted) return Promise.reject(options.signal.reason);
  const threshold = options.compressionThreshold;
  let counts;
  if (threshold !== null && threshold !== undefined) {
    counts = countTokens(messages, options, options.tokenCounter ?? defaultTokenCounter);
    if (counts.tokens.reduce((sum, count) => sum + count, counts.ofRequest ?? 0) < threshold) {
      const result = untouchedResult(messages, options.sourceVersion ?? 0);
      return isAsync ? Promise.resolve(result) : result;
    }
  }
  return isAsync ? compressLater(messages, options, counts) : compressNow(messages, options, counts);
}

/** Copies the options, because a callback may change the object and the lists in it. */
function asTheyAre(options) {
  const { preservePatterns, adapters } = options;
  const copy = { ...options };
  if (preservePatterns) copy.preservePatterns = preservePatterns.slice();
  if (adapters) copy.adapters = adapters.slice();
  return copy;
}

function untouchedResult(messages, version) {
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

/**
 * Counts the tokens of each message, with the tokenizer of the options if they name one, else with the counter.
 *
 * @param {Message[]} messages
 * @param {any} options
 * @param {(message: any) => number} tokenCounter
 * @returns {Counts}
 */
function countTokens(messages, { tokenizer }, tokenCounter) {
  if (tokenizer) return require('../tokens/sent.js').sentTokens(messages, tokenizer);
  const tokens = new Float64Array(messages.length);
  // `Float64Array.from` takes three times as long as a simple counter.
  for (let index = 0; index < tokens.length; index++) tokens[index] = countOne(messages[index], tokenCounter);
  return { tokens };
}

function countOne(message, tokenCounter) {
  const count = tokenCounter(message);
  if (typeof count !== 'number') {
    isUnawaited(count);
    throw new TypeError(`compress(): options.tokenCounter must return a number, got ${describe(count)}`);
  }
  return count;
}

function compressNow(messages, options, counts) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const host = hostFunctions(call, false);
  const outcome = native.compress(texts, ids, columns, call.slots, call.tokens, host, call.tokenizer, call.trimmed?.conversation);
  return finish(call, outcome);
}

async function compressLater(messages, options, counts) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const { functions, verdicts } = asyncFunctions(call);
  const host = hostFunctions(call, true);
  const { slots, tokens, tokenizer, trimmed } = call;
  const outcome = native.compressAsync(texts, ids, columns, slots, tokens, host, functions, tokenizer, trimmed?.conversation);
  return finish(call, await unlessAborted(outcome, options.signal), verdicts);
}

/**
 * Gathers the data of a call. `messages` are those to compress: the given ones, some of them trimmed.
 *
 * @param {Message[]} given
 * @param {any} options
 * @param {Counts | undefined} counts
 */
function prepare(given, options, counts) {
  // A copy, because a callback may change the list.
  const originals = given.slice();
  const preserve = options.preserve ? new Set(options.preserve) : DEFAULT_PRESERVE;
  const { tokenizer, tokenCounter } = options;
  const gathered = gatherMessages(originals, preserve);
  const trimmed = options.agentToolPrepass ? require('./prepass.js').trimToolResults(originals, gathered, preserve) : undefined;
  const messages = trimmed?.messages ?? originals;
  const version = options.sourceVersion ?? 0;
  const count = () => countTokens(asReturned(messages, originals, version), options, tokenCounter);
  const known = messages === originals ? counts : undefined;
  const counted = tokenizer || tokenCounter ? (known ?? count()) : undefined;
  return {
    given,
    originals,
    messages,
    trimmed,
    options,
    tokens: counted?.tokens,
    tokenizer: tokenizer ? /** @type {any} */ ({ name: tokenizer, others: counted?.others, ofRequest: counted?.ofRequest }) : undefined,
    gathered,
    /** The options in the engine's slots. */
    slots: gatherOptions(options),
    version,
    /** How often the callback of an option gave no usable answer, by option. */
    fallbacks: /** @type {Record<string, number>} */ ({}),
  };
}

/**
 * Returns the messages with trimmed ones in the form in which they are returned, because a counter may read any field.
 *
 * @param {Message[]} messages
 * @param {Message[]} originals
 * @param {number} version
 */
function asReturned(messages, originals, version) {
  if (messages === originals) return messages;
  const isTrimmed = (/** @type {number} */ index) => messages[index] !== originals[index];
  return messages.map((message, index) => (isTrimmed(index) ? trimmedMessage(messages, index, message.id, version) : message));
}

/**
 * Counts an answer of an option's callback that the rules had to replace.
 *
 * @param {Call} call
 * @param {string} option
 */
function fallBack({ fallbacks }, option) {
  fallbacks[option] = (fallbacks[option] ?? 0) + 1;
}

/**
 * Makes the result of a call from the engine's.
 *
 * @param {Call} call
 * @param {import('../../binding').CompressOutcome} found
 * @param {Map<number, any>} [verdicts] of the classifier, by message
 */
function finish(call, found, verdicts) {
  const { messages, originals, trimmed, gathered, options, version } = call;
  const result = assembleResult(messages, originals, outcomeOf(found), version, {
    trace: options.trace,
    labels: options.preservePatterns?.map((/** @type {{ label: string }} */ { label }) => label),
    adapters: options.adapters,
    verdicts,
    fallbacks: call.fallbacks,
  });
  const input = trimmed ? originals.map(textOf) : gathered.texts;
  addMeasures(result.compression, { input, gathered, numbers: found.numbers, written: found.texts });
  if (result.messages === originals) result.messages = call.given;
  if (trimmed) {
    const tokensOf = (/** @type {Message[]} */ list) => {
      const { tokens, ofRequest } = countTokens(list, options, options.tokenCounter ?? defaultTokenCounter);
      return tokens.reduce((sum, count) => sum + count, ofRequest ?? 0);
    };
    require('./prepass.js').reportTrimmed(trimmed, originals, result, tokensOf);
  }
  return result;
}

/**
 * Returns the functions that the engine calls while it works, if the options need any.
 *
 * @param {Call} call
 * @param {boolean} isAsync
 * @returns {import('../../binding').HostFunctions | undefined}
 */
function hostFunctions(call, isAsync) {
  const { messages, options, gathered, version } = call;
  const { tokenCounter, preservePatterns, adapters, mlTokenClassifier, entropyScorer } = options;
  const isAsked = !isAsync && (mlTokenClassifier || entropyScorer);
  if (!tokenCounter && !preservePatterns?.length && !adapters?.length && !isAsked) return undefined;
  return {
    countTokens: tokenCounter
      ? (start, count, text, idsHash) => {
          const ids = messages.slice(start, start + count).map(({ id }) => id);
          return countOne(writtenMessage(messages, start, count, text, idsHash, ids, version), tokenCounter);
        }
      : undefined,
    firstPattern: preservePatterns?.length ? patternFinder(preservePatterns, gathered.texts) : undefined,
    ...(adapters?.length ? adapterFunctions(call) : undefined),
    summarize: mlTokenClassifier && !isAsync ? /** @type {any} */ (tokenSummarizerOf(call, false)) : undefined,
    scoreSentences: entropyScorer && !isAsync ? require('./scorer.js').syncScorer(options) : undefined,
  };
}

/** @param {Call} call */
function adapterFunctions(call) {
  const { askAdapters } = require('../adapters/asked.js');
  return askAdapters(call.options.adapters, call.gathered.texts, () => fallBack(call, 'adapters'));
}

/**
 * @param {Call} call
 * @param {boolean} canWait
 */
function tokenSummarizerOf(call, canWait) {
  const { tokenSummarizer } = require('../token-classifier.js');
  return tokenSummarizer(call.options.mlTokenClassifier, canWait, () => fallBack(call, 'mlTokenClassifier'));
}

/**
 * Returns a function that finds the first pattern which matches the text at an index: its number, or -1.
 *
 * @param {{ re: RegExp }[]} patterns
 * @param {string[]} texts
 */
function patternFinder(patterns, texts) {
  const find = (/** @type {number} */ index) =>
    patterns.findIndex(({ re }) => {
      const answer = re.test(texts[index]);
      isUnawaited(answer);
      return answer;
    });
  const isStateless = (/** @type {{ re: RegExp }} */ { re }) => re.test === RegExp.prototype.test && !re.global && !re.sticky;
  // A pattern that keeps state from one test to the next, such as a regex with `g`, is asked each time.
  if (!patterns.every(isStateless)) return find;
  const found = new Map();
  return (/** @type {number} */ index) => {
    if (!found.has(index)) found.set(index, find(index));
    return found.get(index);
  };
}

/**
 * Returns the callbacks that may answer later, and the map that they fill with verdicts by message.
 *
 * @param {Call} call
 */
function asyncFunctions(call) {
  const { options, gathered } = call;
  const { summarizer, classifier, mlTokenClassifier, signal } = options;
  const verdicts = new Map();
  const functions = {
    summarizer: mlTokenClassifier ? tokenSummarizerOf(call, true) : summarizer || undefined,
    classifier: classifier ? (/** @type {number} */ index) => classifier(gathered.texts[index]) : undefined,
    takeVerdict: classifier
      ? (/** @type {number} */ index, /** @type {any} */ verdict) => {
          if (verdict === null || verdict === undefined) {
            throw new TypeError(`compress(): options.classifier must return a verdict, got ${describe(verdict)}`);
          }
          verdicts.set(index, verdict);
          return verdict.decision === 'preserve';
        }
      : undefined,
    scoreSentences: options.entropyScorer ? require('./scorer.js').asyncScorer(options) : undefined,
    throwIfAborted: signal
      ? () => {
          if (signal.aborted) throw signal.reason;
        }
      : undefined,
    concurrency: Math.min(options.concurrency ?? 4, 0xffffffff),
  };
  return { functions, verdicts };
}

module.exports = { compressPlain };
