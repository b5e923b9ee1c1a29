// @ts-check
'use strict';

const { show } = require('./shapes.js');

/** Calls that wait for their results. Each format says when it is too late: `close`. */
class Pairs {
  #problems;
  #open = new Map();
  #answered = new Set();

  /** @param {import('../types.d.ts').Problems} problems */
  constructor(problems) {
    this.#problems = problems;
  }

  /** A call; `path` is where it stands. */
  call(id, path) {
    if (this.#open.has(id)) return this.#problems.add('duplicate-tool-call', path, `a second call has the id ${show(id)}`);
    this.#open.set(id, path);
    this.#answered.delete(id); // some models use an id again, in a later exchange
  }

  /** A result; true if it answers a call that was waiting. */
  answer(id, path) {
    if (this.#open.delete(id)) {
      this.#answered.add(id);
      return true;
    }
    if (this.#answered.has(id)) this.#problems.add('duplicate-tool-result', path, `a second result answers the call ${show(id)}`);
    else this.#problems.add('tool-result-without-call', path, `no call before it has the id ${show(id)}`);
    return false;
  }

  /** Takes a call off the list that needs no result of its own. */
  excuse(id) {
    this.#open.delete(id);
  }

  /** From here on nothing can answer the calls before. `rule` may be a function of a call's path. */
  close(rule) {
    for (const [id, path] of this.#open) {
      this.#problems.add(typeof rule === 'function' ? rule(path) : rule, path, `nothing answers the call ${show(id)}`);
    }
    this.#open.clear();
    this.#answered.clear();
  }
}

module.exports = { Pairs };
