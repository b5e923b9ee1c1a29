'use strict';

const { inspect } = require('node:util');

const { DEPTH } = require('./generated/layout.js');

const BUDGET_STRATEGIES = ['binary-search', 'tiered'];
const CLASSIFIER_MODES = ['hybrid', 'full'];
const DEPTHS = Object.keys(DEPTH);
const SCORER_MODES = ['augment', 'replace'];
const TOKENIZERS = ['o200k_base', 'cl100k_base', 'estimate'];

/**
 * Names the kind of a value for an error message: `'null'`, `'array'`, otherwise what `typeof` says.
 *
 * @param {unknown} value
 * @returns {string}
 */
function describe(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Checks the options of `compress`: throws for what can only be a mistake and otherwise does nothing.
 *
 * `undefined` and `null` mean "default" for every option. Switches (`dedup`, `trace`, …) are read for their truthiness
 * and never refused, numbers may be fractional, negative, infinite or NaN where the contract gives that a meaning, and a
 * falsy `summarizer` or `classifier` means "none". Unknown options are ignored.
 *
 * @param {unknown} options
 * @throws {TypeError} an option is of the wrong type
 * @throws {RangeError} an option's number makes no sense
 */
function checkCompressOptions(options) {
  // A number is the index that `sessions.map(compress)` passes, and names no option.
  if (options === undefined || typeof options === 'number') return;
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`compress(): options must be an object, got ${describe(options)}`);
  }

  // Every option is read by its own name: V8 caches such reads, a loop over names would look each of them up.
  checkPreserve(options.preserve);
  checkNumber('recencyWindow', options.recencyWindow);
  checkNumber('sourceVersion', options.sourceVersion);
  checkNumber('fuzzyThreshold', options.fuzzyThreshold);
  checkPreservePatterns(options.preservePatterns);
  checkNumber('tokenBudget', options.tokenBudget);
  checkMinRecencyWindow(options.minRecencyWindow);
  checkFunction('tokenCounter', options.tokenCounter ?? undefined);
  checkTokenizer(options.tokenizer);
  if (options.tokenizer && options.tokenCounter) {
    throw new TypeError('options.tokenizer and options.tokenCounter both count tokens: give one of them');
  }
  checkNumber('compressionThreshold', options.compressionThreshold);
  checkNumber('observationThreshold', options.observationThreshold);
  checkFunction('summarizer', options.summarizer || undefined);
  checkFunction('classifier', options.classifier || undefined);
  checkAdapters(options.adapters);
  checkFunction('mlTokenClassifier', options.mlTokenClassifier || undefined);
  checkChoice('classifierMode', options.classifierMode, CLASSIFIER_MODES);
  checkNumber('importanceThreshold', options.importanceThreshold);
  checkNumber('contradictionTopicThreshold', options.contradictionTopicThreshold);
  checkNumber('relevanceThreshold', options.relevanceThreshold);
  checkChoice('budgetStrategy', options.budgetStrategy, BUDGET_STRATEGIES);
  checkChoice('compressionDepth', options.compressionDepth, DEPTHS);
  checkFunction('entropyScorer', options.entropyScorer || undefined);
  checkChoice('entropyScorerMode', options.entropyScorerMode, SCORER_MODES);
  checkNumber('clusterThreshold', options.clusterThreshold);
  checkConcurrency(options.concurrency);
  checkSignal(options.signal);
}

function mismatch(name, expected, value) {
  return new TypeError(`options.${name} must be ${expected}, got ${describe(value)}`);
}

function checkNumber(name, value) {
  if (value != null && typeof value !== 'number') throw mismatch(name, 'a number', value);
}

function checkFunction(name, value) {
  if (value !== undefined && typeof value !== 'function') throw mismatch(name, 'a function', value);
}

/**
 * Checks the option `tokenizer`: throws for what is neither a tokenizer's name nor absent.
 *
 * @param {unknown} value
 * @throws {TypeError}
 */
function checkTokenizer(value) {
  if (value === undefined || value === null || TOKENIZERS.includes(value)) return;
  const names = TOKENIZERS.map((name) => `'${name}'`).join(', ');
  throw new TypeError(`options.tokenizer must be one of ${names}, got ${inspect(value, { depth: 0 })}`);
}

function checkPreserve(value) {
  if (value == null) return;
  // A string is an iterable of strings too, but of letters: `preserve: 'tool'` would protect the roles t, o and l.
  if (typeof value !== 'object' || typeof value[Symbol.iterator] !== 'function') {
    throw mismatch('preserve', 'an iterable of role strings such as an array or a Set', value);
  }
  // Other iterables may be readable only once, so what they hold is left to the one who reads them.
  if (!Array.isArray(value) && !(value instanceof Set)) return;
  for (const role of value) {
    if (typeof role !== 'string') throw mismatch('preserve', 'an iterable of role strings', role);
  }
}

function checkPreservePatterns(value) {
  if (value == null) return;
  if (!Array.isArray(value)) throw mismatch('preservePatterns', 'an array of { re, label }', value);
  for (let i = 0; i < value.length; i++) {
    const pattern = value[i];
    if (pattern === null || typeof pattern !== 'object') {
      throw mismatch(`preservePatterns[${i}]`, 'an object { re, label }', pattern);
    }
    if (typeof pattern.re?.test !== 'function') {
      throw mismatch(`preservePatterns[${i}].re`, 'a RegExp or an object with a test method', pattern.re);
    }
    if (typeof pattern.label !== 'string') throw mismatch(`preservePatterns[${i}].label`, 'a string', pattern.label);
  }
}

function checkAdapters(value) {
  if (!value) return;
  if (!Array.isArray(value)) throw mismatch('adapters', 'an array of adapters', value);
  for (let i = 0; i < value.length; i++) {
    const adapter = value[i];
    if (adapter === null || typeof adapter !== 'object') throw mismatch(`adapters[${i}]`, 'an adapter', adapter);
    if (typeof adapter.name !== 'string') throw mismatch(`adapters[${i}].name`, 'a string', adapter.name);
    for (const method of ['detect', 'extractPreserved', 'extractCompressible', 'reconstruct']) {
      const question = adapter[method];
      if (typeof question !== 'function') throw mismatch(`adapters[${i}].${method}`, 'a function', question);
    }
  }
}

function checkMinRecencyWindow(value) {
  checkNumber('minRecencyWindow', value);
  // The search for the largest window that fits the budget starts here and counts up: below this, adding 1 changes
  // nothing, and the search would not end.
  if (value < Number.MIN_SAFE_INTEGER) {
    throw new RangeError(`options.minRecencyWindow must be at least ${Number.MIN_SAFE_INTEGER}, got ${value}`);
  }
}

function checkChoice(name, value, choices) {
  if (value === undefined || value === null || choices.includes(value)) return;
  const names = choices.map((choice) => `'${choice}'`);
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  throw new TypeError(`options.${name} must be ${expected}, got ${inspect(value, { depth: 0 })}`);
}

function checkConcurrency(value) {
  checkNumber('concurrency', value);
  if (value == null || value === Infinity || (Number.isInteger(value) && value >= 1)) return;
  throw new RangeError(`options.concurrency must be a positive integer or Infinity, got ${value}`);
}

function checkSignal(value) {
  if (value == null) return;
  // By shape, not by class: signals of polyfills and of other realms work as well.
  if (typeof value !== 'object' || typeof value.aborted !== 'boolean' || typeof value.addEventListener !== 'function') {
    throw mismatch('signal', 'an AbortSignal', value);
  }
}

module.exports = { describe, checkCompressOptions, checkConcurrency, checkFunction, checkSignal, checkTokenizer };
