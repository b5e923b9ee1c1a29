// The request that goes out: its messages, and how much of it the last one had as well.

import { markedFront } from './breakpoints.js';
import { messagesChange, newFrom } from './prefix.js';
import { reusedOf } from './sent.js';
import { requestOf } from './situation.js';
import type { PrefixChange, SessionReport } from '../../index.js';
import type { Aligned } from './align.js';
import type { Config } from './config.js';
import type { History } from './history.js';
import type { Forecast } from './misses.js';
import type { Sent } from './sent.js';
import type { Situation } from './situation.js';
import type { State } from './state.js';

/** A request that is written. */
export interface Written {
  /** with its thinking marked as stale behind what changed */
  history: History;
  sent: Sent;
  messages: object[];
  /** as they are counted here */
  tokens: number;
  /** the tokens of the whole history */
  all: number;
  /** what the last request had as well, at the start: as they are counted here */
  reused: { messages: number; tokens: number };
  /** those up to the breakpoint that is in every request, or 0 */
  front: number;
  /** those that are not new since the last request */
  old: number;
  /** why not all of them are reused */
  behind: Forecast['behind'];
  /** what the caller changed in what the last request began with */
  change: PrefixChange | undefined;
  /** in the provider's tokens */
  counts: { before: number; after: number; limit: number };
  by: NonNullable<SessionReport['limit']>['by'];
  /** converts tokens to those that the provider counts */
  scale: (tokens: number) => number;
}

/**
 * Writes a request.
 *
 * @param before the state of the last one
 * @param aligned what was sent of the history before anything was chosen
 * @param chosen what was chosen, with the additions to it
 */
export function written(
  config: Config,
  before: State,
  aligned: Aligned,
  chosen: { history: History; sent: Sent },
  situation: Situation,
): Written {
  const { state, start } = aligned;
  const { sent } = chosen;
  const messages = sent.messages(chosen.history);
  const request = requestOf(state);
  const tokens = Math.max(0, request + sent.tokens + chosen.history.tokens(sent.covered));
  const shared = sharedWith(before, aligned, chosen, messages, situation.reason !== undefined);
  const history = shared.next === undefined ? chosen.history : chosen.history.staleBehind(shared.next);
  const all = Math.max(0, request + history.whole());
  const scale = scaling(situation.factor);
  const after = scale(tokens);
  const fresh = newFrom(state.history, history, start);
  const change = situation.frontChange ?? messagesChange(state.history, history, start, fresh);
  const isFirst = state.last.time === undefined;
  const front = markedFront(config, state.format, messages);
  const isWithin = after <= situation.limit || situation.by !== 'default';
  return {
    history,
    sent,
    messages,
    tokens,
    all,
    reused: { messages: shared.messages, tokens: situation.frontChange === undefined ? shared.tokens : 0 },
    front: front === 0 ? 0 : Math.max(0, tokens - tokensFrom(sent, history, front)),
    old: isFirst ? 0 : Math.max(0, tokens - tokensFrom(sent, history, fresh)),
    behind: behind(before, aligned, { change, first: shared.next, isEpoch: situation.reason !== undefined }),
    change,
    counts: { before: scale(all), after, limit: isWithin ? situation.limit : situation.most },
    by: isWithin ? situation.by : 'window',
    scale,
  };
}

/** The tokens of what is sent for the messages from `start` on. */
function tokensFrom({ items, covered }: Sent, history: History, start: number) {
  let tokens = history.tokens(Math.max(start, covered));
  for (let index = items.length - 1; index >= 0 && items[index].first >= start; index--) tokens += items[index].tokens;
  return tokens;
}

/**
 * Returns why a request begins with less than it could of what the last one had.
 *
 * @param first the message of the history where the two differ, if that may be any
 */
function behind(
  before: State,
  { start, isCompacted }: Aligned,
  { change, first, isEpoch }: { change: PrefixChange | undefined; first: number | undefined; isEpoch: boolean },
): Forecast['behind'] {
  if (change !== undefined && change.at !== 'messages') return { cause: change.at, change };
  if (isCompacted) return { cause: 'compaction' };
  const isChanged = start < before.history.length;
  if (isEpoch && (!isChanged || (first ?? 0) < start)) return { cause: 'epoch' };
  return isChanged ? { cause: 'messages', change } : { cause: 'session' };
}

/** What a request begins with that the last one had as well; `next`: the message of the history where they differ, if that may be any. */
function sharedWith(
  before: State,
  { state, start, sent, isCompacted }: Aligned,
  chosen: { history: History; sent: Sent },
  messages: object[],
  isEpoch: boolean,
): { messages: number; tokens: number; next?: number } {
  const { last } = state;
  const request = requestOf(state);
  if (!isEpoch && start === before.history.length) {
    // What is pinned may have been added to the last messages, without an answer in between.
    const isAdded = chosen.sent !== sent && last.messages.some((message, index) => messages[index] !== message);
    if (sent === before.sent && !isAdded) return { messages: last.messages.length, tokens: last.tokens };
    // The provider wrote what follows behind just that.
    if (isCompacted && start > 0) return { messages: 0, tokens: request };
  }
  return reusedOf(last.messages, messages, chosen.sent, chosen.history, { request, touched: state.history.touched(start) });
}

/** Number of messages of the last request, where this one begins with all of it; otherwise 0. */
export const reusedWhole = ({ reused }: Pick<Written, 'reused'>, before: State['last']) =>
  reused.messages === before.messages.length ? reused.messages : 0;

/** Tokens that are no more than an error of rounding. */
const ROUNDING = 1e-6;

/**
 * Returns a function that converts tokens to those that the provider counts. Whatever leaves a session has gone through it. What the provider
 * counted for the last request comes out again as the same number.
 */
export const scaling =
  (factor: number): ((tokens: number) => number) =>
  (tokens) =>
    // No tokens are 0, and not -0.
    factor === 1 ? tokens : Math.ceil(tokens * factor - ROUNDING) + 0;
