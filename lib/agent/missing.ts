import { pace } from '../steps.js';
import type { Steps } from '../steps.js';
import type { marksIn } from './stubs.js';
import type { restore } from './restore.js';

/** What can't be restored: keys, and the messages with marks; `isMarked`: one of them has a long mark. */
export interface Lost {
  missing: string[];
  marked: number[];
  isMarked: boolean;
}

export type MarksOf = (message: object, index: number) => ReturnType<typeof marksIn>;

/**
 * The marks that are left in messages, in steps.
 *
 * @param state `found`: the keys of what was restored; `missing`: those
 * of what could not be, to which the others are added
 */
export function* lostIn(
  messages: readonly object[],
  { found, missing, marksOf }: { found: Set<string>; missing: Set<string>; marksOf: MarksOf },
): Steps<Lost> {
  const marked: number[] = [];
  let isMarked = false;
  for (let index = 0; index < messages.length; index++) {
    if (pace.isDue) yield;
    const { keys, mark } = marksOf(messages[index], index);
    if (mark === undefined && keys.length === 0) continue;
    const lost = keys.filter((key) => !found.has(key));
    for (const key of lost) missing.add(key);
    if (mark !== undefined && lost.length === 0) marked.push(index);
    isMarked ||= mark === 'long';
  }
  return { missing: [...missing], marked, isMarked };
}

/** Returns what {@link restore} names in `missing` without any originals, in steps. */
export function* missingWithout(messages: readonly object[], marksOf: MarksOf): Steps<string[]> {
  return namesOf(yield* lostIn(messages, { found: new Set(), missing: new Set(), marksOf }));
}

/** Returns what `missing` names: keys, and places of messages. Others write the short mark too, as excerpts of pages do. */
export function namesOf({ missing, marked, isMarked }: Lost) {
  return isMarked || missing.length > 0 ? [...missing, ...marked.map((index) => `messages[${index}]`)] : [];
}
