'use strict';

const { checkMessages } = require('./messages.js');
const { assembleResult, writtenMessage } = require('./assemble.js');
const { gatherMessages, gatherOptions, statisticsOf } = require('./gather.js');
const { checkCompressOptions, describe } = require('./arguments.js');
const { defaultTokenCounter } = require('./analysis.js');
const native = require('./native.js');

const DEFAULT_PRESERVE = new Set(['system']);

/** See `index.d.ts`. */
function compress(messages, options = {}) {
  checkMessages(messages, 'compress');
  checkCompressOptions(options);
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

function untouchedResult(messages, version) {
  const compression = {
    original_version: version,
    ratio: 1,
    token_ratio: 1,
    messages_compressed: 0,
    messages_preserved: messages.length,
  };
  return { messages, compression, verbatim: {} };
}

/** The tokens of each message, by the tokenizer that was asked for or by the counter. */
function countTokens(messages, { tokenizer }, tokenCounter) {
  if (tokenizer) return require('./tokens/sent.js').sentTokens(messages, tokenizer);
  return { tokens: Float64Array.from(messages, (message) => countOne(message, tokenCounter)) };
}

function countOne(message, tokenCounter) {
  const count = tokenCounter(message);
  if (typeof count !== 'number') {
    throw new TypeError(`options.tokenCounter must return a number, got ${describe(count)}`);
  }
  return count;
}

function compressNow(messages, options, counts) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const host = hostFunctions(call, false);
  const outcome = native.compress(texts, ids, columns, call.numbers, call.tokens, host, call.tokenizer);
  return finish(call, outcome);
}

async function compressLater(messages, options, counts) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const { functions, verdicts } = asyncFunctions(call);
  const host = hostFunctions(call, true);
  const outcome = native.compressAsync(texts, ids, columns, call.numbers, call.tokens, host, functions, call.tokenizer);
  return finish(call, await unlessAborted(outcome, options.signal), verdicts);
}

/** Everything that a call needs at hand. */
function prepare(messages, options, counts) {
  const preserve = options.preserve ? new Set(options.preserve) : DEFAULT_PRESERVE;
  const { tokenizer, tokenCounter } = options;
  const counted = tokenizer || tokenCounter ? (counts ?? countTokens(messages, options, tokenCounter)) : undefined;
  return {
    messages,
    options,
    tokens: counted?.tokens,
    tokenizer: tokenizer ? { name: tokenizer, others: counted.others, ofRequest: counted.ofRequest } : undefined,
    gathered: gatherMessages(messages, preserve),
    numbers: gatherOptions(options),
    version: options.sourceVersion ?? 0,
  };
}

/** The result, once the engine has left the outcome in the call's columns and numbers. */
function finish({ messages, options, gathered, numbers, version }, { texts, trace }, verdicts) {
  const outcome = { ...statisticsOf(numbers), columns: gathered.columns, texts, trace };
  return assembleResult(messages, outcome, version, {
    trace: options.trace,
    labels: options.preservePatterns?.map(({ label }) => label),
    verdicts,
  });
}

/** The promise's outcome, or a rejection with the signal's reason as soon as it is aborted. */
function unlessAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // A callback may have done it already, before anyone could listen.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (settleWith) => (value) => {
      signal.removeEventListener?.('abort', abort);
      settleWith(value);
    };
    promise.then(settle(resolve), settle(reject));
  });
}

/** What the engine has to ask of JavaScript while it works. */
function hostFunctions({ messages, options, gathered, version }, isAsync) {
  const { tokenCounter, preservePatterns, entropyScorer } = options;
  const isScored = entropyScorer && !isAsync;
  if (!tokenCounter && !preservePatterns?.length && !isScored) return undefined;
  return {
    countTokens: tokenCounter
      ? (start, count, text, idsHash) => {
          const ids = messages.slice(start, start + count).map(({ id }) => id);
          return countOne(writtenMessage(messages, start, count, text, idsHash, ids, version), tokenCounter);
        }
      : undefined,
    firstPattern: preservePatterns?.length ? patternFinder(preservePatterns, gathered.texts) : undefined,
    scoreSentences: isScored ? require('./scorer.js').sentenceScorer(options, false) : undefined,
  };
}

/** A function that tells for the text at an index which pattern is the first to match, or -1. */
function patternFinder(patterns, texts) {
  const find = (index) => patterns.findIndex(({ re }) => re.test(texts[index]));
  const isStateless = ({ re }) => re.test === RegExp.prototype.test && !re.global && !re.sticky;
  // What keeps state from one test to the next, as a regex with `g` does, has to be asked each time, as ever.
  if (!patterns.every(isStateless)) return find;
  const found = new Map();
  return (index) => {
    if (!found.has(index)) found.set(index, find(index));
    return found.get(index);
  };
}

/** The callbacks that may take their time, and the verdicts that they leave by message. */
function asyncFunctions({ options, gathered }) {
  const { summarizer, classifier, signal } = options;
  const verdicts = new Map();
  const functions = {
    summarizer: summarizer || undefined,
    classifier: classifier ? (index) => classifier(gathered.texts[index]) : undefined,
    takeVerdict: classifier
      ? (index, verdict) => {
          if (verdict === null || verdict === undefined) {
            throw new TypeError(`options.classifier must return a verdict, got ${describe(verdict)}`);
          }
          verdicts.set(index, verdict);
          return verdict.decision === 'preserve';
        }
      : undefined,
    scoreSentences: options.entropyScorer ? require('./scorer.js').sentenceScorer(options, true) : undefined,
    throwIfAborted: signal
      ? () => {
          if (signal.aborted) throw signal.reason;
        }
      : undefined,
    concurrency: Math.min(options.concurrency ?? 4, 0xffffffff),
  };
  return { functions, verdicts };
}

module.exports = { compress };
