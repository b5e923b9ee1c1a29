// One request of a session, from top to bottom: each stage takes what the one before returned, and nothing is changed.

import { checkMessages } from '../given.js';
import { limitsReport } from '../fit/limits-report.js';
import { newKinds } from '../fit/unknown-kinds.js';
import { excessesOf } from '../limits/load.js';
import { pinning, recalling, telling } from './additions.js';
import { aligning } from './align.js';
import { marked } from './breakpoints.js';
import { faultsIn } from './faults.js';
import { inFormatOf } from './format.js';
import { cacheReport } from './misses.js';
import { changed, duePins, livePins, pinsAfter, pinsReport } from './pins.js';
import { createReport } from './report.js';
import { reusedWhole, written } from './request.js';
import { resumed } from './resume.js';
import { inUnits, leftOf, requestOf, situationOf, timeOf } from './situation.js';
import { START } from './state.js';
import { isOff } from '../switch.js';
import type { SessionStep } from '../../index.js';
import type { Steps } from '../steps.js';
import type { Aligned } from './align.js';
import type { Config } from './config.js';
import type { Billed } from './ledger.js';
import type { Faults } from './faults.js';
import type { Change, Due } from './pins.js';
import type { Sent } from './sent.js';
import type { Situation } from './situation.js';
import type { Ready, State } from './state.js';

/** Share of the limit from which summaries are requested ahead of an epoch. */
const AHEAD = 0.8;
/** Factor over its target from which an epoch has missed it. */
const MISSED = 1.02;

// Many requests begin no epoch.
const inEpoch = () => require('./epoch.js') as typeof import('./epoch.js');

/** What came of a request. */
export interface Advanced {
  /** the state after it */
  state: Ready;
  step: SessionStep<object>;
  billed: Billed;
  /** the state before it, in the format of the history */
  before: Ready;
  /** number of messages that both histories have */
  start: number;
  /** what an epoch had to do, where there was one */
  epoch: { cutsLastWords: boolean; losesRules: boolean; fixed: number; limit: number } | undefined;
}

/**
 * Chooses the next request, in steps. If that fails with a state that was saved, which may be damaged, it is chosen without it: an error of the
 * history comes again.
 *
 * @param changes of the pins, since the last request
 * @throws {TypeError} the history can't be read
 */
export function advance(config: Config, before: State, given: readonly object[], changes: readonly Change[]): Steps<Advanced> {
  const asked = { given, changes, isRefused: false };
  return before.saved === undefined ? advancing(config, before, asked) : resuming(config, before, asked);
}

/** What a step is asked. */
interface Asked {
  given: readonly object[];
  /** of the pins, since the last request */
  changes: readonly Change[];
  /** a saved state is taken for that of another history */
  isRefused: boolean;
}

function* resuming(config: Config, before: State, asked: Asked): Steps<Advanced> {
  try {
    return yield* advancing(config, before, asked);
  } catch {
    return yield* advancing(config, before, { ...asked, isRefused: true });
  }
}

function* advancing(config: Config, before: State, asked: Asked): Steps<Advanced> {
  const { given, changes, isRefused } = asked;
  checkMessages('next(): history', given);
  const read = yield* inFormatOf(config, before, given);
  const { state, isForeign } = yield* resumed(config, read, given, isRefused);
  const compared = yield* aligning(config, state, given);
  const time = timeOf(config);
  const pins = livePins(changed(state.pins, changes), compared.history, time);
  const aligned = { ...compared, state: { ...compared.state, pins } };
  if (isOff(config.options, 'createSession(): options'))
    return yield* passing(config, before, aligned, time, isForeign && before.history.length === 0);
  const due = yield* duePins(config, aligned);
  yield* aligned.history.weighing(aligned.state.counter);
  const situation = situationOf(config, aligned, before.counter, { time, pins: due });
  // The content that was counted too high may be what goes.
  if (before.units.beside < 0 && (situation.reason !== undefined || aligned.start < (before.saved?.length ?? state.history.length)))
    return yield* advancing(config, inUnits(before, { ...before.units, beside: 0 }), asked);
  const chosen = situation.reason === undefined ? aligned : yield* inEpoch().choosing(config, aligned, situation);
  const pinned = yield* pinning(config, chosen, chosen.sent, situation);
  const recalled = yield* recalling(config, chosen, pinned, situation);
  const sent = yield* telling(config, chosen, recalled, situation);
  yield* summarisingAhead(config, aligned, situation);
  const faults = yield* faultsIn(aligned.state, chosen.history, aligned.start);
  return finished(config, before, { aligned, chosen, sent, situation, faults, due, isForeign: isForeign && before.history.length === 0 });
}

/** Takes a request that goes out as it came: it is counted and reported, and the session goes on behind it. */
function* passing(config: Config, before: State, aligned: Aligned, time: number, isForeign: boolean): Steps<Advanced> {
  const history = aligned.history.asGiven(aligned.state.format.name);
  const whole = { ...aligned, history, sent: START.sent };
  yield* history.weighing(whole.state.counter);
  const situation = { ...situationOf(config, whole, before.counter, { time, pins: [] }), reason: undefined };
  const faults = yield* faultsIn(whole.state, history, whole.start);
  const { sent } = whole;
  return finished(config, before, { aligned: whole, chosen: whole, sent, situation, faults, due: [], isForeign, isOff: true });
}

