// @ts-check
'use strict';

/**
 * A number for each distinct value, in order of first use.
 *
 * @template T
 */
class Numbered {
  /** @type {T[]} */
  values = [];
  /** @type {Map<T, number>} */
  #numbers = new Map();

  /**
   * The number of a value; equal ones have the same.
   *
   * @param {T} value
   */
  number(value) {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      this.#numbers.set(value, number);
    }
    return number;
  }
}

module.exports = { Numbered };
