// @ts-check
'use strict';

// Which request a call of the recall tool answers. A wrong answer shows a user what somebody else wrote, so whatever is not certain is not
// known: ids that several requests have, and calls of an answer whose conversation went on without them.

/** @typedef {import('../../index.d.ts').Session} Session */

/** A request that a session chose the messages of. */
class Asked {
  /** Another request of the session has no more messages than this one: both answers follow the same history, and one of them may be somebody else's. */
  isRepeated = false;

  /** @param {Session} session @param {number} number of the request in its session @param {number} length number of its messages */
  constructor(session, number, length) {
    this.session = session;
    this.number = number;
    this.length = length;
  }

  /** Whether the session was given no later request: what it recalls is still of this one. */
  get isLast() {
    return latest.get(this.session) === this;
  }

  /** Whether this request contains the results of the calls that answered another one. @param {Asked} other */
  follows(other) {
    return this.session === other.session && this.number > other.number && this.length > other.length && !other.isRepeated;
  }
}

/** The last request of each session. @type {WeakMap<Session, Asked>} */
const latest = new WeakMap();

/**
 * Records that a session is about to be given a request.
 *
 * @param {Session} session
 * @param {readonly unknown[]} messages
 */
function ask(session, { length }) {
  const before = latest.get(session);
  const asked = new Asked(session, (before?.number ?? 0) + 1, length);
  if (before !== undefined && length <= before.length) before.isRepeated = asked.isRepeated = true;
  latest.set(session, asked);
  return asked;
}

/** Maximum number of ids that are known to be of no use. */
const MAX_LOST = 10_000;

/** The requests that the latest calls of the recall tool answer. */
class Calls {
  #max;
  /** @type {Map<string, Asked>} */
  #byText = new Map();
  /** Null: several requests have it. @type {WeakMap<object, Asked | null>} */
  #byObject = new WeakMap();
  /** Ids of which nobody can tell any more whose they are. @type {Set<string>} */
  #lost = new Set();

  /** @param {number} max number of calls whose requests are remembered */
  constructor(max) {
    this.#max = max;
  }

  /**
   * @param {unknown} key a text or an object that may identify a call
   * @param {Asked | null} asked null: a request that no session chose the messages of
   * @param {boolean} [isUnique] no other conversation has the key
   */
  add(key, asked, isUnique = false) {
    if (key !== null && typeof key === 'object') this.#byObject.set(key, kept(this.#byObject.get(key), asked, isUnique));
    if (typeof key !== 'string' || key === '') return;
    const one = kept(this.#textual(key), asked, isUnique);
    this.#byText.delete(key);
    this.#lost.delete(key);
    if (one === null) return this.#lose(key);
    this.#byText.set(key, one);
    if (this.#byText.size <= this.#max) return;
    // Whose id it was is forgotten, but not that it was somebody's.
    const [oldest] = this.#byText.keys();
    this.#byText.delete(oldest);
    this.#lose(oldest);
  }

  /**
   * Returns the request of a call; null if it can't be told, undefined if nothing is known of these keys.
   *
   * @param {unknown[]} keys each may tell alone
   */
  of(keys) {
    const found = keys.map((key) => (key !== null && typeof key === 'object' ? this.#byObject.get(key) : this.#textual(key)));
    return found.find(Boolean) ?? (found.includes(null) ? null : undefined);
  }

  #textual(/** @type {any} */ key) {
    return this.#lost.has(key) ? null : this.#byText.get(key);
  }

  #lose(/** @type {string} */ key) {
    this.#lost.add(key);
    if (this.#lost.size > MAX_LOST) this.#lost.delete(/** @type {string} */ (this.#lost.values().next().value));
  }
}

/**
 * Returns the request that a key stands for from now on; null if that can't be told.
 *
 * @param {Asked | null | undefined} before
 * @param {Asked | null} asked
 * @param {boolean} isUnique
 */
function kept(before, asked, isUnique) {
  if (before === undefined || before === asked || isUnique) return asked;
  return before !== null && asked?.follows(before) ? asked : null;
}

module.exports = { ask, Calls };
