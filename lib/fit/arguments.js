'use strict';

const { checkConcurrency, checkFunction, checkSignal, checkTokenizer, describe } = require('../arguments.js');
const { checkPruneOptions } = require('../agent/arguments.js');

function mismatch(name, expected, value) {
  return new TypeError(`fit(): ${name} must be ${expected}, got ${describe(value)}`);
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function checkBudget(budget) {
  if (typeof budget !== 'number') throw mismatch('options.budget', 'a number of tokens', budget);
  if (!(budget >= 0)) throw new RangeError(`fit(): options.budget must be a number of tokens from 0, got ${budget}`);
}

function checkKeep(keep) {
  if (keep == null) return;
  if (!isObject(keep)) throw mismatch('options.keep', 'an object', keep);
  const { recent, user, tools, patterns } = keep;
  if (recent != null && typeof recent !== 'number') throw mismatch('options.keep.recent', 'a number', recent);
  if (recent != null && recent !== Infinity && !(Number.isInteger(recent) && recent >= 0)) {
    throw new RangeError(`fit(): options.keep.recent must be a whole number from 0, or Infinity, got ${recent}`);
  }
  if (user != null && typeof user !== 'boolean') throw mismatch('options.keep.user', 'a boolean', user);
  checkItems('options.keep.tools', tools, 'a string', (tool) => typeof tool === 'string');
  checkItems('options.keep.patterns', patterns, 'a RegExp', (pattern) => pattern instanceof RegExp);
}

function checkItems(name, list, expected, fits) {
  if (list == null) return;
  if (!Array.isArray(list)) throw mismatch(name, `an array of which each is ${expected}`, list);
  list.forEach((item, index) => {
    if (!fits(item)) throw mismatch(`${name}[${index}]`, expected, item);
  });
}

/**
 * Checks the arguments of `fit` but for `format`, the messages themselves and `originals`, which those who read them check.
 * `undefined` and `null` mean the default.
 *
 * @throws {TypeError} an argument is of the wrong type, or no such choice; it is named
 * @throws {RangeError} a number makes no sense
 */
function checkFitOptions(messages, options) {
  if (!Array.isArray(messages)) throw mismatch('messages', 'an array', messages);
  if (!isObject(options)) throw mismatch('options', 'an object with a budget', options);
  const { budget, tokenizer, tokenCounter, tools, keep, prune, thinking, summarizer, concurrency, signal } = options;
  checkBudget(budget);
  checkTokenizer(tokenizer);
  checkFunction('tokenCounter', tokenCounter ?? undefined);
  if (tokenizer && tokenCounter) throw new TypeError('options.tokenizer and options.tokenCounter both count tokens: give one of them');
  if (tools != null && !Array.isArray(tools)) throw mismatch('options.tools', 'an array', tools);
  checkKeep(keep);
  if (prune != null && typeof prune !== 'boolean' && !isObject(prune)) throw mismatch('options.prune', 'a boolean or an object', prune);
  checkPruneOptions(messages, { ...(isObject(prune) ? prune : {}), thinking });
  checkFunction('summarizer', summarizer || undefined);
  checkConcurrency(concurrency);
  checkSignal(signal);
}

module.exports = { checkFitOptions };
