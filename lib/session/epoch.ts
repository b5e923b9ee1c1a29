// An epoch: what is sent is chosen anew, from the whole history.

import { openingAny } from '../fit/compacted.js';
import { askedAgain } from './faults.js';
import { behindHead, headed } from './head.js';
import { Sent } from './sent.js';
import { budgetOf, exceedingIn, pinnedTokens, requestOf } from './situation.js';
import type { Fitting } from '../fit/fitting.js';
import type { Steps } from '../steps.js';
import type { Aligned } from './align.js';
import type { Part } from '../types.js';
import type { Config } from './config.js';
import type { Head } from './head.js';
import type { History } from './history.js';
import type { Situation } from './situation.js';
import type { Summaries } from './summaries.js';

/** Fits the history into the target of an epoch, in steps; returns it with what of it is sent. */
export function* choosing(config: Config, aligned: Aligned, situation: Situation): Steps<Aligned> {
  const sent = yield* chosenOf(config, aligned, situation);
  if (config.options.thinking === 'keep' || !isOver(sent, aligned, { ...situation, pins: [] })) return { ...aligned, sent };
  // No signed thinking is left, so that what it was signed over may be written shorter.
  const history = yield* aligned.state.counter.withShorter(aligned.history);
  if (history === undefined) return { ...aligned, sent };
  return { ...aligned, history, sent: yield* chosenOf(config, { ...aligned, history }, situation) };
}

/** What is sent: with the head of the last request, if that pays and costs nothing that has to stay; otherwise of all there is. */
function* chosenOf(config: Config, aligned: Aligned, situation: Situation): Steps<Sent> {
  const sent = yield* chosenBehind(config, aligned, situation);
  return sent ?? (yield* chosenAnew(config, aligned, situation));
}

/** What is sent where the head of the last request stays as it was sent; undefined if it can't, or need not. */
function* chosenBehind(config: Config, aligned: Aligned, situation: Situation): Steps<Sent | undefined> {
  const { history, state } = aligned;
  const isSigned = () => config.options.thinking === 'keep' && history.entries.some((entry) => entry.isSigned);
  const isElse = config.summaries !== undefined || situation.exceeding !== undefined || history.compaction >= 0;
  // The first epoch has a head that nobody chose, which may be long.
  if (!situation.isWarm || aligned.sent.edits.length === 0 || state.isLossy || isElse || isSigned()) return undefined;
  const budget = budgetFor(aligned, situation);
  const head = yield* headed(aligned, budget);
  if (head === undefined) return undefined;
  // What has to stay beside the newest messages may leave them no room.
  for (const whole of new Set([situation.whole, 0])) {
    const sent = yield* fittedBehind(config, aligned, { ...situation, whole }, head);
    if (sent === undefined) return undefined;
    if (sent.tokens <= budget && sent.lostDuties === 0 && !sent.cutsLastWords && !isOver(sent, aligned, situation)) return sent;
  }
  return undefined;
}

/** What is sent with as many of the pins, the first ones first, as what has to stay beside them leaves room for. */
function* chosenAnew(config: Config, aligned: Aligned, situation: Situation): Steps<Sent> {
  const { pins } = situation;
  const all = yield* chosenWith(config, aligned, situation);
  if (pins.length === 0 || !isOver(all, aligned, situation)) return all;
  const first = (count: number) => ({ ...situation, pins: pins.slice(0, count) });
  let best = yield* chosenWith(config, aligned, first(0));
  let [within, over] = [0, isOver(best, aligned, first(0)) ? 1 : pins.length];
  while (over - within > 1) {
    const middle = Math.floor((within + over) / 2);
    const sent = yield* chosenWith(config, aligned, first(middle));
    if (isOver(sent, aligned, first(middle))) over = middle;
    else [within, best] = [middle, sent];
  }
  return best;
}

function* chosenWith(config: Config, aligned: Aligned, situation: Situation): Steps<Sent> {
  const { target, ceiling, whole, factor, pins } = situation;
  const first = yield* fitted(config, aligned, { pins, target, whole });
  // What has to stay beside the newest messages may leave them no room, and they may leave none for the rules.
  const isTooMuch = isOver(first, aligned, situation);
  const other = whole > 0 && (isTooMuch || first.lostRules > 0) ? yield* fitted(config, aligned, { pins, target, whole: 0 }) : first;
  const sent = isTooMuch || other.lostRules < first.lostRules ? other : first;
  if (!sent.cutsLastWords) return sent;
  // The target has no room for the user's last words, and the limit may have.
  const words = aligned.history.entries.findLast(({ role }) => role === 'user')?.tokens ?? 0;
  for (const larger of [target + words * factor, ceiling]) {
    const other = yield* fitted(config, aligned, { pins, target: Math.min(larger, ceiling), whole });
    if (!other.cutsLastWords && !isOver(other, aligned, situation)) return other;
  }
  return sent;
}

