// @ts-check
'use strict';

// The functions of the options as the engine calls them.

const { writtenMessage } = require('./assemble.js');
const { describe } = require('../checks.js');
const { countOne } = require('./count.js');
const { isUnawaited } = require('../promises.js');

/** @typedef {import('./plain.js').Call} Call */

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
 * Returns the functions that the engine calls while it works.
 *
 * @param {Call} call
 * @param {boolean} isAsync
 * @returns {import('../../binding').HostFunctions}
 */
function hostFunctions(call, isAsync) {
  const { messages, options, gathered, version } = call;
  const { tokenCounter, preservePatterns, adapters, mlTokenClassifier, entropyScorer } = options;
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

module.exports = { asyncFunctions, hostFunctions };
