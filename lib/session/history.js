'use strict';

const { fingerprintsOf } = require('../agent/fingerprint.js');
const { isSame, isMarker, markersOf, unmarked } = require('./same.js');

/**
 * A message of the caller's history, and what is known of it.
 *
 * @typedef {object} Entry
 * @property {object} message what is sent of it while it is whole: the first object that said this
 * @property {object} given the object in the latest history
 * @property {unknown[]} snapshot what stood in `given`; see {@link snapshotOf}
 * @property {number} tokens
 * @property {'system' | 'user' | 'assistant' | 'tool'} role `tool` where it holds results
 * @property {boolean} isSigned it holds signed thinking
 * @property {boolean} isStale its thinking was signed behind something else than what is sent before it now
 * @property {string} [print] its fingerprint, once it was asked for
 */

/** The messages of the latest history, in order. */
class History {
  /** @type {Entry[]} */
  entries = [];
  /** The tokens of the first so many messages. */
  #sums = [0];

  get length() {
    return this.entries.length;
  }

  /** The tokens of the messages from `start` to before `end`. */
  tokens(start = 0, end = this.length) {
    return this.#sums[end] - this.#sums[start];
  }

  get messages() {
    return this.entries.map(({ message }) => message);
  }

  /** How many messages at its start `given` has in common with what is known. */
  shared(given) {
    const most = Math.min(this.length, given.length);
    let count = 0;
    while (count < most && holds(this.entries[count], given[count])) count++;
    return count;
  }

  /** The history with `fresh` in the place of everything from `start` on. */
  with(start, fresh) {
    const next = new History();
    next.entries = [...this.entries.slice(0, start), ...fresh];
    next.#sums = this.#sums.slice(0, start + 1);
    for (const { tokens } of fresh) next.#sums.push(next.#sums.at(-1) + tokens);
    return next;
  }

  /** The fingerprints of all messages; each is computed once. */
  prints() {
    const fresh = this.entries.filter(({ print }) => print === undefined);
    fingerprintsOf(fresh.map(({ message }) => unmarked(message))).forEach((print, index) => (fresh[index].print = print));
    return this.entries.map(({ print }) => print);
  }
}

/** Whether a message is still what is known; one that is equal, but another object, is remembered. */
function holds(entry, message) {
  if (message === entry.given && isUntouched(entry.snapshot, message)) return true;
  if (message === entry.message || !isSame(entry.message, message)) return false;
  // The caller's breakpoints are sent as they are now.
  if (markersOf(entry.message) !== markersOf(message)) entry.message = message;
  entry.given = message;
  entry.snapshot = snapshotOf(message);
  return true;
}

/**
 * What stands in a message, two levels deep: by it a change in place is noticed without a look at every letter. Breakpoints don't
 * count.
 */
function snapshotOf(message) {
  const values = [];
  visit(message, (value) => values.push(value) > 0);
  return values;
}

function isUntouched(snapshot, message) {
  let next = 0;
  return visit(message, (value) => value === snapshot[next++]) && next === snapshot.length;
}

/** Shows the values of a message's members, of its blocks and their members; ends with the first that `look` says no to. */
function visit(message, look) {
  for (const key in message) {
    const value = message[key];
    if (isMarker(key)) continue;
    if (!look(value)) return false;
    if (value === null || typeof value !== 'object') continue;
    for (const place in value) {
      const block = value[place];
      if (isMarker(place)) continue;
      if (!look(block)) return false;
      if (block === null || typeof block !== 'object') continue;
      for (const name in block) if (!isMarker(name) && !look(block[name])) return false;
    }
  }
  return true;
}

module.exports = { History, snapshotOf };
