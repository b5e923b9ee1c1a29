// What the cache of a provider does to the usage of requests that it never saw.
import { servedLike } from '../usage.mjs';
import type { Price } from './prices.mjs';
import type { Transcript, Usage } from '../types.mjs';

/** Lifetime of a provider's cache in ms, and the minimum length of a prefix that it keeps in tokens. research/sessions.md has the sources. */
const CACHES = {
  anthropic: { ttl: 300_000, minimum: 1024 },
  openai: { ttl: 600_000, minimum: 1024 },
  google: { ttl: 300_000, minimum: 4096 },
};
/** Prices of caches by provider, as multiples of uncached input, where the model has none. */
const MULTIPLES = { anthropic: { read: 0.1, write: 1.25 }, openai: { read: 0.1, write: 1 }, google: { read: 0.1, write: 1 } };

/** Anthropic's cache if it is asked to keep prefixes for an hour. */
const HOUR = { ttl: 3_600_000, write: 2 };

type Provider = keyof typeof CACHES;

/** Multiples of the price of uncached input; `ttl` in ms, `minimum` in tokens. */
export interface Cache {
  read: number;
  write: number;
  ttl: number;
  minimum: number;
}

export function cacheOf({ format, requests }: Transcript, price: Price | undefined): Cache {
  const byFormat = format === 'anthropic' ? 'anthropic' : format === 'gemini' ? 'google' : 'openai';
  const provider = (price !== undefined && price.provider in CACHES ? price.provider : byFormat) as Provider;
  const cache = { ...CACHES[provider], ...(price?.multiples ?? MULTIPLES[provider]) };
  return requests.some(({ usage }) => usage?.cacheWriteHour) ? { ...cache, ...HOUR } : cache;
}

/** Whether a cache has expired between two requests, if their times are known. */
export const isExpired = (before: number | undefined, time: number | undefined, ttl: number) =>
  before !== undefined && time !== undefined && time - before > ttl;

export const estimated = (total: number, cacheRead: number, hasWrites: boolean, output: number): Usage =>
  hasWrites
    ? { input: 0, cacheRead, cacheWrite: total - cacheRead, output }
    : { input: total - cacheRead, cacheRead, cacheWrite: 0, output };

/**
 * The usage of a request of `total` tokens, served as `like` was: what it does not read from the cache is written to it in the same proportion.
 */
export function dividedLike(total: number, cacheRead: number, like: Usage, cache: { write: number }, output: number): Usage {
  const fresh = like.input + like.cacheWrite;
  const rest = total - cacheRead;
  const cacheWrite = fresh === 0 ? (cache.write === 1 ? 0 : rest) : Math.round((rest * like.cacheWrite) / fresh);
  const usage = { input: rest - cacheWrite, cacheRead, cacheWrite, output, ...servedLike(like) };
  const { cacheWriteHour = 0 } = like;
  return cacheWriteHour === 0 ? usage : { ...usage, cacheWriteHour: Math.round((cacheWrite * cacheWriteHour) / like.cacheWrite) };
}
