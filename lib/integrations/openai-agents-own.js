// @ts-check
'use strict';

/**
 * The messages that a run was given, in requests to which a filter is applied. The SDK stores these in its session as the filter returns
 * them, so they have to go out whole: shortened ones would be lost, and for removed ones it would store another item in their place. All
 * other items it stores as they were.
 */
class OwnMessages {
  /** @type {WeakSet<object>} */
  #own = new WeakSet();

  /**
   * Learns them from the first request of a run, at whose end they stand: behind the answers of earlier runs.
   *
   * @param {readonly any[]} input
   */
  learn(input) {
    for (let index = input.length - 1; index >= 0 && isGiven(input[index]); index--) this.#own.add(input[index]);
  }

  /**
   * Puts them back where a shorter one stands in their place, or none.
   *
   * @param {readonly any[]} input
   * @param {any[]} sent the same items, some of them shortened or removed
   * @returns {any[]} `sent` if they are in it
   */
  putBack(input, sent) {
    const whole = new Set(sent);
    if (!input.some((item) => this.#own.has(item) && !whole.has(item))) return sent;
    const before = new Set(input);
    const result = [];
    let left = sent.length - 1;
    for (let index = input.length - 1; index >= 0; index--) {
      const item = input[index];
      const last = sent[left];
      const isThere = last === item || (last !== undefined && !before.has(last) && isCopy(last, item));
      if (isThere) left--;
      if (this.#own.has(item)) result.push(item);
      else if (isThere) result.push(last);
    }
    return result.reverse();
  }
}

/** @param {any} item */
const isGiven = (item) => (item?.type === undefined || item.type === 'message') && (item?.role === 'user' || item?.role === 'system');

/** Returns whether an item can be the shortened other one. @param {any} copy @param {any} item */
const isCopy = (copy, item) => ['type', 'role', 'id', 'callId'].every((key) => copy[key] === item[key]);

module.exports = { OwnMessages };
