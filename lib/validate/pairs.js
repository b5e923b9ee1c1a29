// @ts-check
'use strict';

/** @import { Path, Problems, RuleName } from '../types.d.ts' */

const { show } = require('./shapes.js');

/** Tracks calls that wait for their results. Each format decides when it is too late: `close`. */
class Pairs {
  #problems;
  #open = new Map();
  #answered = new Set();

  /** @param {Problems} problems */
  constructor(problems) {
    this.#problems = problems;
  }

  /**
   * Adds a call at `path`.
   *
   * @param {string} id
   * @param {Path} path
   */
  call(id, path) {
    if (this.#open.has(id)) return this.#problems.add('duplicate-tool-call', path, `a second call has the id ${show(id)}`);
    this.#open.set(id, path);
    this.#answered.delete(id); // some models use an id again, in a later exchange
  }

  /**
   * Adds a result; returns whether it answers an open call.
   *
   * @param {string} id
   * @param {Path} path
   */
  answer(id, path) {
    if (this.#open.delete(id)) {
      this.#answered.add(id);
      return true;
    }
    if (this.#answered.has(id)) this.#problems.add('duplicate-tool-result', path, `a second result answers the call ${show(id)}`);
    else this.#problems.add('tool-result-without-call', path, `no call before it has the id ${show(id)}`);
    return false;
  }

  /**
   * Removes a call that needs no result.
   *
   * @param {string} id
   */
  excuse(id) {
    this.#open.delete(id);
  }

  /**
   * Reports the open calls: no later result can answer them. `rule` may be a function of a call's path.
   *
   * @param {RuleName | ((path: Path) => RuleName)} rule
   */
  close(rule) {
    for (const [id, path] of this.#open) {
      this.#problems.add(typeof rule === 'function' ? rule(path) : rule, path, `nothing answers the call ${show(id)}`);
    }
    this.#open.clear();
    this.#answered.clear();
  }
}

module.exports = { Pairs };
