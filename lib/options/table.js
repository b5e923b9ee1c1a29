// @ts-check
'use strict';

// All options of all functions, with names, kinds and defaults. The texts of errors are derived from this table.

const { isObject, mismatch } = require('../checks.js');
const { DEPTH } = require('../generated/layout.js');
const { modelOf } = require('../models.js');
const kinds = require('./kinds.js');
const { outputTokens, tokensAbove0, tokensFrom0 } = require('./limits.js');
const { CACHES, FORMATS, PRESETS } = require('./presets.js');

const { checkedByReader, choice, flag, func, number, numberWhere, oneOf, orNone, renamed, strings } = kinds;

/**
 * @typedef {object} Option
 * @property {import('./kinds.js').Kind} kind
 * @property {unknown} [default] the value that undefined and null stand for; absent if there is none
 * @property {true} [isRequired] checked even if it is not given
 */

/**
 * Refuses `tokenizer` and `tokenCounter` together.
 *
 * @param {import('./kinds.js').Kind} kind
 * @returns {import('./kinds.js').Kind}
 */
const unlessBothCount = (kind) => (name, value, options) => {
  kind(name, value, options);
  if (options.tokenizer && options.tokenCounter) {
    const at = name.slice(0, name.lastIndexOf('.'));
    throw new TypeError(`${at}.tokenizer and options.tokenCounter both count tokens: give one of them`);
  }
};

const isTokenizer = oneOf(['o200k_base', 'cl100k_base', 'estimate']);
const isThinking = choice(['keep', 'strip', 'leave']);

const priceFrom0 = numberWhere((value) => value >= 0 && value < Infinity, 'a price from 0');
const shareOfLimit = numberWhere((value) => value > 0 && value < 1, 'a share of the limit above 0 and below 1');

// Options that several functions take.

/** @type {Option} */
const format = { kind: oneOf([...FORMATS, 'auto']), default: 'auto' };
/** @type {Option} */
const system = { kind: checkedByReader };
/** @type {Option} */
const trace = { kind: flag, default: false };
/** @type {Option} */
const tokenizer = { kind: isTokenizer, default: 'o200k_base' };
/** @type {Option} */
const tokenCounter = { kind: unlessBothCount(func) };
/** @type {Option} */
const summarizer = { kind: orNone(func) };
/** @type {Option} */
const concurrency = {
  kind: numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 1), 'a positive integer or Infinity'),
  default: 4,
};
/** @type {Option} */
const signal = { kind: kinds.abortSignal };
/** @type {Option} */
const recent = {
  kind: numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 0), 'a whole number from 0, or Infinity'),
};

/** @type {Record<string, Option>} */
const compress = {
  format: { kind: format.kind },
  preserve: { kind: kinds.roles, default: ['system'] },
  recencyWindow: { kind: number, default: 4 },
  sourceVersion: { kind: number, default: 0 },
  dedup: { kind: flag, default: true },
  fuzzyDedup: { kind: flag, default: false },
  fuzzyThreshold: { kind: number, default: 0.85 },
  conversationFlow: { kind: flag, default: false },
  semanticClustering: { kind: flag, default: false },
  coreference: { kind: flag, default: false },
  discourseAware: { kind: flag, default: false },
  embedSummaryId: { kind: flag, default: false },
  preservePatterns: { kind: kinds.labelledPatterns },
  tokenBudget: { kind: numberWhere((value) => !Number.isNaN(value), 'a number of tokens') },
  minRecencyWindow: {
    // The search for the largest window that fits the budget starts here and counts up: below this, adding 1 changes
    // nothing, and the search would not end.
    kind: numberWhere((value) => !(value < Number.MIN_SAFE_INTEGER), `at least ${Number.MIN_SAFE_INTEGER}`),
    default: 0,
  },
  forceConverge: { kind: flag, default: false },
  tokenCounter: { kind: func },
  tokenizer: { kind: unlessBothCount(isTokenizer) },
  compressionThreshold: { kind: number },
  observationThreshold: { kind: number },
  summarizer,
  classifier: { kind: orNone(func) },
  adapters: { kind: orNone(kinds.adapters) },
  mlTokenClassifier: { kind: orNone(func) },
  agentToolPrepass: { kind: flag, default: false },
  classifierMode: { kind: choice(['hybrid', 'full']), default: 'hybrid' },
  importanceScoring: { kind: flag, default: false },
  importanceThreshold: { kind: number, default: 0.65 },
  contradictionDetection: { kind: flag, default: false },
  contradictionTopicThreshold: { kind: number, default: 0.15 },
  relevanceThreshold: { kind: number, default: 0 },
  budgetStrategy: { kind: choice(['binary-search', 'tiered']), default: 'binary-search' },
  compressionDepth: { kind: choice(Object.keys(DEPTH)), default: 'gentle' },
  entropyScorer: { kind: orNone(func) },
  entropyScorerMode: { kind: choice(['augment', 'replace']), default: 'augment' },
  clusterThreshold: { kind: number, default: 0.15 },
  concurrency,
  signal,
  trace,
};

