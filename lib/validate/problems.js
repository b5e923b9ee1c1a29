// @ts-check
'use strict';

/** @import { Foreign, Path } from '../types.d.ts' */

const { rules } = require('./rules.js');
const { isObject, show } = require('./shapes.js');

/**
 * `[14, 'content', 2]` → `'messages[14].content[2]'`
 *
 * @param {Path} path
 */
function render(path) {
  let text = 'messages';
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : `.${key}`;
  return text;
}

/**
 * Compares paths by their indices: the keys of an object have no order.
 *
 * @param {Foreign} value
 * @param {Foreign} value
 */
function compare({ path: a }, { path: b }) {
  for (let level = 0; level < a.length && level < b.length; level++) {
    if (a[level] !== b[level] && typeof a[level] === 'number' && typeof b[level] === 'number') return a[level] - b[level];
  }
  return a.length - b.length;
}

/** Collects problems. They are sorted at the end, because an unanswered call is found only after later messages. */
class Problems {
  #found = [];

  /**
   * @param {keyof typeof rules} rule
   * @param {Path} path where it stands in the messages
   * @param {string} what the value there, with its id
   */
  add(rule, path, what) {
    this.#found.push({ rule, path, message: `${what}: ${rules[rule].why}` });
  }

  /**
   * Yields the entries that are objects, each with its index; reports any other.
   *
   * @param {readonly Foreign[]} entries
   * @param {string} [what] what an entry is
   * @returns {Generator<[number, Foreign]>}
   */
  *objects(entries, what = 'a message') {
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index];
      if (isObject(entry)) yield [index, entry];
      else this.add('message-shape', [index], `${what} has to be an object, not ${show(entry)}`);
    }
  }

  /** Returns the problems by position; at one place, the wider first. */
  sorted() {
    return this.#found.sort(compare).map(({ rule, path, message }) => ({ rule, path: render(path), message }));
  }
}

module.exports = { Problems };
