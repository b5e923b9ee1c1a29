'use strict';

const { unlessAborted } = require('./abort.js');
const { checkMessages } = require('./messages.js');
const { addFactRetention, assembleResult, trimmedMessage, writtenMessage } = require('./assemble.js');
const { gatherMessages, gatherOptions, statisticsOf } = require('./gather.js');
const { describe } = require('./checks.js');
const { checkOptions } = require('./options/index.js');
const { defaultTokenCounter } = require('./analysis.js');
const { isUnawaited } = require('./promises.js');
const native = require('./native.js');

const DEFAULT_PRESERVE = new Set(['system']);

/** See `index.d.ts`. */
function compress(messages, given = {}) {
  if ((given?.format ?? undefined) !== undefined) return require('./compress-format.js').compressFormat(messages, given);
  checkMessages(messages, 'compress');
  checkOptions('compress', given);
  const options = asTheyAre(given);
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

/** A copy of the options, for a callback may change the object and the lists in it. */
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
  addFactRetention(compression, messages, messages);
  return { messages, compression, verbatim: {} };
}

/** The tokens of each message, by the tokenizer that was asked for or by the counter. */
function countTokens(messages, { tokenizer }, tokenCounter) {
  if (tokenizer) return require('./tokens/sent.js').sentTokens(messages, tokenizer);
  const tokens = new Float64Array(messages.length);
  // A loop: `from` would take three times as long as a simple counter.
  for (let index = 0; index < tokens.length; index++) tokens[index] = countOne(messages[index], tokenCounter);
  return { tokens };
}

function countOne(message, tokenCounter) {
  const count = tokenCounter(message);
  if (typeof count !== 'number') {
    isUnawaited(count);
    throw new TypeError(`options.tokenCounter must return a number, got ${describe(count)}`);
  }
  return count;
}

function compressNow(messages, options, counts) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const host = hostFunctions(call, false);
  const outcome = native.compress(texts, ids, columns, call.numbers, call.tokens, host, call.tokenizer, call.trimmed?.conversation);
  return finish(call, outcome);
}

async function compressLater(messages, options, counts) {
  const call = prepare(messages, options, counts);
  const { texts, ids, columns } = call.gathered;
  const { functions, verdicts } = asyncFunctions(call);
  const host = hostFunctions(call, true);
  const { numbers, tokens, tokenizer, trimmed } = call;
  const outcome = native.compressAsync(texts, ids, columns, numbers, tokens, host, functions, tokenizer, trimmed?.conversation);
  return finish(call, await unlessAborted(outcome, options.signal), verdicts);
}

/** Everything that a call needs at hand. `messages` are what is compressed: the given ones, some of them trimmed. */
function prepare(given, options, counts) {
  // As it is now: a callback may change the list.
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
    tokenizer: tokenizer ? { name: tokenizer, others: counted.others, ofRequest: counted.ofRequest } : undefined,
    gathered,
    numbers: gatherOptions(options),
    version,
    /** How often the answers of an option could not be used. */
    fallbacks: {},
  };
}

/** The messages with trimmed ones as they are returned: a counter may look at all of a message. */
function asReturned(messages, originals, version) {
  if (messages === originals) return messages;
  const isTrimmed = (index) => messages[index] !== originals[index];
  return messages.map((message, index) => (isTrimmed(index) ? trimmedMessage(messages, index, message.id, version) : message));
}

/** Notes that the rules answered for the callback of an option. */
function fallBack({ fallbacks }, option) {
  fallbacks[option] = (fallbacks[option] ?? 0) + 1;
}

/** The result, once the engine has left the outcome in the call's columns and numbers. */
function finish(call, { texts, trace }, verdicts) {
  const { messages, originals, trimmed, options, gathered, numbers, version } = call;
  const outcome = { ...statisticsOf(numbers), columns: gathered.columns, texts, trace };
  const result = assembleResult(messages, originals, outcome, version, {
    trace: options.trace,
    labels: options.preservePatterns?.map(({ label }) => label),
    adapters: options.adapters,
    verdicts,
    fallbacks: call.fallbacks,
  });
  if (result.messages === originals) result.messages = call.given;
  if (trimmed) {
    const tokensOf = (list) => {
      const { tokens, ofRequest } = countTokens(list, options, options.tokenCounter ?? defaultTokenCounter);
      return tokens.reduce((sum, count) => sum + count, ofRequest ?? 0);
    };
    require('./prepass.js').reportTrimmed(trimmed, originals, result, tokensOf);
  }
  return result;
}

/** What the engine has to ask of JavaScript while it works. */
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
    summarize: mlTokenClassifier && !isAsync ? tokenSummarizerOf(call, false) : undefined,
    scoreSentences: entropyScorer && !isAsync ? require('./scorer.js').sentenceScorer(options, false) : undefined,
  };
}

function adapterFunctions(call) {
  const { askAdapters } = require('./adapters/asked.js');
  return askAdapters(call.options.adapters, call.gathered.texts, () => fallBack(call, 'adapters'));
}

function tokenSummarizerOf(call, canWait) {
  const { tokenSummarizer } = require('./token-classifier.js');
  return tokenSummarizer(call.options.mlTokenClassifier, canWait, () => fallBack(call, 'mlTokenClassifier'));
}

/** A function that tells for the text at an index which pattern is the first to match, or -1. */
function patternFinder(patterns, texts) {
  const find = (index) =>
    patterns.findIndex(({ re }) => {
      const answer = re.test(texts[index]);
      isUnawaited(answer);
      return answer;
    });
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
function asyncFunctions(call) {
  const { options, gathered } = call;
  const { summarizer, classifier, mlTokenClassifier, signal } = options;
  const verdicts = new Map();
  const functions = {
    summarizer: mlTokenClassifier ? tokenSummarizerOf(call, true) : summarizer || undefined,
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
