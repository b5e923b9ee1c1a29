// @ts-check
'use strict';

/**
 * When an epoch comes. `docs/sessions.md` derives the rule and has the measurements behind each constant.
 *
 * @typedef {object} Situation
 * @property {number} tokens what the request takes if nothing more is cut
 * @property {number} limit
 * @property {number} low what an epoch leaves
 * @property {number} coldLow what it leaves where nothing is in the cache
 * @property {number} floor the tokens that the last epoch left; it may not have reached its target
 * @property {number} carried what carrying the surplus has cost since the last epoch, in uncached tokens
 * @property {number} write the price of a token that is not read from the cache
 * @property {boolean} isCold nothing is in the cache any more
 * @property {boolean} isTurnEnd the user has spoken last
 */

/** A request has a surplus, and an epoch pays, from this multiple of what the epoch would leave. */
const SURPLUS = 1.15;
/** The same multiple for a cold cache. */
const COLD_SURPLUS = 1.3;
/** An epoch takes the first end of a turn within so many tokens of the limit: nine turns in ten take fewer. */
const REACH = 20_000;
/** The most that this reach may be, as a share of what an epoch would cut. */
const REACH_SHARE = 0.3;

/**
 * Why an epoch comes now; undefined where the request is only appended to.
 *
 * @param {Situation} now
 * @returns {'limit' | 'cold' | 'early' | 'turn' | undefined}
 */
function reasonFor({ tokens, limit, low, coldLow, floor, carried, write, isCold, isTurnEnd }) {
  if (tokens > limit) return 'limit';
  if (isCold && tokens > COLD_SURPLUS * Math.max(coldLow, floor)) return 'cold';
  if (!isTurnEnd || !isSurplus(tokens, low, floor)) return undefined;
  if (carried >= write * low) return 'early';
  return tokens > limit - Math.min(REACH, REACH_SHARE * (limit - low)) ? 'turn' : undefined;
}

/** Whether a request takes enough more than an epoch would leave. */
const isSurplus = (tokens, low, floor) => tokens > SURPLUS * Math.max(low, floor);

module.exports = { isSurplus, reasonFor };