/** Whether what an epoch chose exceeds the limit, with what is pinned. */
const isOver = (sent: Sent, { state }: Aligned, { limit, factor, pins }: Situation) =>
  (requestOf(state) + sent.tokens + pinnedTokens(pins)) * factor > limit;

/** What an epoch leaves: so many tokens with those of `pins`, and so many of the newest messages whole. */
type Leaving = Pick<Situation, 'pins' | 'target' | 'whole'>;

/** Tokens that an epoch leaves of the history. */
const budgetFor = ({ state }: Aligned, { pins, target }: Leaving) => Math.max(0, budgetOf(state.units, target) - pinnedTokens(pins));

function* fitted(config: Config, aligned: Aligned, leaving: Leaving): Steps<Sent> {
  const { history } = aligned;
  const fitting = yield* opening(config, aligned, leaving);
  try {
    const budget = budgetFor(aligned, leaving);
    if (fitting.fits(budget)) return yield* Sent.making(history, fitting, fitting.whole());
    const notes = config.summaries ? yield* config.summaries.noting(fitting, budget) : [];
    return yield* Sent.making(history, fitting, yield* fitting.searching(budget, notes));
  } finally {
    fitting.close();
  }
}

/** Fits what follows the head; undefined if that would not stay as it was sent. */
function* fittedBehind(config: Config, aligned: Aligned, leaving: Leaving, head: Head): Steps<Sent | undefined> {
  const { counter } = aligned.state;
  const fitting = yield* opening(config, aligned, leaving, head);
  try {
    const made = yield* fitting.searching(budgetFor(aligned, leaving), []);
    const edits = yield* behindHead(head, fitting, made);
    if (edits === undefined) return undefined;
    const sent = yield* Sent.writing(aligned.history, aligned.history.length, edits, counter);
    return sent.choosing(made.choice);
  } finally {
    fitting.close();
  }
}

/** @param head what stays as it was sent, if something does */
function* opening(config: Config, aligned: Aligned, { pins, whole }: Leaving, head?: Head): Steps<Fitting> {
  const { options, isOffered, texts } = config;
  const { state, history, sent } = aligned;
  const { format, counter } = state;
  const { tokenizer, tokenCounter, system, tools, thinking, query, prune } = options;
  const messages = head?.messages ?? history.messages();
  const parts = head?.parts ?? (yield* format.reading(messages));
  const from = head && staleBehind(history, head);
  const stale = thinking !== 'strip' ? Infinity : (from ?? staleFrom(history, parts, sent));
  const exceeded = exceedingIn(counter, history);
  /** How many messages more the history has up to a message behind the head. */
  const more = head === undefined ? 0 : head.end - head.count;
  const pinned = pins.flatMap(({ pin: { message } }) => (message === undefined || message < (head?.end ?? 0) ? [] : [message - more]));
  const fitted = {
    tokenizer,
    tokenCounter,
    system,
    tools,
    thinking,
    keep: {
      ...options.keep,
      recent: Math.max(whole, options.keep?.recent ?? 0),
      pinned: [...Array(head?.count ?? 0).keys(), ...pinned],
    },
    query,
    prune,
    numbers: isOffered ? more : undefined,
    // What was taken out stays out.
    exceeding: exceeded && { ...exceeded, gone: sent.edits.map(({ part }) => part) },
    askedAgain,
  };
  const conversation = { messages, parts, format, stale, carried: {} };
  return yield* openingAny(conversation, fitted, texts.facts);
}

/** The first message with thinking that was signed over something else than the whole history: also over what was added to it. */
function staleFrom({ entries }: History, parts: readonly Part[], { edits }: Sent) {
  const known = entries.findIndex(({ isStale, isSigned }) => isStale && isSigned);
  const edited = edits.length === 0 ? undefined : parts.find(({ signed }, index) => signed && index > edits[0].part);
  return Math.min(known < 0 ? Infinity : known, edited?.message ?? Infinity);
}

/** The same of a conversation with a head that stays: of what follows, all was signed over what is no more there if something was edited. */
function staleBehind({ entries }: History, { count, end, edits, parts }: Head) {
  const isStale = ({ signed, message }: Part) => signed && message >= count && (edits.length > 0 || entries[message - count + end].isStale);
  return parts.find(isStale)?.message ?? Infinity;
}

/** Requests summaries of the messages that the next epoch would drop, in the background. */
export function* askingAhead(config: Config, summaries: Summaries, aligned: Aligned, situation: Situation): Steps<void> {
  const fitting = yield* opening(config, aligned, situation);
  try {
    yield* summaries.asking(fitting, budgetFor(aligned, situation));
  } finally {
    fitting.close();
  }
}
