'use strict';

const { isRegExp } = require('node:util').types;

const { checkConcurrency, checkFunction, checkSignal, checkTokenizer } = require('../arguments.js');
const { checkPruneOptions, checkRecent, checkStrings, checkThinking, mismatch } = require('../agent/arguments.js');

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function checkBudget(budget, at) {
  if (typeof budget !== 'number') throw mismatch(`${at}.budget`, 'a number of tokens', budget);
  if (!(budget >= 0)) throw new RangeError(`${at}.budget must be a number of tokens from 0, got ${budget}`);
}

function checkKeep(keep, at) {
  if (keep == null) return;
  if (!isObject(keep)) throw mismatch(`${at}.keep`, 'an object', keep);
  const { recent, user, tools, patterns } = keep;
  checkRecent(`${at}.keep.recent`, recent);
  if (user != null && typeof user !== 'boolean') throw mismatch(`${at}.keep.user`, 'a boolean', user);
  checkStrings(`${at}.keep.tools`, tools);
  checkPatterns(`${at}.keep.patterns`, patterns);
}

function checkQuery(query, at) {
  if (query == null || query === false || typeof query === 'string') return;
  if (!Array.isArray(query)) throw mismatch(`${at}.query`, 'a string, an array of strings or false', query);
  checkStrings(`${at}.query`, query);
}

function checkPatterns(name, patterns) {
  if (patterns == null) return;
  if (!Array.isArray(patterns)) throw mismatch(name, 'an array of RegExps', patterns);
  for (let index = 0; index < patterns.length; index++) {
    // Those of other realms work as well.
    if (!isRegExp(patterns[index])) throw mismatch(`${name}[${index}]`, 'a RegExp', patterns[index]);
  }
}

/**
 * Checks the arguments of `fit` but for `format`, the messages themselves and `originals`, which those who read them check.
 * `undefined` and `null` mean the default.
 *
 * @param {string} [caller] what errors call the function that was called
 * @throws {TypeError} an argument is of the wrong type, or no such choice; it is named
 * @throws {RangeError} a number makes no sense
 */
function checkFitOptions(messages, options, caller = 'fit()') {
  const at = `${caller}: options`;
  if (!Array.isArray(messages)) throw mismatch(`${caller}: messages`, 'an array', messages);
  if (!isObject(options)) throw mismatch(at, 'an object with a budget', options);
  const { budget, tokenizer, tokenCounter, tools, keep, query, prune, thinking, summarizer, concurrency, signal } = options;
  checkBudget(budget, at);
  checkTokenizer(tokenizer);
  checkFunction('tokenCounter', tokenCounter ?? undefined);
  if (tokenizer && tokenCounter) throw new TypeError('options.tokenizer and options.tokenCounter both count tokens: give one of them');
  if (tools != null && !Array.isArray(tools)) throw mismatch(`${at}.tools`, 'an array', tools);
  checkKeep(keep, at);
  checkQuery(query, at);
  if (prune != null && typeof prune !== 'boolean' && !isObject(prune)) throw mismatch(`${at}.prune`, 'a boolean or an object', prune);
  if (isObject(prune)) checkPruneOptions(prune, `${at}.prune`);
  checkThinking(`${at}.thinking`, thinking);
  checkFunction('summarizer', summarizer || undefined);
  checkConcurrency(concurrency);
  checkSignal(signal);
}

module.exports = { checkFitOptions };
