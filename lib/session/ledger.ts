import { isCount, isObject } from '../checks.js';
import { counted, grouped, percent } from '../agent/wording.js';
import { Bill } from './cache.js';
import { CAUSES, missesInWords } from './misses.js';
import type { Cache } from './cache.js';
import type { reasonFor } from './policy.js';
import type { Saved } from '../fit/shortening.js';
import type { History } from './history.js';
import type { CacheMissCause, CacheMissSum, CacheReport, PrefixChange, SessionMistake, SessionReport } from '../../index.js';

/** Why an epoch was made. */
export type Reason = NonNullable<ReturnType<typeof reasonFor>>;

/** A request that is sent. */
export interface Sending {
  history: History;
  /** how many messages it has in common with the last history */
  start: number;
  /** what the results save that were not shorter in the last request */
  saved: readonly Saved[];
  tokens: number;
  /** the tokens of the whole history */
  all: number;
  /** tokens that the request before had as well */
  reused: number;
  /** those up to the breakpoint that is in every request, or 0 */
  front: number;
  /** tokens that belong to no message */
  request: number;
  limit: number;
  scale: (tokens: number) => number;
  cache: Cache;
  isWarm: boolean;
  reason: Reason | undefined;
  /** results that were asked for again because they had been cut */
  faults: number;
  /** what the caller changed in what the last request began with */
  change: PrefixChange | undefined;
}

/** The cost of a request, and the tokens of it that could be read from the cache, both in the provider's tokens. */
export type Billed = ReturnType<Ledger['add']>['billed'];

/** The totals of a ledger. */
interface Totals {
  requests: number;
  reasons: Readonly<Record<Reason, number>>;
  sent: number;
  session: Bill;
  uncut: Bill;
  trimmed: Bill;
  window: Window;
  faults: number;
  prefix: SessionReport['prefix'];
  shortened: Readonly<Saved>;
  cache: CacheTotals;
}

/** What became of the tokens of the requests whose usage was observed, in the provider's tokens. */
interface CacheTotals {
  requests: number;
  input: number;
  read: number;
  new: number;
  tail: number;
  missed: Readonly<Partial<Record<CacheMissCause, Readonly<CacheMissSum>>>>;
  /** the provider said that it wrote something */
  hasWritten: boolean;
  /** the last of them, in this process */
  last?: CacheReport;
}

const NOTHING_OBSERVED: CacheTotals = { requests: 0, input: 0, read: 0, new: 0, tail: 0, missed: {}, hasWritten: false };

const NO_REQUESTS: Totals = {
  requests: 0,
  reasons: { limit: 0, turn: 0, early: 0, cold: 0 },
  sent: 0,
  session: new Bill(),
  uncut: new Bill(),
  trimmed: new Bill(),
  window: { start: 0, tokens: 0 },
  faults: 0,
  prefix: undefined,
  shortened: {},
  cache: NOTHING_OBSERVED,
};

/** Totals of a session's requests, beside the cost of the alternatives. It is immutable. */
export class Ledger {
  readonly #totals: Totals;

  constructor(totals: Totals = NO_REQUESTS) {
    this.#totals = totals;
  }

  get requests() {
    return this.#totals.requests;
  }