/** @type {Record<string, Option>} */
const prune = {
  format,
  mode: { kind: choice(['stub', 'remove']), default: 'stub' },
  edits: { kind: choice(['safe', 'last']), default: 'safe' },
  failures: { kind: choice(['status', 'words']), default: 'status' },
  thinking: { kind: isThinking, default: 'keep' },
  keep: { kind: kinds.object({ recent: { ...recent, default: 6 }, tools: { kind: strings }, paths: { kind: strings } }) },
  toolMap: { kind: kinds.toolMap },
  tools: { kind: renamed(kinds.toolMap, 'tools', 'toolMap', 'PALIMPSEST_DEP0001') },
  trace,
};
const checkPrune = kinds.object(prune);

/** @type {import('./kinds.js').Check} */
function pruneOrNot(name, value, options) {
  if (typeof value === 'boolean') return;
  if (!isObject(value)) throw mismatch(name, 'a boolean or an object', value);
  checkPrune(name, value, options);
}
pruneOrNot.options = prune;

/**
 * Options that `fit` and sessions take.
 *
 * @type {Record<string, Option>}
 */
const fitting = {
  model: { kind: checkedByReader },
  tokenizer,
  tokenCounter,
  format,
  keep: {
    kind: kinds.object({
      recent: { ...recent, default: 0 },
      user: { kind: kinds.boolean, default: false },
      tools: { kind: strings },
      arguments: { kind: kinds.boolean, default: false },
      patterns: { kind: kinds.regExps },
    }),
  },
  query: { kind: kinds.query },
  prune: { kind: pruneOrNot, default: true },
  thinking: { kind: isThinking, default: 'strip' },
  summarizer,
  concurrency,
};

/**
 * What is sent beside the messages.
 *
 * @type {Record<string, Option>}
 */
const beside = { system, tools: { kind: kinds.tools } };

/**
 * Options of `fit` that `fitRequest` takes, too.
 *
 * @type {Record<string, Option>}
 */
const fittingOnce = {
  budget: { kind: numberWhere((value) => value >= 0, 'a number of tokens from 0', 'a number of tokens') },
  window: { kind: tokensAbove0 },
  margin: { kind: numberWhere((value) => value >= 0 && value < 1, 'a share from 0 and below 1') },
  calibration: {
    kind: kinds.object({ counted: { kind: tokensAbove0, isRequired: true }, actual: { kind: tokensAbove0, isRequired: true } }),
  },
  ...fitting,
  originals: { kind: checkedByReader },
  signal,
  trace,
};

/** @type {Record<string, Option>} */
const fit = {
  ...fittingOnce,
  ...beside,
  maxOutputTokens: { kind: outputTokens('fit(): options', 'budget'), default: 0, isRequired: true },
};
/** @type {Record<string, Option>} */
const fitRequest = {
  ...fittingOnce,
  maxOutputTokens: { kind: outputTokens('fitRequest(): options', 'budget', true), isRequired: true },
};

const AT_SESSION = 'createSession(): options';

const cacheName = oneOf(Object.keys(CACHES), ' or an object of prices');
/** @type {Record<string, Option>} */
const prices = {
  write: { kind: priceFrom0, default: 1 },
  read: { kind: priceFrom0 },
  ttl: { kind: numberWhere((value) => value >= 0, 'a number of ms from 0') },
  minimum: { kind: tokensFrom0, default: 0 },
};
const checkPrices = kinds.object(prices);

/** @type {import('./kinds.js').Check} */
function cache(name, value, options) {
  if (!isObject(value)) return cacheName(name, value, options);
  number(`${name}.read`, value.read, value);
  number(`${name}.ttl`, value.ttl, value);
  checkPrices(name, value, options);
}
cache.options = prices;

