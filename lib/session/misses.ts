// What a request read from the provider's cache, and why it read no more. Every token of the request belongs to one part.

import type { CacheMiss, CacheMissCause, CacheReport, PrefixChange } from '../../index.js';

/** What decides how much of a request can be read, in the provider's tokens as far as they are known before the answer. */
export interface Forecast {
  /** of the whole request */
  tokens: number;
  /** those that are not new since the last request */
  old: number;
  /** these are the last request, which the provider has counted */
  isCounted: boolean;
  /** those at its start that a cache can have, as it was sent */
  readable: number;
  /** those of tools and instructions */
  front: number;
  /** whether more time has passed since the last request than the cache lives */
  isIdle: boolean;
  /** why what is old is not all readable */
  behind: { cause: CacheMissCause; change?: PrefixChange | undefined };
  /** prices of the cache, and what it keeps at least */
  cache: { write: number; read: number; minimum: number };
}

/** What is known of a request once it was answered, in the provider's tokens. */
interface Answered {
  input: number;
  read: number;
  /** the provider's own word */
  said?: Said | undefined;
  /** why what is readable was not read, if nothing else says it */
  otherwise: CacheMissCause;
}

/** A provider's word for a miss, and the cause that it means. */
export interface Said {
  word: string;
  cause: CacheMissCause;
}

/** Share of what can be read up to which its end may be missing: it is often not written, or the cache goes in steps. */
const TAIL = 0.1;

/**
 * Divides a request's tokens by what became of them.
 *
 * @param request its number
 */
export function cacheReport(request: number, forecast: Forecast, { input, read: cached, said, otherwise }: Answered): CacheReport {
  const { tokens, isCounted, isIdle, behind, cache } = forecast;
  const read = Math.min(cached, input);
  const ratio = tokens > 0 && !isCounted ? input / tokens : 1;
  const scaled = (count: number) => Math.min(input, ratio === 1 ? count : Math.round(count * ratio));
  const old = scaled(forecast.old);
  const readable = Math.min(old, scaled(forecast.readable));
  // In the order of the request: what was read, what could have been as it was sent, what could have been if it were as before.
  const unread = Math.max(0, readable - read);
  const broken = Math.max(0, old - Math.max(readable, read));
  const isThere = read > scaled(forecast.front) && read >= (1 - TAIL) * readable;
  let tail = 0;
  const missed: CacheMiss[] = [];
  const miss = (cause: CacheMissCause, count: number, change?: PrefixChange) => {
    if (count === 0) return;
    const cost = count * (cache.write - cache.read);
    const known = missed.find((one) => one.cause === cause);
    if (known === undefined) missed.push({ cause, tokens: count, cost, ...(change && { change }), ...(said && { said: said.word }) });
    else Object.assign(known, { tokens: known.tokens + count, cost: known.cost + cost, ...(change && { change }) });
  };
  if (old < cache.minimum) tail = unread + broken;
  else if (isIdle && !isThere) miss('idle', unread + broken);
  else {
    if (unread <= TAIL * readable || unread < cache.minimum) tail = unread;
    else miss(said?.cause ?? otherwise, unread);
    miss(behind.cause, broken, behind.change);
  }
  const cost = missed.reduce((sum, one) => sum + one.cost, 0);
  return { request, input, read, new: input - Math.max(old, read), tail, missed, cost };
}

/** What each cause is called behind the number of requests that missed for it. */
const WORDS: Record<CacheMissCause, (count: number) => string> = {
  epoch: (count) => (count === 1 ? 'cut' : 'cuts'),
  tools: () => 'the list of tools changed',
  system: () => 'the instructions changed',
  front: () => 'instructions or tools changed',
  messages: () => 'earlier messages changed',
  model: () => 'another model',
  compaction: (count) => (count === 1 ? 'compaction' : 'compactions'),
  session: () => 'changed by the session',
  idle: () => 'idle',
  provider: () => 'for what the provider says',
  never: () => 'nothing cached so far',
  unknown: () => 'for no known cause',
};

/** The causes of misses in a line, the most frequent first: `29 idle, 9 the list of tools changed, 3 cuts`. */
export function missesInWords(missed: Partial<Record<CacheMissCause, { requests: number }>>): string {
  return (Object.entries(missed) as [CacheMissCause, { requests: number }][])
    .sort(([, a], [, b]) => b.requests - a.requests)
    .map(([cause, { requests }]) => `${requests.toLocaleString('en')} ${WORDS[cause](requests)}`)
    .join(', ');
}

export const CAUSES: CacheMissCause[] = Object.keys(WORDS) as CacheMissCause[];