/** Requests summaries before an epoch needs them, in steps. */
function* summarisingAhead(config: Config, aligned: Aligned, situation: Situation): Steps<void> {
  const { reason, tokens, limit } = situation;
  if (reason !== undefined || tokens <= AHEAD * limit || !config.summaries?.isDue(aligned.history)) return;
  yield* inEpoch().askingAhead(config, config.summaries, aligned, situation);
}

interface Chosen {
  aligned: Aligned;
  /** the history with what an epoch chose of it, or with what was sent before */
  chosen: Aligned;
  /** what is sent, with what was added to it */
  sent: Sent;
  situation: Situation;
  faults: Faults;
  /** the pins */
  due: readonly Due[];
  /** a saved state was that of another history */
  isForeign: boolean;
  /** the request goes out as it came */
  isOff?: boolean;
}

/** Writes the request, adds it to the ledger, and reports it. */
function finished(
  config: Config,
  last: State,
  { aligned, chosen, sent, situation, faults, due, isForeign, isOff = false }: Chosen,
): Advanced {
  const { state: before, start } = aligned;
  const { format, counter } = before;
  const { reason, cache, target, exceeding } = situation;
  const request = written(config, last, aligned, { history: chosen.history, sent }, situation);
  const { history, messages, tokens, reused, change, counts, by, scale } = request;
  const { limit, after } = counts;
  const { ledger, billed } = before.ledger.add({
    history,
    start,
    saved: history.savedSince(before.history, start, chosen.history !== aligned.history),
    tokens,
    all: request.all,
    reused: reused.tokens,
    front: isOff ? 0 : request.front,
    request: requestOf(before),
    limit: limit / situation.factor,
    scale,
    cache,
    isWarm: situation.isWarm,
    reason,
    faults: faults.count,
    change,
  });
  const names = history.entries.slice(start).flatMap((entry) => entry.unknown);
  const isWhole = reused.messages === before.last.messages.length && reused.tokens > 0;
  const forecast = {
    tokens: after,
    old: scale(request.old),
    isCounted: isWhole && before.units.factor !== undefined,
    // An earlier breakpoint is found only near one of this request.
    readable: scale(isWhole || !cache.ends ? reused.tokens : isOff || request.front > reused.tokens ? 0 : request.front),
    front: scale(requestOf(before) + history.tokens(0, history.lead)),
    isIdle: situation.isIdle,
    behind: request.behind,
    cache,
  };
  const { unknownKinds, told } = newKinds(names, before.kinds);
  const left = exceeding && leftOf(exceeding, counter, history, sent);
  const exceeded = left?.excesses ?? [];
  const fits = after <= limit && exceeded.length === 0;
  const isEpoch = reason !== undefined;
  const cutsLastWords = isEpoch && chosen.sent.cutsLastWords;
  const pinned = pinsReport(due, sent);
  const step = {
    fits,
    tokens: fits ? counts : { ...counts, minimum: after },
    ...(isEpoch ? ({ epoch: { number: ledger.epochs, reason, target } } satisfies Partial<SessionStep<object>>) : {}),
    report: createReport({
      format: format.name,
      isExact: situation.isExact,
      history,
      sent,
      messages,
      reused: { messages: reused.messages, tokens: scale(reused.tokens) },
      counts,
      reason,
      cutsLastWords,
      met: isEpoch ? chosen.sent.met : undefined,
      pins: pinned,
      isForeign,
      isOff,
      unknownKinds,
      change,
      cache: () => cacheReport(ledger.requests, forecast, { input: after, read: billed.cachedTokens, otherwise: 'unknown' }),
      limits: exceeding && left && limitsReport({ before: excessesOf(exceeding.load, exceeding.figures), load: left.load }),
    }),
  };
  const made = {
    length: history.length,
    reason: isOff ? ('off' as const) : reason,
    reused: config.options.cacheControl && !isOff ? reusedWhole(request, before.last) : undefined,
  };
  const state = {
    ...before,
    log: before.log.add(made, { format: format.name, sent, history, before: before.history, start }),
    history,
    sent,
    last: {
      messages,
      tokens,
      time: situation.time,
      reused: reused.tokens,
      cached: billed.cachedTokens,
      surplus: isEpoch ? 0 : situation.surplus,
      front: counter.frontPrints,
      forecast,
    },
    kinds: told,
    carried: isEpoch ? 0 : situation.carried,
    cutOff: undefined,
    exceeded: !isEpoch && exceeded.length > 0 ? before.exceeded : exceeded,
    // An immediate retry would not help.
    floor: !isEpoch ? before.floor : after > MISSED * target ? after : 0,
    isLossy: isEpoch ? chosen.sent.lostDuties > 0 : before.isLossy,
    ledger,
    results: faults.results,
    limit: { tokens: limit, by },
    pins: pinsAfter(before.pins, due, sent, isEpoch),
    pinned,
  };
  return {
    state,
    step: {
      messages: isOff ? messages : marked(config, format, messages, { last: reusedWhole(request, before.last), sent, history }),
      ...step,
    },
    billed,
    before,
    start,
    epoch: isEpoch ? { cutsLastWords, losesRules: chosen.sent.lostRules > 0, fixed: situation.fixed, limit } : undefined,
  };
}