/** @type {Record<string, Option>} */
const createSession = {
  limit: { kind: tokensAbove0 },
  window: { kind: tokensAbove0 },
  maxOutputTokens: { kind: outputTokens(AT_SESSION, 'limit'), default: 0, isRequired: true },
  preset: { kind: oneOf(Object.keys(PRESETS)), default: 'balanced' },
  low: { kind: shareOfLimit, default: PRESETS.balanced.low },
  coldLow: { kind: shareOfLimit, default: PRESETS.balanced.coldLow },
  cache: { kind: cache },
  cacheControl: { kind: kinds.boolean, default: false },
  now: { kind: func },
  ...fitting,
  ...beside,
};

/** @type {Option} */
const maxResponseTokens = {
  kind: numberWhere((value) => value > 0 && value < Infinity, 'a positive number of tokens'),
};
/** @type {Option} */
const systemPrompt = { kind: kinds.string };
/** @type {Option} */
const stringList = { kind: kinds.stringList };

/** @type {Record<string, Option>} */
const createSummarizer = {
  mode: { kind: choice(['normal', 'aggressive', 'structured']), default: 'normal' },
  maxResponseTokens: { ...maxResponseTokens, default: 300 },
  systemPrompt,
  preserveTerms: {
    kind(name, value, options) {
      // Mode `structured` ignores them.
      if (options.mode !== 'structured') kinds.stringList(name, value, options);
    },
  },
};
/** @type {Record<string, Option>} */
const createEscalatingSummarizer = { ...createSummarizer, mode: { kind: checkedByReader }, preserveTerms: stringList };
/** @type {Record<string, Option>} */
const createClassifier = {
  systemPrompt,
  maxResponseTokens: { ...maxResponseTokens, default: 100 },
  alwaysPreserve: stringList,
  alwaysCompress: stringList,
};
/**
 * Options that are passed on to `createSummarizer`, which checks the others.
 *
 * @type {Record<string, Option>}
 */
const refined = {
  ...createSummarizer,
  mode: { kind: checkedByReader },
  maxResponseTokens: { kind: checkedByReader },
  preserveTerms: { kind: strings },
};

/**
 * @typedef {object} Verb
 * @property {Record<string, Option>} options all its options, in the order of the checks
 * @property {string} [expected] description of an options object in errors
 * @property {(value: unknown) => boolean} isAbsent returns whether a value means that no options are given
 * @property {true} [isDropIn] takes whatever the package that this one replaces takes: an option with an unknown name is a warning, and an
 *   array is an object
 */

/** @param {unknown} value */
const none = (value) => value === undefined || value === null;
/** An index is what `sessions.map(compress)` passes. @param {unknown} value */
const noneOrIndex = (value) => value === undefined || typeof value === 'number';
const never = () => false;

/** @type {Record<string, Verb>} */
const VERBS = {
  compress: { options: compress, isAbsent: noneOrIndex, isDropIn: true },
  uncompress: { options: { recursive: { kind: flag, default: false } }, isAbsent: none, isDropIn: true },
  prune: { options: prune, isAbsent: never },
  fit: { options: fit, expected: 'an object with a budget', isAbsent: never },
  fitRequest: { options: fitRequest, isAbsent: none },
  createSession: { options: createSession, expected: 'an object with a limit or a window', isAbsent: never },
  countTokens: {
    options: {
      model: { kind: (_, value) => void modelOf({ model: value }, 'countTokens(): options', 'tokenizer') },
      tokenizer,
      format,
      system,
      tools: { kind: kinds.tools },
    },
    isAbsent: none,
  },
  validate: { options: { format }, isAbsent: none },
  createSummarizer: { options: createSummarizer, isAbsent: none, isDropIn: true },
  createEscalatingSummarizer: { options: createEscalatingSummarizer, isAbsent: none, isDropIn: true },
  createClassifier: { options: createClassifier, isAbsent: none, isDropIn: true },
  createEscalatingClassifier: { options: createClassifier, isAbsent: none, isDropIn: true },
  refineSummarizer: { options: refined, isAbsent: never, isDropIn: true },
  tightenSummarizer: { options: refined, isAbsent: never, isDropIn: true },
  refineSummarizerCandidates: { options: refined, isAbsent: never, isDropIn: true },
};

module.exports = { VERBS };
