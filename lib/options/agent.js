// @ts-check
'use strict';

// Options of the verbs for an agent's messages.

const { isObject, mismatch } = require('../checks.js');
const { modelOf } = require('../models.js');
const kinds = require('./kinds.js');
const { outputTokens, tokensAbove0, tokensFrom0 } = require('./limits.js');
const { CACHES, PRESETS } = require('./presets.js');
const { concurrency, format, signal, summarizer, tokenCounter, tokenizer, trace } = require('./shared.js');

const { checkedByReader, choice, func, number, numberWhere, oneOf, renamed, strings } = kinds;

/** @typedef {import('./shared.js').Option} Option */

const isThinking = choice(['keep', 'strip', 'leave']);

const priceFrom0 = numberWhere((value) => value >= 0 && value < Infinity, 'a price from 0');
const shareOfLimit = numberWhere((value) => value > 0 && value < 1, 'a share of the limit above 0 and below 1');

/** @type {Option} */
const recent = {
  kind: numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 0), 'a whole number from 0, or Infinity'),
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
const beside = { system: { kind: checkedByReader }, tools: { kind: kinds.tools } };

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
  maxOutputTokens: { kind: outputTokens('budget'), default: 0, isRequired: true },
};
/** @type {Record<string, Option>} */
const fitRequest = {
  ...fittingOnce,
  maxOutputTokens: { kind: outputTokens('budget', true), isRequired: true },
};

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
const countTokens = {
  model: { kind: (_, value) => void modelOf({ model: value }, 'countTokens(): options', 'tokenizer') },
  tokenizer,
  format,
  ...beside,
};
/** @type {Record<string, Option>} */
const recall = {
  tokens: { kind: tokensAbove0, default: 500 },
  model: { kind: (_, value) => void modelOf({ model: value }, 'recall(): options', 'tokenizer') },
  tokenizer,
  format,
};
/** @type {Record<string, Option>} */
const validate = { format };
/** @type {Record<string, Option>} */
const saveOriginals = { redact: createSession.redact };
/** @type {Record<string, Option>} */
const warmUp = { tokenizer };

module.exports = { countTokens, createSession, fit, fitRequest, prune, recall, saveOriginals, sessionRecall, validate, warmUp };
