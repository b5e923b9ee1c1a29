// @ts-check
'use strict';

const { sampledFingerprint } = require('./sampled.js');

/** Finds what a cut left by the messages beside it: in originals of earlier versions, which knew no more. */
class Neighbours {
  #prints;
  /** For each kind of search its places, by what they are searched by. */
  #indices = new Map();

  constructor(messages) {
    this.#prints = messages.map(sampledFingerprint);
  }

  /**
   * The place of what a cut left, or in front of which it left nothing: where it was, or else where alone its neighbours stand; -1
   * where there is none.
   */
  find(entry) {
    if (entry.now.length === 0 && entry.before === null && entry.after === null) return 0;
    const print = [entry.before, ...entry.now, entry.after].join();
    return this.#around(entry, entry.at) === print ? entry.at : (this.#index(entry).get(print) ?? -1);
  }

  #index(entry) {
    const kind = `${entry.before === null} ${entry.now.length} ${entry.after === null}`;
    let index = this.#indices.get(kind);
    if (index) return index;
    index = new Map();
    this.#indices.set(kind, index);
    for (let at = 0; at + entry.now.length <= this.#prints.length; at++) {
      const print = this.#around(entry, at);
      index.set(print, index.has(print) ? -1 : at);
    }
    return index;
  }

  /**
   * What stands at a place, with its neighbours. In front of what stood at the start, and behind what stood at the end, anything may
   * have been added.
   */
  #around({ before, after, now }, at) {
    const end = at + now.length;
    const prints = this.#prints;
    return [before === null ? null : prints[at - 1], ...prints.slice(at, end), after === null ? null : prints[end]].join();
  }
}

module.exports = { Neighbours };
