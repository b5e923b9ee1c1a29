// What the cache of a provider does to the usage of requests that it never saw.
import { cacheNamed, cacheOfModel } from 'palimpsest/internal';
import { servedLike } from '../usage.mjs';
import type { Price } from './prices.mjs';
import type { Transcript, Usage } from '../types.mjs';

/** Providers in the list of prices, as the library names them. */
const VENDORS: Record<string, 'anthropic' | 'openai' | 'gemini'> = { anthropic: 'anthropic', openai: 'openai', google: 'gemini' };

/** Multiples of the price of uncached input; `ttl` in ms, `minimum` in tokens. */
export interface Cache {
  read: number;
  write: number;
  ttl: number;
  minimum: number;
}

/** The cache of a transcript's model; the multiples are those of the day's prices, where there are some. */
export function cacheOf({ format, model, requests }: Transcript, price: Price | undefined): Cache {
  const byFormat = format === 'anthropic' || format === 'gemini' ? format : 'openai';
  const { read, write, ttl, minimum } = cacheOfModel(model, VENDORS[price?.provider ?? ''] ?? byFormat);
  const cache = { read, write, ttl, minimum, ...price?.multiples };
  if (!requests.some(({ usage }) => usage?.cacheWriteHour)) return cache;
  const hour = cacheNamed('anthropic-1h');
  return { ...cache, ttl: hour.ttl, write: hour.write };
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