  get epochs() {
    return Object.values(this.#totals.reasons).reduce((sum, count) => sum + count, 0);
  }

  /** Whether the provider was seen to read from a cache or to write to it. */
  get isCached() {
    const { read, hasWritten } = this.#totals.cache;
    return read > 0 || hasWritten;
  }

  /**
   * Returns the ledger with what became of the last request.
   *
   * @param written tokens that the provider wrote to its cache, where it says so
   */
  observed(report: CacheReport, written: number | undefined) {
    const before = this.#totals.cache;
    const missed = { ...before.missed };
    for (const { cause, tokens, cost } of report.missed) {
      const sum = missed[cause] ?? { requests: 0, tokens: 0, cost: 0 };
      missed[cause] = { requests: sum.requests + 1, tokens: sum.tokens + tokens, cost: sum.cost + cost };
    }
    const cache = {
      requests: before.requests + 1,
      input: before.input + report.input,
      read: before.read + report.read,
      new: before.new + report.new,
      tail: before.tail + report.tail,
      missed,
      hasWritten: before.hasWritten || (written ?? 0) > 0,
      last: report,
    };
    return new Ledger({ ...this.#totals, cache });
  }

  /**
   * Returns the ledger with one more request, its cost and the tokens of it that could be read from the cache. It takes tokens as they are counted
   * here; `scale` converts them to the provider's, in which it keeps and returns all totals.
   */
  add({ history, start, saved, tokens, all, reused, front, request, limit, scale, cache, isWarm, reason, faults, change }: Sending) {
    const before = this.#totals;
    const billing = { cache, isWarm, scale };
    // The content that was counted too high may not be among these.
    const whole = (of: number) => Math.max(0, request + of);
    // There is no request before the first one.
    const isFirst = before.requests === 0;
    const session = before.session.add(tokens, reused, billing, front);
    const uncut = before.uncut.add(all, isFirst ? 0 : whole(history.whole(0, start)), billing);
    const slid = slide(before.window, history, start, limit - request);
    const trimmed = before.trimmed.add(whole(slid.tokens), isFirst ? 0 : whole(slid.reused), billing);
    const ledger = new Ledger({
      requests: before.requests + 1,
      reasons: reason === undefined ? before.reasons : { ...before.reasons, [reason]: before.reasons[reason] + 1 },
      sent: before.sent + scale(tokens),
      session: session.bill,
      uncut: uncut.bill,
      trimmed: trimmed.bill,
      window: slid.window,
      faults: before.faults + faults,
      prefix:
        change === undefined
          ? before.prefix
          : { ...(before.prefix ?? { request: before.requests + 1, ...change }), requests: (before.prefix?.requests ?? 0) + 1 },
      shortened: saved.length === 0 ? before.shortened : sumOf([before.shortened, ...saved]),
      cache: before.cache,
    });
    const billed = { cachedTokens: session.cached, cost: { session: session.cost, uncut: uncut.cost, trimmed: trimmed.cost } };
    return { ledger, billed };
  }

  /** Reads a ledger that `toJSON` wrote; undefined for anything else. */
  static from(json: SavedLedger | null | undefined) {
    const saved = json ?? ({} as SavedLedger);
    const { requests, reasons, sent, window, faults = 0, prefix, shortened = {}, cache } = saved;
    const bills = ['session', 'uncut', 'trimmed'] as const;
    if (![requests, sent, faults, ...REASONS.map((reason) => reasons?.[reason]), window?.start, window?.tokens].every(isCount))
      return undefined;
    if (!Number.isInteger(window.start)) return undefined;
    if (!isObject(shortened) || !Object.values(shortened).every(Number.isFinite)) return undefined;
    if (!bills.every((name) => Bill.isSaved(saved[name])) || (prefix !== undefined && !isPrefix(prefix))) return undefined;
    const observed = cache === undefined ? NOTHING_OBSERVED : isObject(cache) ? cacheTotals(cache) : undefined;
    if (observed === undefined) return undefined;
    return new Ledger({
      requests,
      reasons: Object.fromEntries(REASONS.map((reason) => [reason, reasons[reason]])) as Record<Reason, number>,
      sent,
      session: new Bill(saved.session),
      uncut: new Bill(saved.uncut),
      trimmed: new Bill(saved.trimmed),
      window: { start: window.start, tokens: window.tokens },
      faults,
      prefix,
      shortened,
      cache: observed,
    });
  }

  toJSON() {
    const { requests, reasons, sent, session, uncut, trimmed, window, faults, prefix, shortened, cache } = this.#totals;
    return {
      requests,
      reasons: { ...reasons },
      sent,
      session: session.toJSON(),
      uncut: uncut.toJSON(),
      trimmed: trimmed.toJSON(),
      window: { ...window },
      ...(faults === 0 ? {} : { faults }),
      ...(prefix === undefined ? {} : { prefix: { ...prefix } }),
      ...(isEmpty(shortened) ? {} : { shortened: { ...shortened } }),
      ...(cache.requests === 0 ? {} : { cache: savedCache(cache) }),
    };
  }

  /**
   * @param mistakes in how the session is used
   * @param more what the session knows beside: the limit and the pins of the last request, the tags, and what was spent
   */
  report(
    mistakes: SessionMistake[] = [],
    { limit, pins, tags, spent }: { [Name in 'limit' | 'pins' | 'tags' | 'spent']?: SessionReport[Name] | undefined } = {},
  ): SessionReport {
    const { requests, reasons, sent, session, uncut, trimmed, faults, prefix, shortened, cache } = this.#totals;
    const misses = sumOfMissed(cache.missed);
    const cost = { session: session.cost, uncut: uncut.cost, trimmed: trimmed.cost };
    const summary = [
      counted(requests, 'request'),
      counted(this.epochs, 'epoch'),
      `${counted(Math.round(sent), 'token')} sent, ${percent(session.cached, sent)} of them cacheable`,
      `cost ${grouped(Math.round(cost.session))}: ${percent(cost.session, cost.uncut)} of never cutting, ${percent(cost.session, cost.trimmed)} of trimming`,
      // Where nothing is cheaper from a cache, nobody asks.
      ...(misses.cost <= 0 ? [] : [`cache missed ${counted(misses.requests, 'time')}: ${missesInWords(cache.missed)}`]),
      ...(limit?.by === 'default' ? [`limit ${grouped(limit.tokens)} by default`] : []),
    ].join(' · ');
    const report = {
      ...(tags === undefined ? {} : { tags: { ...tags } }),
      requests,
      epochs: { ...reasons },
      ...(limit === undefined ? {} : { limit: { ...limit } }),
      tokens: { sent, cached: session.cached },
      cost,
      ...(spent === undefined ? {} : { spent }),
      ...(cache.requests === 0 ? {} : { cache: cacheReportOf(cache) }),
      faults: { count: faults, per100: requests === 0 ? 0 : (100 * faults) / requests },
      ...(prefix === undefined ? {} : { prefix: { ...prefix } }),
      ...(isEmpty(shortened) ? {} : { shortened: { ...shortened } }),
      ...(pins === undefined ? {} : { pins: { ...pins } }),
      ...(mistakes.length === 0 ? {} : { mistakes }),
      summary,
    };
    return Object.defineProperty(report, 'toString', { value: () => report.summary });
  }
}

type SavedLedger = ReturnType<Ledger['toJSON']>;

const REASONS = Object.keys(NO_REQUESTS.reasons) as Reason[];

const isEmpty = (object: object) => Object.keys(object).length === 0;

const PLACES = ['system', 'tools', 'messages'];
const isPrefix = ({ request, requests, at }: NonNullable<SessionReport['prefix']>) =>
  isCount(request) && isCount(requests) && PLACES.includes(at);

/** The tokens that each kind of shortening saved, of several lists. */
function sumOf(all: readonly Saved[]) {
  const sum: Saved = {};
  for (const saved of all) for (const kind of Object.keys(saved) as (keyof Saved)[]) sum[kind] = (sum[kind] ?? 0) + (saved[kind] ?? 0);
  return sum;
}

const sumOfMissed = (missed: CacheTotals['missed']) =>
  Object.values(missed).reduce((sum, { requests, cost }) => ({ requests: sum.requests + requests, cost: sum.cost + cost }), {
    requests: 0,
    cost: 0,
  });

function cacheReportOf({ hasWritten: _, missed, last, ...totals }: CacheTotals): NonNullable<SessionReport['cache']> {
  const own = Object.fromEntries(Object.entries(missed).map(([cause, sum]) => [cause, { ...sum }]));
  return { ...totals, missed: own, cost: sumOfMissed(missed).cost, ...(last && { last: structuredClone(last) }) };
}

/** In lists, to stay small. */
function savedCache({ requests, input, read, new: fresh, tail, missed, hasWritten }: CacheTotals) {
  const causes = Object.entries(missed).map(([cause, sum]) => [cause, sum.requests, sum.tokens, sum.cost]);
  return { sums: [requests, input, read, fresh, tail, hasWritten ? 1 : 0], missed: causes };
}

/** Reads what {@link savedCache} wrote; undefined for anything else. Causes that are not known count as unknown. */
function cacheTotals({ sums, missed }: Partial<ReturnType<typeof savedCache>>): CacheTotals | undefined {
  if (!Array.isArray(sums) || sums.length !== 6 || !sums.every(isCount) || !Array.isArray(missed)) return undefined;
  const [requests, input, read, fresh, tail, hasWritten] = sums;
  const totals = { requests, input, read, new: fresh, tail, hasWritten: hasWritten !== 0 };
  const known: Partial<Record<CacheMissCause, CacheMissSum>> = {};
  for (const one of missed) {
    if (!Array.isArray(one) || one.length !== 4 || !one.slice(1, 3).every(isCount) || !Number.isFinite(one[3])) return undefined;
    const [name, count, tokens, cost] = one as [CacheMissCause, number, number, number];
    known[CAUSES.includes(name) ? name : 'unknown'] = { requests: count, tokens, cost };
  }
  return { ...totals, missed: known };
}

/** The alternative of trimming: the system's messages and the newest messages that fit, starting with one that is no result. */
interface Window {
  /** index of the first message sent besides the system's */
  start: number;
  /** the tokens of the system's messages */
  tokens: number;
}

/**
 * Moves a window over a history.
 *
 * @param shared how many messages it has in common with the last one
 * @param limit tokens for messages
 */
function slide(before: Window, history: History, shared: number, limit: number): { window: Window; tokens: number; reused: number } {
  const { entries, length } = history;
  const head = (end: number) =>
    entries.slice(0, end).reduce((sum, { role, tokens, less }) => (role === 'system' ? sum + tokens + less : sum), 0);
  const start = Math.min(before.start, length);
  const system = shared < start ? head(start) : before.tokens;
  if (system + history.whole(start) <= limit)
    return {
      window: { start, tokens: system },
      tokens: system + history.whole(start),
      reused: system + history.whole(start, Math.max(start, shared)),
    };
  const next = trimmedStart(history, limit - head(length));
  const tokens = head(next);
  return { window: { start: next, tokens }, tokens: tokens + history.whole(next), reused: 0 };
}

/** Index of the first of the newest messages that have up to `most` tokens, which is no result; the system's messages count for nothing. */
function trimmedStart({ entries, length }: History, most: number) {
  let left = most;
  let start = length;
  for (; start > 0; start--) {
    const { role, tokens, less } = entries[start - 1];
    if (role === 'system') continue;
    if (tokens + less > left) break;
    left -= tokens + less;
  }
  while (start < length && entries[start].role === 'tool') start++;
  return start;
}
