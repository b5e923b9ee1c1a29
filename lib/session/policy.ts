import type { Excess } from '../limits/load.js';

/**
 * Situation that decides about an epoch. All tokens are of what can be cut: tools and instructions are in each request, and stay in the cache.
 * `research/sessions.md` derives the rule and has the measurements behind each constant.
 */
export interface Situation {
  /** tokens if nothing more is cut */
  tokens: number;
  limit: number;
  /** tokens that an epoch leaves */
  low: number;
  /** tokens that it leaves when nothing is in the cache */
  coldLow: number;
  /** the tokens that the last epoch left; it may not have reached its target */
  floor: number;
  /** cost of carrying the surplus since the last epoch, in uncached tokens */
  carried: number;
  /** the price of a token that is not read from the cache */
  write: number;
  /** nothing is in the cache any more */
  isCold: boolean;
  /** the user has spoken last */
  isTurnEnd: boolean;
  /** the provider compacts below the limit */
  isLeft: boolean;
}

/** Multiple of an epoch's target from which a request has a surplus and an epoch pays. */
const SURPLUS = 1.15;
/** The same multiple for a cold cache. */
const COLD_SURPLUS = 1.3;
/** Distance from the limit, in tokens, within which an epoch waits for the end of a turn; nine turns in ten are shorter. */
const REACH = 20_000;
/** Maximum of this distance, as a share of the tokens that an epoch would cut. */
const REACH_SHARE = 0.3;

/** Returns the reason for an epoch now; undefined if the request only appends. */
export function reasonFor({
  tokens,
  limit,
  low,
  coldLow,
  floor,
  carried,
  write,
  isCold,
  isTurnEnd,
  isLeft,
}: Situation): 'limit' | 'cold' | 'early' | 'turn' | undefined {
  if (tokens > limit) return 'limit';
  if (isLeft) return undefined;
  if (isCold && tokens > COLD_SURPLUS * Math.max(coldLow, floor)) return 'cold';
  if (!isTurnEnd || !isSurplus({ tokens, low, floor })) return undefined;
  if (carried >= write * low) return 'early';
  return tokens > limit - Math.min(REACH, REACH_SHARE * (limit - low)) ? 'turn' : undefined;
}

/** Returns whether a request exceeds limits beside tokens, or by more than the last one, which had to. */
export const isExcess = (excesses: readonly Excess[], before: readonly Excess[]) =>
  excesses.some(({ name, count }) => count > SURPLUS * (before.find((other) => other.name === name)?.count ?? 0));

/** Returns whether a request exceeds the target of an epoch by enough. */
export const isSurplus = ({ tokens, low, floor }: Pick<Situation, 'tokens' | 'low' | 'floor'>) => tokens > SURPLUS * Math.max(low, floor);
