import { fingerprintsOf } from '../equality/fingerprint.js';
import { getIn } from '../providers/shared/copy.js';
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
export function* seeing(fresh: Entry[], { format, seen }: Ready, isChanged: boolean): Steps<ReadonlySet<string>> {
  const signed = fresh.filter(({ isSigned }) => isSigned);
  const all = signed.length === 0 ? seen : new Set(seen);
  for (let start = 0; start < signed.length; start += PER_STEP) {
    if (pace.isDue) yield;
    const entries = signed.slice(start, start + PER_STEP);
    const messages = entries.map(({ message }) => message);
    const parts = format.read(messages).filter((part) => part.signed);
    fingerprintsOf(parts.map(({ message, path }) => getIn(messages[message], path))).forEach((print, index) => {
      if (seen.has(print)) entries[parts[index].message].isStale = true;
      (all as Set<string>).add(print);
    });
  }
  if (isChanged) for (const entry of fresh) entry.isStale = true;
  return all;
}
