import { checkFormat } from '../formats/index.js';
import { Sent } from './sent.js';
import { seeing } from './thinking.js';
import type { State } from './state.js';
import type { Steps } from '../steps.js';
import type { History } from './history.js';

export interface Aligned {
  state: State;
  history: History;
  /** number of messages at the start that both histories have */
  start: number;
  sent: import('./sent.js').Sent;
}

/**
 * Compares a history with the last one: the messages that both have, and the part of the last request that is still valid; in steps.
 *
 * @param options whether thinking is removed that was signed after other messages; and whether
 * the caller named the format, which is then read as by `fit`: with whatever else a message has
 * @throws {TypeError} a message is not what its format has
 */
export function* aligning(
  before: State,
  given: object[],
  { isStripping, isFormatGiven }: { isStripping: boolean; isFormatGiven: boolean },
): Steps<Aligned> {
  const { format, counter, cutOff } = before;
  const { count: start, others } = yield* before.history.sharing(given);
  if (!isFormatGiven) checkFormat(given, format, start);
  const fresh = yield* reading(given, start, before);
  const history = before.history.with(others, start, fresh);
  const state = { ...before, seen: yield* seeing(fresh, before, start < before.history.length || cutOff !== undefined) };
  const isStale = isStripping && fresh.some((entry) => entry.isStale && entry.isSigned);
  let { sent } = before;
  if (start < sent.covered || isStale || cutOff !== undefined) sent = yield* sent.reopening(history, start, counter, isStripping, cutOff);
  else if (sent.isOutdated(history, others)) sent = yield* Sent.writing(history, sent.covered, sent.edits, counter, sent.epoch);
  return { state, history, start, sent };
}

function* reading(given: readonly object[], start: number, { counter, format }: State) {
  if (start === given.length) return [];
  try {
    return yield* counter.reading(given.slice(start));
  } catch (error) {
    // Errors name the place in the whole history.
    if (start > 0 && error instanceof TypeError) format.read(given);
    throw error;
  }
}
