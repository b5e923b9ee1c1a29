'use strict';

const { rules } = require('./rules.js');

/** @typedef {(string | number)[]} Path where something stands in the messages, e.g. `[14, 'content', 2]` */

/** `[14, 'content', 2]` → `'messages[14].content[2]'` */
function render(path) {
  return path.reduce((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${key}`), 'messages');
}

/** The indices of a path, which alone decide what stands first: keys of one message have no order that matters. */
const indices = (path) => path.filter((key) => typeof key === 'number');

function compare(a, b) {
  for (let level = 0; level < a.length && level < b.length; level++) {
    if (a[level] !== b[level]) return a[level] - b[level];
  }
  return a.length - b.length;
}

/** Collects what is wrong; a call that nothing answers is known only after what follows it, so the order is made at the end. */
class Problems {
  #found = [];

  /**
   * @param {keyof typeof rules} rule
   * @param {Path} path
   * @param {string} what what stands there, with its id
   */
  add(rule, path, what) {
    this.#found.push({ position: indices(path), problem: { rule, path: render(path), message: `${what}: ${rules[rule].why}` } });
  }

  /** The problems by position; those of one place in the order in which they were found. */
  sorted() {
    return this.#found.sort((a, b) => compare(a.position, b.position)).map(({ problem }) => problem);
  }
}

module.exports = { Problems };
