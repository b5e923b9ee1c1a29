'use strict';

const { checkMessages } = require('./messages.js');
const { assembleResult, writtenMessage } = require('./assemble.js');
const { gatherMessages } = require('./gather.js');
const { checkCompressOptions, describe } = require('./arguments.js');
const { defaultTokenCounter } = require('./analysis.js');
const native = require('./native.js');

const DEFAULT_PRESERVE = new Set(['system']);

/** See `index.d.ts`. */
function compress(messages, options = {}) {
  checkMessages(messages, 'compress');
  checkCompressOptions(options);
  const isAsync = Boolean(options.summarizer || options.classifier);
  const threshold = options.compressionThreshold;
  let tokens;
  if (threshold !== null && threshold !== undefined) {
    tokens = countTokens(messages, options.tokenCounter ?? defaultTokenCounter);
    if (tokens.reduce((sum, count) => sum + count, 0) < threshold) {
      const result = untouchedResult(messages, options.sourceVersion ?? 0);
      return isAsync ? Promise.resolve(result) : result;
    }
  }
  if (!isAsync) return compressNow(messages, options, tokens);
  throw new Error('not yet');
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

function countTokens(messages, tokenCounter) {
  return Float64Array.from(messages, (message) => countOne(message, tokenCounter));
}

function countOne(message, tokenCounter) {
  const count = tokenCounter(message);
  if (typeof count !== 'number') {
    throw new TypeError(`options.tokenCounter must return a number, got ${describe(count)}`);
  }
  return count;
}

function compressNow(messages, options, tokens) {
  const version = options.sourceVersion ?? 0;
  const gathered = gather(messages, options, tokens);
  const outcome = native.compress(gathered, engineOptions(options), callbacks(messages, gathered.texts, options, version));
  return assembleResult(messages, outcome, version, {
    trace: options.trace,
    labels: options.preservePatterns?.map(({ label }) => label),
  });
}

function gather(messages, options, tokens) {
  const preserve = options.preserve ? new Set(options.preserve) : DEFAULT_PRESERVE;
  const counted = options.tokenCounter ? (tokens ?? countTokens(messages, options.tokenCounter)) : undefined;
  return gatherMessages(messages, preserve, counted);
}

/** The options as the engine takes them: every default put in, absent for none. */
function engineOptions(options) {
  return {
    recencyWindow: options.recencyWindow ?? 4,
    dedup: Boolean(options.dedup ?? true),
    fuzzyDedup: Boolean(options.fuzzyDedup),
    fuzzyThreshold: options.fuzzyThreshold ?? 0.85,
    embedSummaryId: Boolean(options.embedSummaryId),
    tokenBudget: options.tokenBudget ?? undefined,
    minRecencyWindow: options.minRecencyWindow ?? 0,
    forceConverge: Boolean(options.forceConverge),
    observationThreshold: options.observationThreshold ?? undefined,
    fullClassifierMode: options.classifierMode === 'full' && Boolean(options.classifier),
    trace: Boolean(options.trace),
  };
}

/** What the engine has to ask of JavaScript while it works. */
function callbacks(messages, texts, { tokenCounter, preservePatterns }, version) {
  return {
    countTokens: tokenCounter
      ? (start, count, text, idsHash) => {
          const ids = messages.slice(start, start + count).map(({ id }) => id);
          return countOne(writtenMessage(messages, start, count, text, idsHash, ids, version), tokenCounter);
        }
      : undefined,
    firstPattern: preservePatterns?.length ? (index) => preservePatterns.findIndex(({ re }) => re.test(texts[index])) : undefined,
  };
}

module.exports = { compress };
