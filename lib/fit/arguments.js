'use strict';

const { isRegExp } = require('node:util').types;

const { checkConcurrency, checkFunction, checkSignal, checkTokenizer } = require('../arguments.js');
const { checkPruneOptions, checkRecent, checkStrings, checkThinking, mismatch } = require('../agent/arguments.js');

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function checkBudget(budget) {
  if (typeof budget !== 'number') throw mismatch('fit(): options.budget', 'a number of tokens', budget);
  if (!(budget >= 0)) throw new RangeError(`fit(): options.budget must be a number of tokens from 0, got ${budget}`);
}

function checkKeep(keep) {
  if (keep == null) return;
  if (!isObject(keep)) throw mismatch('fit(): options.keep', 'an object', keep);
  const { recent, user, tools, patterns } = keep;
  checkRecent('fit(): options.keep.recent', recent);
  if (user != null && typeof user !== 'boolean') throw mismatch('fit(): options.keep.user', 'a boolean', user);
  checkStrings('fit(): options.keep.tools', tools);
  checkPatterns('fit(): options.keep.patterns', patterns);
}

function checkQuery(query) {
  if (query == null || query === false || typeof query === 'string') return;
  if (!Array.isArray(query)) throw mismatch('fit(): options.query', 'a string, an array of strings or false', query);
  checkStrings('fit(): options.query', query);
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
 * @throws {TypeError} an argument is of the wrong type, or no such choice; it is named
 * @throws {RangeError} a number makes no sense
 */
function checkFitOptions(messages, options) {
  if (!Array.isArray(messages)) throw mismatch('fit(): messages', 'an array', messages);
  if (!isObject(options)) throw mismatch('fit(): options', 'an object with a budget', options);
  const { budget, tokenizer, tokenCounter, tools, keep, query, prune, thinking, summarizer, concurrency, signal } = options;
  checkBudget(budget);
  checkTokenizer(tokenizer);
  checkFunction('tokenCounter', tokenCounter ?? undefined);
  if (tokenizer && tokenCounter) throw new TypeError('options.tokenizer and options.tokenCounter both count tokens: give one of them');
  if (tools != null && !Array.isArray(tools)) throw mismatch('fit(): options.tools', 'an array', tools);
  checkKeep(keep);
  checkQuery(query);
  if (prune != null && typeof prune !== 'boolean' && !isObject(prune)) throw mismatch('fit(): options.prune', 'a boolean or an object', prune);
  if (isObject(prune)) checkPruneOptions(prune, 'fit(): options.prune');
  checkThinking('fit(): options.thinking', thinking);
  checkFunction('summarizer', summarizer || undefined);
  checkConcurrency(concurrency);
  checkSignal(signal);
}

module.exports = { checkFitOptions };
