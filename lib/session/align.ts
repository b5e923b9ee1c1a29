import { checkFormat } from '../providers/index.js';
import { Sent } from './sent.js';
import { seeing } from './thinking.js';
import type { Steps } from '../steps.js';
import type { Config } from './config.js';
import type { History } from './history.js';
import type { Ready } from './state.js';

export interface Aligned {
  /** as it was before the step */
  state: Ready;
  history: History;
  /** number of messages at the start that both histories have */
  start: number;
  sent: Sent;
  /** the provider compacted it since: it goes on from there */
  isCompacted: boolean;
}

/**
 * Compares a history with the last one: the messages that both have, and the part of the last request that is still valid; in steps.
 *
 * @throws {TypeError} a message is not what its format has
 */
export function* aligning({ options, isFormatGiven, reads }: Config, before: Ready, given: readonly object[]): Steps<Aligned> {
  const { format, counter, cutOff } = before;
  const isStripping = options.thinking === 'strip';
  const { count: start, others } = yield* before.history.sharing(given);
  // A format that the caller named is read as by `fit`: with whatever else a message has.
  if (!isFormatGiven) checkFormat(given, format, start);
  const fresh = yield* reading(given, start, before, reads);
  const history = before.history.with(others, start, fresh, format.name);
  const seen = yield* seeing(fresh, before, start < before.history.length || cutOff !== undefined);
  const isCompacted = history.compaction >= start;
  // What the last requests carried is gone: the provider compacted it, or the caller, who goes on with another beginning.
  const isAnew = isCompacted || start <= history.lead;
  const state = isAnew ? { ...before, seen, carried: 0, floor: 0 } : { ...before, seen };
  const isStale = isStripping && fresh.some((entry) => entry.isStale && entry.isSigned);
  let { sent } = before;
  if (isCompacted) sent = yield* Sent.compacted(history, counter, options.keep, isStripping);
  else if (start < sent.covered || isStale || cutOff !== undefined)
    sent = yield* sent.reopening(history, start, counter, isStripping, cutOff);
  else if (sent.isOutdated(history, others)) sent = yield* Sent.writing(history, sent.covered, sent.edits, counter, sent.epoch);
  return { state, history, start, sent, isCompacted };
}

function* reading(given: readonly object[], start: number, { counter, format, history }: Ready, reads: Config['reads']) {
  if (start === given.length) return [];
  try {
    const [fresh, round] = [given.slice(start), history.roundBefore(start)];
    return yield* reads === undefined ? counter.reading(fresh, round) : reads.reading(counter, fresh, round);
  } catch (error) {
    // Errors name the place in the whole history.
    if (start > 0 && error instanceof TypeError) format.read(given);
    throw error;
  }
}
