// Options of sessions, and of storing originals.

import { types } from 'node:util';
import { isObject, mismatch } from '../checks.js';
import { beside, fitting } from './agent.js';
import { maxCost, prices as moneyPrices } from './cost.js';
import * as kinds from './kinds.js';
import { outputTokens, tokensAbove0, tokensFrom0 } from './limits.js';
import { CACHES, PRESETS } from './presets.js';
import { concurrency } from './shared.js';
import { tags } from './tags.js';
import type { Table } from './shared.js';
import type { CachePrices, PinOptions, SaveOriginalsOptions, SessionRecallOptions, SessionSettings, WhyOptions } from '../../index.js';

const { func, number, numberWhere, oneOf } = kinds;

const priceFrom0 = numberWhere((value) => value >= 0 && value < Infinity, 'a price from 0');
const requestsFrom1 = numberWhere((value) => Number.isSafeInteger(value) && value >= 1, 'a whole number of requests from 1');
const shareOfLimit = numberWhere((value) => value > 0 && value < 1, 'a share of the limit above 0 and below 1');

const cacheName = oneOf(Object.keys(CACHES), ' or an object of prices');
const prices = {
  write: { kind: priceFrom0, default: 1 },
  read: { kind: priceFrom0 },
  ttl: { kind: numberWhere((value) => value >= 0, 'a number of ms from 0') },
  minimum: { kind: tokensFrom0, default: 0 },
} satisfies Table<CachePrices>;
const checkPrices = kinds.object(prices);

function cache(name: string, value: unknown, options: Record<string, unknown>): void {
  if (!isObject(value)) cacheName(name, value, options);
  else {
    number(`${name}.read`, value.read);
    number(`${name}.ttl`, value.ttl);
    checkPrices(name, value, options);
  }
}
cache.options = prices;

function store(name: string, value: unknown, options: Record<string, unknown>): void {
  for (const method of ['get', 'put', 'load', 'save'])
    if (typeof (value as Record<string, unknown>)[method] !== 'function')
      throw mismatch(name, 'a store, such as palimpsest/store/sqlite makes', value);
  if (options.id === undefined || options.id === null) throw new TypeError(`${name} needs options.id, the name of the conversation`);
}

function id(name: string, value: unknown, options: Record<string, unknown>): void {
  kinds.string(name, value);
  if (options.store === undefined || options.store === null)
    throw new TypeError(`${name} names a conversation of options.store, which is absent`);
}

function sessionSummarizer(name: string, value: unknown, options: Record<string, unknown>): void {
  if (value !== 'store') func(name, value);
  else if (options.store === undefined || options.store === null) throw new TypeError(`${name} 'store' needs options.store`);
}

function redact(name: string, value: unknown): void {
  if (typeof value !== 'function') kinds.regExps(name, value);
}

const message = { kind: numberWhere((value) => Number.isInteger(value) && value >= 0, 'the index of a message, from 0') };
/** Options of a session's `recall`. */
export const sessionRecall = {
  limit: { kind: tokensAbove0, default: 500 },
  from: message,
  to: message,
} satisfies Table<SessionRecallOptions>;

/** Options of a session's `why`. */
export const sessionWhy = { request: { kind: requestsFrom1 } } satisfies Table<WhyOptions>;

function end(name: string, value: unknown): void {
  if (value === 'turn') return;
  if (typeof value === 'number') requestsFrom1(name, value, {});
  else if (!types.isDate(value) || Number.isNaN(value.getTime())) throw mismatch(name, "a number of requests, a Date or 'turn'", value);
}

/** Options of a session's `pin`. */
export const sessionPin = { label: { kind: kinds.string }, until: { kind: end } } satisfies Table<PinOptions>;

/** Options of recall by itself; the default is where more tokens begin to answer few more questions (`docs/recall.md`). */
export const automatic = { limit: { kind: tokensAbove0, default: 1000 } } satisfies Table<Extract<SessionSettings['recall'], object>>;
const checkAutomatic = kinds.object(automatic);

function automaticRecall(name: string, value: unknown, options: Record<string, unknown>): void {
  if (value === 'auto') return;
  if (!isObject(value)) throw mismatch(name, "'auto' or an object", value);
  checkAutomatic(name, value, options);
}
automaticRecall.options = automatic;

export const createSession = {
  limit: { kind: tokensAbove0 },
  window: { kind: tokensAbove0 },
  maxOutputTokens: { kind: outputTokens(), default: 0, isRequired: true },
  preset: { kind: oneOf(Object.keys(PRESETS)), default: 'balanced' },
  low: { kind: shareOfLimit, default: PRESETS.balanced.low },
  coldLow: { kind: shareOfLimit, default: PRESETS.balanced.coldLow },
  cache: { kind: cache },
  cacheControl: { kind: kinds.boolean, default: false },
  compactThreshold: { kind: tokensFrom0 },
  enabled: { kind: kinds.switching, default: true },
  recall: { kind: automaticRecall },
  volatile: { kind: func },
  warn: { kind: kinds.boolean, default: true },
  now: { kind: func },
  ...fitting,
  ...beside,
  summarizer: { kind: kinds.orNone(sessionSummarizer) },
  concurrency,
  store: { kind: store },
  id: { kind: id },
  storeTimeout: { kind: numberWhere((value) => value >= 0 && value < 2 ** 31, 'a number of ms from 0'), default: 1000 },
  redact: { kind: redact },
  tags: { kind: tags },
  prices: { kind: moneyPrices },
  maxCost: { kind: maxCost },
  onCost: { kind: func },
} satisfies Table<SessionSettings>;

export const saveOriginals = { redact: createSession.redact } satisfies Table<SaveOriginalsOptions>;
