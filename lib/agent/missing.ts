import type { marksIn } from './stubs.js';
import type { restore } from './restore.js';

export type MarksOf = (message: object, index: number) => ReturnType<typeof marksIn>;

/**
 * The marks that are left in messages.
 *
 * @param state `found`: the keys of what was restored; `missing`: those
 * of what could not be, to which the others are added
 */
export function lostIn(
  messages: readonly object[],
  { found, missing, marksOf }: { found: Set<string>; missing: Set<string>; marksOf: MarksOf },
) {
  const marked: number[] = [];
  let isMarked = false;
  for (let index = 0; index < messages.length; index++) {
    const { keys, mark } = marksOf(messages[index], index);
    if (mark === undefined && keys.length === 0) continue;
    const lost = keys.filter((key) => !found.has(key));
    for (const key of lost) missing.add(key);
    if (mark !== undefined && lost.length === 0) marked.push(index);
    isMarked ||= mark === 'long';
  }
  return { missing: [...missing], marked, isMarked };
}

/** Returns what {@link restore} names in `missing` without any originals. */
export const missingWithout = (messages: readonly object[], marksOf: MarksOf) =>
  namesOf(lostIn(messages, { found: new Set(), missing: new Set(), marksOf }));

/** Returns what `missing` names: keys, and places of messages. Others write the short mark too, as excerpts of pages do. */
export function namesOf({ missing, marked, isMarked }: Pick<ReturnType<typeof lostIn>, 'missing' | 'marked' | 'isMarked'>) {
  return isMarked || missing.length > 0 ? [...missing, ...marked.map((index) => `messages[${index}]`)] : [];
}
