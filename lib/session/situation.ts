// What a request takes and may take, and whether it begins an epoch.

import { describe } from '../checks.js';
import { added, exactly, excessesOf, NOTHING } from '../limits/load.js';
import { PINNED, within } from '../fit/pinned.js';
import { isExact, marginOf } from '../margins.js';
import { windowLimit } from '../options/limits.js';
import { cacheOf } from './cache.js';
import { isExcess, isSurplus, reasonFor } from './policy.js';
import { frontChange, savedFrontChange } from './prefix.js';
import { UNKNOWN } from './units.js';
import type { PrefixChange, SessionReport } from '../../index.js';
import type { Exceeding } from '../fit/limited.js';
import type { Aligned } from './align.js';
import type { Cache } from './cache.js';
import type { Config } from './config.js';
import type { Counter } from './counter.js';
import type { History } from './history.js';
import type { Due } from './pins.js';
import type { Sent } from './sent.js';
import type { Ready, State } from './state.js';
import type { Units } from './units.js';

/**
 * Tokens for what can be cut if nobody gave a limit. Above that, each further point that is kept costs twice as much (`research/sessions.md`).
 */
const DEFAULT_ROOM = 128_000;
/** Share of the limit that an epoch may use in the same case. */
const LIMIT_MARGIN = 0.9;
/** Share of a limit beside tokens that an epoch leaves of it, so that the requests after it only append. */
const LEFT_OF_LIMIT = 0.75;
/** Share of what was appended that stays free until the provider has counted it, where counts are not exact. */
const APPENDED_MARGIN = 0.1;
/** Share of what can be cut up to which an epoch leaves whole what the model has not answered yet. */
const UNANSWERED = 0.5;
/** Share of what an epoch leaves up to which the newest messages stay whole in the middle of a turn: the next edits quote them. */
const AT_WORK = 0.3;

/** How much a request may take. */
interface Bounds {
  limit: number;
  /** what says it */
  by: NonNullable<SessionReport['limit']>['by'];
  /** what even the messages that have to stay may not exceed */
  most: number;
}

/** What decides whether a request begins an epoch, and how much one leaves. */
export interface Situation extends Bounds {
  /** the provider's tokens for each one counted here */
  factor: number;
  isExact: boolean;
  cache: Cache;
  time: number;
  isWarm: boolean;
  /** more time has passed since the last request than the cache lives */
  isIdle: boolean;
  tokens: number;
  surplus: number;
  carried: number;
  reason: ReturnType<typeof reasonFor>;
  /** tokens that an epoch leaves, and the most that it may leave for the user's last words */
  target: number;
  ceiling: number;
  /** tokens that can't be cut */
  fixed: number;
  /** what is another in front of the messages than last time */
  frontChange: PrefixChange | undefined;
  /** number of the newest messages that an epoch leaves whole */
  whole: number;
  /** what the history exceeds of the limits beside tokens */
  exceeding: Exceeding | undefined;
  /** the pins that are within their share */
  pins: Due[];
}

/**
 * Decides whether a request begins an epoch, and why.
 *
 * @param known the counter of the last request, which has what stood in front of it
 * @param now `time` in ms; `pins`: all of them
 */
export function situationOf(
  config: Config,
  { state, history, sent }: Aligned,
  known: Counter | undefined,
  now: { time: number; pins: readonly Due[] },
): Situation {
  const { options, model, shares, summaries } = config;
  const { format, counter, last, floor, units } = state;
  const { time } = now;
  const factor = units.factor ?? 1;
  const isExactly = isExact(format.name, options, model);
  const isCounted = units !== UNKNOWN || isExactly;
  // What is in every request, whatever is cut, has no part in the choice.
  const front = Math.max(0, requestOf(state) + history.tokens(0, history.lead)) * factor;
  const held = () => Math.max(history.tokens(newestOf(history, 0)) * factor, floor - front);
  const { limit, by, most } = boundsOf(config, front, held, isCounted ? 0 : marginOf(format.name, options, model));
  const cache = cacheOf(options.cache, model, format);
  const change = changeInFront(state, known);
  const isIdle = last.time !== undefined && time - last.time > cache.ttl;
  const isWarm = change === undefined && !isIdle;
  const fixed = Math.min(limit, front);
  const room = limit - fixed;
  const [low, coldLow] = [shares.low * room, shares.coldLow * room];
  const allotted = within(now.pins, (PINNED * low) / factor);
  // A pin for which the last epoch had no room is no reason for another one.
  const pending = tokensOf(allotted.filter(({ pin, lackOf }) => !pin.isRefused && lackOf(sent).length > 0));
  const counted = Math.max(0, requestOf(state) + sent.tokens + history.tokens(sent.covered) + pending);
  const tokens = counted * factor;
  const appended = Math.max(0, counted - last.tokens) * factor;
  const unsure = isExactly || units === UNKNOWN ? 0 : APPENDED_MARGIN * appended;
  const cuttable = { tokens: tokens - fixed, low, floor: Math.max(0, floor - fixed) };
  const surplus = isSurplus(cuttable) ? cuttable.tokens - low : 0;
  const carried = state.carried + cache.read * surplus;
  const isTurnEnd = history.entries.at(-1)?.role === 'user';
  const isLeft = (options.compactThreshold ?? Infinity) <= limit;
  const exceeding = exceedingIn(counter, history);
  const isTooMuch = exceeding !== undefined && isExcess(leftOf(exceeding, counter, history, sent).excesses, state.exceeded);
  const reason = isTooMuch
    ? 'limit'
    : // Members by name: V8 takes a microsecond for each that follows a spread.
      reasonFor({
        tokens: cuttable.tokens,
        limit: room - unsure,
        low,
        coldLow,
        floor: cuttable.floor,
        carried,
        write: cache.write,
        isCold: !isWarm,
        isTurnEnd,
        isLeft,
      });
  const mark = reason === 'cold' ? coldLow : low;
  const isChoosing = reason !== undefined || summaries !== undefined;
  const first = isChoosing ? newestOf(history, isTurnEnd ? 0 : (AT_WORK * mark) / factor) : history.length;
  const newest = history.tokens(first) * factor;
  const isWhole = newest <= UNANSWERED * room && exceeding === undefined;
  const share = Math.max(mark, isWhole ? newest : 0);
  const ceiling = isCounted ? limit : LIMIT_MARGIN * limit;
  const target = Math.min(fixed + share, ceiling);
  const isGuessed = () => counter.isGuessed || history.guessed >= 0;
  const isSure = units !== UNKNOWN || options.tokenCounter != null;
  return {
    factor,
    isExact: isCounted && (isSure || !isGuessed()),
    limit,
    by,
    most,
    cache,
    time,
    isWarm,
    isIdle,
    tokens,
    surplus,
    carried,
    reason,
    target,
    ceiling,
    fixed,
    frontChange: change,
    whole: isWhole ? history.length - first : 0,
    exceeding,
    pins: allotted,
  };
}

