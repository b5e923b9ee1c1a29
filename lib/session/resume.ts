// The state that another session saved, once the history that it belongs to comes.

import { converted, formatFor, withFormat } from './format.js';
import type { Steps } from '../steps.js';
import type { Config } from './config.js';
import type { Saved } from './saved.js';
import type { Ready } from './state.js';

/**
 * Returns the saved state with the messages it was saved with, in steps; the one that is given where nothing was saved, or for another history.
 *
 * @param isRefused what was saved is taken for that of another history
 * @returns `isForeign`: it is that of another history
 */
export function* resumed(
  config: Config,
  state: Ready,
  given: readonly object[],
  isRefused: boolean,
): Steps<{ state: Ready; isForeign: boolean }> {
  const { saved } = state;
  if (saved === undefined) return { state, isForeign: false };
  const known = { ...state, seen: state.seen.with(new Map(saved.seen.map((print) => [print, true]))), saved: undefined };
  const taken = isRefused ? undefined : yield* inItsFormat(config, saved, given, known);
  if (taken !== undefined)
    return { state: { ...taken, ledger: saved.ledger, log: saved.log, pins: saved.json.pins ?? [], tags: saved.tags }, isForeign: false };
  // Nobody knows over what the thinking of another history was signed.
  return { state: saved.length > 0 && state.history.length === 0 ? { ...known, cutOff: 0 } : known, isForeign: true };
}

/** Takes up a saved state; one that was saved before the history showed its format in the format that was assumed then. */
function* inItsFormat(config: Config, saved: Saved, given: readonly object[], state: Ready): Steps<Ready | undefined> {
  const { takeUp } = require('./saved.js') as typeof import('./saved.js');
  const { format, isFormatShown } = saved.json;
  if (format === undefined || format === state.format.name) return yield* takeUp(saved, given, state);
  if (isFormatShown !== false) return undefined;
  const assumed = withFormat(config, state, formatFor(config, format), false, state.counter);
  const taken = yield* takeUp(saved, given, assumed);
  return taken && (yield* converted(config, taken, state.format, state.isFormatShown, state.counter));
}
