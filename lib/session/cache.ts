import { isCount } from '../checks.js';
import { CACHES } from '../options/presets.js';
import type { CachePrices } from '../../index.d.ts';
import type { Model, ModelCache } from '../models.js';
import type { Format } from '../types.js';

/** The prices of a cache, as multiples of that of uncached input; `ends`: it has breakpoints. */
export interface Cache {
  write: number;
  read: number;
  /** ms */
  ttl: number;
  /** in the provider's tokens */
  minimum: number;
  ends: boolean;
}

/** A model with what its cache has of its own. */
export interface CachedModel extends Model {
  cache: ModelCache | undefined;
  /** OpenAI's own API takes breakpoints for it */
  isExplicit: boolean;
}

/**
 * Returns the prices of a cache.
 *
 * @param cache as the option was checked
 * @param model that the options name: its cache, unless they give one
 * @param format whose messages may go to any provider if it names none
 */
export function cacheOf(
  cache: keyof typeof CACHES | CachePrices | null | undefined,
  model: Pick<CachedModel, 'provider' | 'maker' | 'cache'> | undefined,
  { vendor }: Pick<Format, 'vendor'>,
): Cache {
  if (cache === null || cache === undefined) {
    const row = CACHES[model?.provider ?? model?.maker ?? vendor ?? 'openai'];
    if (model?.cache === undefined) return row;
    const own = { ...row, ...model.cache };
    return { ...own, ends: own.write > 1 };
  }
  if (typeof cache === 'string') return CACHES[cache];
  const { write, read, ttl, minimum } = cache;
  // A cache with a price for writing has breakpoints.
  return { write: write ?? 1, read, ttl, minimum: minimum ?? 0, ends: (write ?? 1) > 1 };
}

/** How a request is billed. */
export interface Billing {
  cache: Cache;
  /** what was sent before can still be read */
  isWarm: boolean;
  /** converts tokens to the provider's */
  scale: (tokens: number) => number;
}

/** Cost of the requests of a conversation, in the provider's tokens at the price of uncached input. */
export class Bill {
  readonly cost: number;
  readonly cached: number;
  /** Tokens of each request that is a prefix of the last one, as they are counted here, ascending. */
  readonly ends: readonly number[];

  constructor({ cost = 0, cached = 0, ends = [] }: { cost?: number; cached?: number; ends?: readonly number[] } = {}) {
    this.cost = cost;
    this.cached = cached;
    this.ends = ends;
  }

  static isSaved(json: { cost?: unknown; cached?: unknown; ends?: unknown } | null | undefined) {
    return Array.isArray(json?.ends) && [json.cost, json.cached, ...json.ends].every(isCount);
  }

  toJSON() {
    return { cost: this.cost, cached: this.cached, ends: thinned(this.ends) };
  }

  /**
   * Returns the bill with one more request, its cost and the tokens of it that could be read from the cache, both in the provider's tokens.
   *
   * @param tokens as they are counted here
   * @param reused those at its start that the last request sent as well
   * @param front those up to a breakpoint that is in every request; 0: there is none
   */
  add(tokens: number, reused: number, { cache, isWarm, scale }: Billing, front = 0) {
    const { write, read, minimum, ends } = cache;
    // A cache that is cold has lost them all.
    const last = isWarm ? this.ends.findLastIndex((end) => end <= reused) : -1;
    const shared = this.ends.slice(0, last + 1);
    const readable = scale(ends ? (shared.at(-1) ?? 0) : reused);
    const cached = isWarm && readable >= minimum ? readable : 0;
    if (ends && front > 0 && front < (shared[0] ?? tokens)) shared.unshift(front);
    if (ends && shared.at(-1) !== tokens) shared.push(tokens);
    const cost = read * cached + write * (scale(tokens) - cached);
    return { bill: new Bill({ cost: this.cost + cost, cached: this.cached + cached, ends: shared }), cost, cached };
  }
}

/** Ends of requests that differ by more than a tenth; after a break any of them will do. */
function thinned(ends: readonly number[]) {
  const kept: number[] = [];
  for (let index = ends.length - 1; index >= 0; index--) {
    if (kept.length === 0 || ends[index] < 0.9 * (kept.at(-1) as number)) kept.push(ends[index]);
  }
  return kept.reverse();
}
