import { fingerprintsOf } from '../equality/fingerprint.js';
import { pace } from '../steps.js';
import type { Entry } from './history.js';
import type { Ready } from './state.js';
import type { Steps } from '../steps.js';

/** Number of messages whose thinking is read in one step. */
const PER_STEP = 64;

/**
 * Marks the new messages of a history whose signed thinking is stale, in steps. Thinking is signed over the request that it answers, so only
 * what is appended to the last request, and was never there before, can stand behind what it was signed over.
 *
 * @param isChanged whether they follow a change rather than the last request
 * @returns the fingerprints of all signed thinking that was ever in the history
 */
export function* seeing(fresh: Entry[], { seen }: Ready, isChanged: boolean): Steps<Ready['seen']> {
  const signed = fresh.filter(({ thoughts }) => thoughts.length > 0);
  const all = new Map<string, true>();
  for (let start = 0; start < signed.length; start += PER_STEP) {
    if (pace.isDue) yield;
    const entries = signed.slice(start, start + PER_STEP);
    const owners = entries.flatMap((entry) => entry.thoughts.map(() => entry));
    fingerprintsOf(entries.flatMap(({ thoughts }) => thoughts)).forEach((print, index) => {
      if (seen.has(print)) owners[index].isStale = true;
      all.set(print, true);
    });
    for (const entry of entries) entry.thoughts = [];
  }
  if (isChanged) for (const entry of fresh) entry.isStale = true;
  return seen.with(all);
}
