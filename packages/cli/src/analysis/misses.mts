// What the requests of a session read from the provider's cache, and why they read no more.
import { cacheReport, missesInWords } from 'palimpsest/internal';
import { inputTokens } from '../usage.mjs';
import { isExpired } from './caching.mjs';
import { costOfFirst } from './ledger.mjs';
import type { CacheMissCause, CacheReport } from 'palimpsest';
import type { CacheData, MissData, Usage } from '../types.mjs';
import type { Cache } from './caching.mjs';
import type { Rates } from './prices.mjs';
import type { Played } from './simulate.mjs';

/** Share of what a request has in common with the one before that is read where nothing is missed. */
const MOST = 0.9;

/** What a request missed for a cause. */
interface Miss extends MissData {
  /** the first message that it was sent for */
  message: number;
}

/** Follows the requests of a session. */
export class Misses {
  #cache;
  #before: { from: number; total: number; time?: number; model?: string } | undefined;
  /** Whether anything was read or written so far. */
  #isCached = false;
  #requests = 0;
  list: Miss[] = [];
  totals: CacheData | undefined;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** Takes a request that was paid elsewhere. */
  follow({ from, time, model }: Played, usage: Usage) {
    this.#before = { from, total: inputTokens(usage), ...(time !== undefined && { time }), ...(model !== undefined && { model }) };
    this.#isCached ||= usage.cacheRead > 0 || usage.cacheWrite > 0;
  }

  /**
   * Takes a request.
   *
   * @param usage as it was paid
   * @param isFitted whether a session sent it: that alone knows what it cut
   * @returns tokens of it that were new, and what it missed; undefined if nobody recorded what it read
   */
  add(played: Played, usage: Usage, rates: Rates | undefined, isFitted: boolean): { new: number; missed: MissData[] } | undefined {
    const report = isFitted ? played.cache : this.#reportOf(played, usage);
    this.#requests++;
    this.follow(played, usage);
    if (report === undefined) return undefined;
    const missed = pricedMisses(report, usage, rates);
    this.list.push(...missed.map((one) => ({ ...one, message: played.messages })));
    this.totals = added(this.totals, { ...report, requests: 1, missed: byCause(missed) });
    return { new: report.new, missed };
  }

  #reportOf(played: Played, usage: Usage): CacheReport | undefined {
    const { from, time, model, overhead, isRecorded } = played;
    const before = this.#before;
    if (!isRecorded) return undefined;
    const input = inputTokens(usage);
    const isSame = before?.from === from;
    const old = before === undefined ? 0 : Math.min(input, isSame ? before.total : overhead);
    const { cacheRead: read } = usage;
    const isOther = before !== undefined && before.model !== model && read < MOST * old;
    const isCached = this.#isCached || read > 0 || usage.cacheWrite > 0;
    const inferred = isSame ? (read < MOST * overhead ? 'front' : 'messages') : 'compaction';
    const forecast = {
      ...{ tokens: input, old, isCounted: true, readable: isOther ? 0 : old, front: overhead },
      ...{ isIdle: isExpired(before?.time, time, this.#cache.ttl), behind: { cause: 'model' as const }, cache: this.#cache },
    };
    return cacheReport(this.#requests + 1, forecast, { input, read, otherwise: isCached ? inferred : 'never' });
  }
}

/** What a request missed, with its price: behind what was read stands what caches leave out, then what was missed, in order. */
function pricedMisses({ read, tail, missed }: CacheReport, usage: Usage, rates: Rates | undefined): MissData[] {
  const cost = rates && costOfFirst(usage, rates);
  let at = read + tail;
  return missed.map(({ cause, tokens }) => {
    const start = at;
    at += tokens;
    return { cause, tokens, ...(cost && rates && { cost: cost(at) - cost(start) - tokens * rates.read }) };
  });
}

const byCause = (missed: MissData[]): CacheData['missed'] =>
  Object.fromEntries(missed.map(({ cause, tokens, cost }) => [cause, { requests: 1, tokens, ...(cost !== undefined && { cost }) }]));

/** The sum of what several requests or sessions read and missed. */
export function added(one: CacheData | undefined, other: Omit<CacheData, 'summary' | 'cost'> | undefined): CacheData | undefined {
  if (other === undefined) return one;
  const missed = { ...one?.missed };
  for (const [cause, more] of Object.entries(other.missed) as [CacheMissCause, { requests: number; tokens: number; cost?: number }][]) {
    const known = missed[cause];
    const cost = known?.cost === undefined && more.cost === undefined ? undefined : (known?.cost ?? 0) + (more.cost ?? 0);
    missed[cause] = {
      requests: (known?.requests ?? 0) + more.requests,
      tokens: (known?.tokens ?? 0) + more.tokens,
      ...(cost !== undefined && { cost }),
    };
  }
  const costs = Object.values(missed).flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return {
    requests: (one?.requests ?? 0) + other.requests,
    input: (one?.input ?? 0) + other.input,
    read: (one?.read ?? 0) + other.read,
    new: (one?.new ?? 0) + other.new,
    tail: (one?.tail ?? 0) + other.tail,
    missed,
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    summary: missesInWords(missed),
  };
}
