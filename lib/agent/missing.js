// @ts-check
'use strict';

/** @import { marksIn } from './stubs.js' */

/** @typedef {(message: object, index: number) => ReturnType<typeof marksIn>} MarksOf */

/**
 * The marks that are left in messages.
 *
 * @param {readonly object[]} messages
 * @param {{ found: Set<string>, missing: Set<string>, marksOf: MarksOf }} state `found`: the keys of what was restored; `missing`: those
 *   of what could not be, to which the others are added
 */
function lostIn(messages, { found, missing, marksOf }) {
  const marked = [];
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

/**
 * Returns what {@link import('./restore.js').restore} names in `missing` without any originals.
 *
 * @param {readonly object[]} messages
 * @param {MarksOf} marksOf
 */
const missingWithout = (messages, marksOf) => namesOf(lostIn(messages, { found: new Set(), missing: new Set(), marksOf }));

/** Returns what `missing` names: keys, and places of messages. Others write the short mark too, as excerpts of pages do. */
function namesOf({ missing, marked, isMarked }) {
  return isMarked || missing.length > 0 ? [...missing, ...marked.map((index) => `messages[${index}]`)] : [];
}

module.exports = { lostIn, missingWithout, namesOf };
