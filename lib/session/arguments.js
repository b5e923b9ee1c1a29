'use strict';

const { inspect } = require('node:util');

const { checkFitOptions } = require('../fit/arguments.js');
const { mismatch } = require('../checks.js');
const { isObject } = require('../formats/reader.js');
const { systemPrompts } = require('../tokens/system.js');
const { CACHES } = require('./cache.js');

const AT = 'createSession(): options';

/** How much is remembered for how much money; `docs/sessions.md` has what each costs. */
const PRESETS = {
  careful: { low: 0.6, coldLow: 0.6 },
  balanced: { low: 0.5, coldLow: 0.35 },
  thrifty: { low: 0.3, coldLow: 0.3 },
};

function checkNumber(name, value, isRight, range) {
  if (value === undefined || value === null) return;
  if (typeof value !== 'number') throw mismatch(`${AT}.${name}`, 'a number', value);
  if (!isRight(value)) throw new RangeError(`${AT}.${name} must be ${range}, got ${value}`);
}

function checkChoice(name, value, choices, more = '') {
  if (value === undefined || value === null || choices.includes(value)) return;
  const listed = choices.map((choice) => `'${choice}'`).join(', ');
  throw new TypeError(`${AT}.${name} must be one of ${listed}${more}, got ${inspect(value, { depth: 0 })}`);
}

const isPositive = (value) => value > 0 && value < Infinity;
const isShare = (value) => value > 0 && value < 1;
const isPrice = (value) => value >= 0 && value < Infinity;

function checkLimit({ limit, window, maxOutputTokens }) {
  checkNumber('limit', limit, isPositive, 'a number of tokens above 0');
  checkNumber('window', window, isPositive, 'a number of tokens above 0');
  checkNumber('maxOutputTokens', maxOutputTokens, isPrice, 'a number of tokens from 0');
  if (limit != null && window != null)
    throw new TypeError(`${AT}.limit and ${AT}.window both say what a request may take: give one of them`);
  if (limit == null && window == null)
    throw new TypeError(`${AT}.limit must be a number of tokens, or ${AT}.window the model's, got neither`);
  if (maxOutputTokens != null && window == null)
    throw new TypeError(`${AT}.maxOutputTokens is taken from ${AT}.window, which is not given`);
  if (maxOutputTokens >= window)
    throw new RangeError(`${AT}.maxOutputTokens must be less than ${AT}.window (${window}), got ${maxOutputTokens}`);
}

function checkCache(cache) {
  if (!isObject(cache)) return checkChoice('cache', cache, Object.keys(CACHES), ' or an object of prices');
  for (const name of ['read', 'ttl']) {
    if (typeof cache[name] !== 'number') throw mismatch(`${AT}.cache.${name}`, 'a number', cache[name]);
  }
  const { write, read, ttl, minimum } = cache;
  checkNumber('cache.write', write, isPrice, 'a price from 0');
  checkNumber('cache.read', read, isPrice, 'a price from 0');
  checkNumber('cache.ttl', ttl, (value) => value >= 0, 'a number of ms from 0');
  checkNumber('cache.minimum', minimum, isPrice, 'a number of tokens from 0');
}

/**
 * Checks the options of `createSession` but for `format`, which is checked with the first messages.
 *
 * @throws {TypeError} an option is of the wrong type, or no such choice; it is named
 * @throws {RangeError} a number makes no sense
 */
function checkSessionOptions(options) {
  if (!isObject(options)) throw mismatch(AT, 'an object with a limit or a window', options);
  checkLimit(options);
  checkChoice('preset', options.preset, Object.keys(PRESETS));
  checkNumber('low', options.low, isShare, 'a share of the limit above 0 and below 1');
  checkNumber('coldLow', options.coldLow, isShare, 'a share of the limit above 0 and below 1');
  checkCache(options.cache);
  if (options.cacheControl != null && typeof options.cacheControl !== 'boolean')
    throw mismatch(`${AT}.cacheControl`, 'a boolean', options.cacheControl);
  if (options.now != null && typeof options.now !== 'function') throw mismatch(`${AT}.now`, 'a function', options.now);
  // What is wrong with it is the same for every provider.
  systemPrompts(options.system, `${AT}.system`);
  checkFitOptions([], { ...options, budget: 0 }, 'createSession()');
}

/** The shares of the limit that epochs leave. */
function sharesOf({ preset, low, coldLow }) {
  const shares = PRESETS[preset ?? 'balanced'];
  return { low: low ?? shares.low, coldLow: coldLow ?? Math.min(low ?? 1, shares.coldLow) };
}

module.exports = { checkSessionOptions, sharesOf };
