// @ts-check
'use strict';

const { fingerprintsOf } = require('../agent/fingerprint.js');
const { isMarker, loneText } = require('../agent/breakpoints.js');
const { isSame, markersOf, printable } = require('./same.js');

/**
 * A message of the caller's history, with its tokens and properties.
 *
 * @typedef {object} Entry
 * @property {object} message what is sent of it while it is whole: the first object that said this, with these breakpoints
 * @property {unknown[]} snapshot what stood in `message`; see {@link snapshotOf}
 * @property {object} given the object in the latest history
 * @property {unknown[]} givenSnapshot what stood in `given`
 * @property {number} tokens
 * @property {'system' | 'user' | 'assistant' | 'tool'} role `tool` where it holds results
 * @property {boolean} isSigned it holds signed thinking
 * @property {boolean} isStale its thinking was signed behind something else than what is sent before it now
 * @property {string | undefined} print its fingerprint, once it was asked for
 */

/** Number of messages compared in one step. */
const PER_STEP = 16;

/** The messages of a history, in order. */
class History {
  /** @type {Entry[]} */
  entries = [];
  /** Prefix sums of the tokens. */
  #sums = [0];

  get length() {
    return this.entries.length;
  }

  /** The tokens of the messages from `start` to before `end`. */
  tokens(start = 0, end = this.length) {
    return this.#sums[end] - this.#sums[start];
  }

  messages(end = this.length) {
    return this.entries.slice(0, end).map(({ message }) => message);
  }

  /**
   * Counts the messages at the start of `given` that equal these, in steps, and lists those that are other objects now.
   *
   * @returns {import('../steps.js').Steps<{ count: number, others: { index: number, entry: Entry }[] }>} `others`: what is known of them then
   */
  *sharing(given) {
    const most = Math.min(this.length, given.length);
    const others = [];
    let count = 0;
    for (; count < most; count++) {
      if (count % PER_STEP === 0) yield;
      const entry = known(this.entries[count], given[count]);
      if (entry === undefined) break;
      if (entry !== this.entries[count]) others.push({ index: count, entry });
    }
    return { count, others };
  }

  /** The history with `others` in their places, and `fresh` in the place of everything from `start` on. */
  with(others, start, fresh) {
    if (others.length === 0 && fresh.length === 0 && start === this.length) return this;
    const next = new History();
    next.entries = [...this.entries.slice(0, start), ...fresh];
    for (const { index, entry } of others) next.entries[index] = entry;
    next.#sums = this.#sums.slice(0, start + 1);
    for (const { tokens } of fresh) next.#sums.push(next.#sums.at(-1) + tokens);
    return next;
  }

  /** Marks all thinking behind message `start` as stale: what is sent changes from there on. */
  markStale(start) {
    for (let index = start + 1; index < this.length; index++) this.entries[index].isStale = true;
  }

  /** The fingerprints of all messages. */
  prints() {
    return printsOf(this.entries);
  }
}

/** In place of a message that was changed since it was read: no message equals it. */
const CHANGED = 'changed in place';

/** The fingerprints of messages; each is computed once. */
function printsOf(entries) {
  const fresh = entries.filter(({ print }) => print === undefined);
  const values = fresh.map(({ message, snapshot }) => (isUntouched(snapshot, message) ? printable(message) : CHANGED));
  fingerprintsOf(values).forEach((print, index) => (fresh[index].print = print));
  return entries.map(({ print }) => print);
}

/** Returns the entry of an equal message, with its new object if there is one; undefined if the message differs. */
function known(entry, message) {
  if (message === entry.message && message === entry.given && FIXED.has(entry.snapshot)) return entry;
  const whole = wholeOf(entry);
  if (message === whole.given && isUntouched(whole.givenSnapshot, message)) return whole;
  if (message === whole.message)
    return isUntouched(whole.snapshot, message) ? { ...whole, given: message, givenSnapshot: whole.snapshot } : undefined;
  if (!isSame(whole.message, message)) return undefined;
  const snapshot = snapshotOf(message);
  const next = { ...whole, given: message, givenSnapshot: snapshot };
  // The caller's current breakpoints are sent.
  return markersOf(whole.message) === markersOf(message) ? next : Object.assign(next, { message, snapshot });
}

/** Returns the entry with a message that says what it said: another owner of the first object may have changed it in place. */
function wholeOf(entry) {
  if (entry.message === entry.given || isUntouched(entry.snapshot, entry.message)) return entry;
  return { ...entry, message: entry.given, snapshot: entry.givenSnapshot };
}

/**
 * Values in a message, two levels deep, which show a change in place without comparing every character. Breakpoints don't
 * count.
 */
function snapshotOf(message) {
  const values = [];
  visit(message, values, true);
  if (isFixed(message)) FIXED.add(values);
  return values;
}

/** Snapshots of messages that can't change any more, and so need no comparison. */
const FIXED = new WeakSet();

/** Whether an object and, down to the depth of a snapshot, those in it are frozen. Getters and prototypes of their own could still change. */
function isFixed(value, depth = 2) {
  if (!isNest(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && prototype !== Array.prototype) return false;
  if (!Object.isFrozen(value)) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    (property) => 'value' in property && (depth === 0 || isFixed(property.value, depth - 1)),
  );
}

const isUntouched = (snapshot, message) => visit(message, snapshot, false) === snapshot.length;

/** In place of a number of values: a value is another one than before. */
const OTHER = -1;

/**
 * Visits the values of a message's members, of its blocks and their members: adds them to `values`, or compares them with those. Every step
 * visits the whole history.
 *
 * @param {any} message
 * @param {unknown[]} values
 * @param {boolean} isNew whether `values` is to be filled
 * @returns {number} how many values there are, or {@link OTHER}
 */
function visit(message, values, isNew) {
  let next = 0;
  for (const key in message) {
    if (isMarker(key)) continue;
    const value = message[key];
    // A text with a breakpoint becomes a block.
    const lone = key === 'content' && typeof value !== 'string' ? loneText(value) : undefined;
    const shown = lone ?? value;
    if (isNew) values.push(shown);
    else if (values[next] !== shown) return OTHER;
    next++;
    if (lone !== undefined || !isNest(value)) continue;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && next !== OTHER; index++) next = visitBlock(value[index], values, next, isNew);
    } else {
      for (const place in value) if (next !== OTHER && !isMarker(place)) next = visitBlock(value[place], values, next, isNew);
    }
    if (next === OTHER) return OTHER;
  }
  return next;
}

/** {@link visit} for a block and its members; `next` values were visited before. */
function visitBlock(block, values, next, isNew) {
  if (isNew) values.push(block);
  else if (values[next] !== block) return OTHER;
  next++;
  if (!isNest(block)) return next;
  for (const name in block) {
    if (isMarker(name)) continue;
    const value = block[name];
    if (isNew) values.push(value);
    else if (values[next] !== value) return OTHER;
    next++;
  }
  return next;
}

/** The members of byte arrays are not compared. */
const isNest = (value) => value !== null && typeof value === 'object' && !ArrayBuffer.isView(value);

module.exports = { History, snapshotOf };