/** Tokens of a request that belong to no message. */
export const requestOf = ({ counter, units }: Ready) => counter.request + units.beside;

const tokensOf = (pins: readonly Due[]) => pins.reduce((sum, { tokens }) => sum + tokens, 0);

/** Tokens that an epoch leaves free for pinned texts, as they are counted here. */
export const pinnedTokens = (pins: readonly Due[]) => tokensOf(pins.filter(({ pin }) => pin.text !== undefined));

/** The budget in counted tokens for what is counted. What was counted too much may be what goes, so it makes no room. */
export const budgetOf = ({ factor, beside }: Units, target: number) => Math.max(0, target / (factor ?? 1) - Math.max(0, beside));

/** Replaces the units of a state, and restates the tokens of the last request in them. */
export function inUnits<S extends State>(state: S, units: Units): S {
  const { last } = state;
  return { ...state, units, last: { ...last, tokens: last.tokens - state.units.beside + units.beside } };
}

/** What a history exceeds of the limits beside tokens; undefined if it keeps them. */
export function exceedingIn({ figures, bytes, loadOf }: Counter, history: History): Exceeding | undefined {
  if (figures === undefined) return undefined;
  const load = exactly(figures, (weight) => added(history.load(loadOf, weight), { ...NOTHING, bytes }));
  return excessesOf(load, figures).length === 0 ? undefined : { figures, load, beside: bytes, share: LEFT_OF_LIMIT };
}

/** What a request has of what is limited beside tokens, and the limits that it exceeds. */
export function leftOf({ figures, beside }: Exceeding, counter: Counter, history: History, sent: Sent) {
  const load = added(sent.load(history, counter.loadOf), { ...NOTHING, bytes: beside });
  return { load, excesses: excessesOf(load, figures) };
}

/** What stands in front of the messages and is another than last time, so that nothing can be read from the cache. */
function changeInFront({ counter, last }: Ready, known: Counter | undefined): PrefixChange | undefined {
  if (last.front === undefined) return undefined;
  const change = savedFrontChange(last.front, counter.frontPrints);
  return change && ((known && frontChange(known.front, counter.front)) ?? change);
}

/**
 * The time of a request.
 *
 * @throws {TypeError} `options.now` returns no time
 */
export function timeOf({ options }: Config) {
  const time = options.now();
  if (Number.isFinite(time)) return time;
  throw new TypeError(`createSession(): options.now must return the time in ms, got ${typeof time === 'number' ? time : describe(time)}`);
}

/**
 * Returns the limit, and the bound that even what has to stay may not exceed.
 *
 * @param front tokens that can't be cut
 * @param held those of the messages that an epoch leaves whole, if there is room, or had to leave
 * @param margin share of the window that stays free
 */
function boundsOf({ options, model }: Config, front: number, held: () => number, margin: number): Bounds {
  const { limit, window, compactThreshold } = options;
  if (limit != null) return { limit, by: 'limit', most: limit };
  const most = Math.floor((windowLimit(options, model) ?? 0) * (1 - margin));
  // Who gives a window, or leaves it to the provider to compact, has chosen.
  if (window != null || compactThreshold != null || most <= front + DEFAULT_ROOM) return { limit: most, by: 'window', most };
  // Nothing is cut that the window has room for because nobody gave a limit.
  const chosen = Math.ceil(front + Math.max(DEFAULT_ROOM, held() / UNANSWERED));
  if (most <= chosen) return { limit: most, by: 'window', most };
  return { limit: chosen, by: 'default', most };
}

/**
 * Returns the index of the first message of what the model has not answered yet, and of as many before as have up to `most` tokens with it. The
 * instructions at the beginning are none of them.
 */
function newestOf(history: History, most: number) {
  const { lead } = history;
  let [low, first] = [lead, Math.max(lead, history.unanswered)];
  while (low < first) {
    const middle = Math.floor((low + first) / 2);
    if (history.tokens(middle) <= most) first = middle;
    else low = middle + 1;
  }
  return first;
}
