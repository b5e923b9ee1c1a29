// @ts-check
'use strict';

// Options of sessions, and of storing originals.

const { isObject, mismatch } = require('../checks.js');
const { beside, fitting } = require('./agent.js');
const kinds = require('./kinds.js');
const { outputTokens, tokensAbove0, tokensFrom0 } = require('./limits.js');
const { CACHES, PRESETS } = require('./presets.js');

const { func, number, numberWhere, oneOf } = kinds;

/** @typedef {import('./shared.js').Option} Option */

const priceFrom0 = numberWhere((value) => value >= 0 && value < Infinity, 'a price from 0');
const shareOfLimit = numberWhere((value) => value > 0 && value < 1, 'a share of the limit above 0 and below 1');

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

/** @type {import('./kinds.js').Check} */
function store(name, value, options) {
  for (const method of ['get', 'put', 'load', 'save'])
    if (typeof value[method] !== 'function') throw mismatch(name, 'a store, such as palimpsest/store/sqlite makes', value);
  if (options.id === undefined || options.id === null) throw new TypeError(`${name} needs options.id, the name of the conversation`);
}

/** @type {import('./kinds.js').Check} */
function id(name, value, options) {
  kinds.string(name, value, options);
  if (options.store === undefined || options.store === null)
    throw new TypeError(`${name} names a conversation of options.store, which is absent`);
}

/** @type {import('./kinds.js').Check} */
function sessionSummarizer(name, value, options) {
  if (value !== 'store') func(name, value, options);
  else if (options.store === undefined || options.store === null) throw new TypeError(`${name} 'store' needs options.store`);
}

/** @type {import('./kinds.js').Check} */
function redact(name, value, options) {
  if (typeof value !== 'function') kinds.regExps(name, value, options);
}

const message = { kind: numberWhere((value) => Number.isInteger(value) && value >= 0, 'the index of a message, from 0') };
/**
 * Options of a session's `recall`.
 *
 * @type {Record<string, Option>}
 */
const sessionRecall = { tokens: { kind: tokensAbove0, default: 500 }, from: message, to: message };

/** @type {Record<string, Option>} */
const automatic = { tokens: sessionRecall.tokens };
const checkAutomatic = kinds.object(automatic);

/** @type {import('./kinds.js').Check} */
function automaticRecall(name, value, options) {
  if (value === 'auto') return;
  if (!isObject(value)) throw mismatch(name, "'auto' or an object", value);
  checkAutomatic(name, value, options);
}
automaticRecall.options = automatic;

/** @type {Record<string, Option>} */
const createSession = {
  limit: { kind: tokensAbove0 },
  window: { kind: tokensAbove0 },
  maxOutputTokens: { kind: outputTokens('limit'), default: 0, isRequired: true },
  preset: { kind: oneOf(Object.keys(PRESETS)), default: 'balanced' },
  low: { kind: shareOfLimit, default: PRESETS.balanced.low },
  coldLow: { kind: shareOfLimit, default: PRESETS.balanced.coldLow },
  cache: { kind: cache },
  cacheControl: { kind: kinds.boolean, default: false },
  recall: { kind: automaticRecall },
  now: { kind: func },
  ...fitting,
  ...beside,
  summarizer: { kind: kinds.orNone(sessionSummarizer) },
  store: { kind: store },
  id: { kind: id },
  storeTimeout: { kind: numberWhere((value) => value >= 0 && value < 2 ** 31, 'a number of ms from 0'), default: 1000 },
  redact: { kind: redact },
};

/** @type {Record<string, Option>} */
const saveOriginals = { redact: createSession.redact };
module.exports = { createSession, saveOriginals, sessionRecall };
