import { sampledFingerprint } from './sampled.js';
import type { Foreign } from '../types.js';

/** Finds the places of cuts in originals of earlier versions, which know only the messages beside a cut. */
export class Neighbours {
  #prints;
  /** For each kind of search an index of places. */
  #indices = new Map<string, Map<string, number>>();

  constructor(messages: readonly Foreign[]) {
    this.#prints = messages.map(sampledFingerprint);
  }

  /**
   * Returns the place of the messages that a cut left, or before which it left none: its old place, or the only one with its
   * neighbours; -1 if there is none.
   */
  find(entry: Foreign) {
    if (entry.now.length === 0 && entry.before === null && entry.after === null) return 0;
    const print = [entry.before, ...entry.now, entry.after].join();
    return this.#around(entry, entry.at) === print ? entry.at : (this.#index(entry).get(print) ?? -1);
  }

  #index(entry: Foreign) {
    const kind = `${entry.before === null} ${entry.now.length} ${entry.after === null}`;
    const known = this.#indices.get(kind);
    if (known) return known;
    const index = new Map<string, number>();
    this.#indices.set(kind, index);
    for (let at = 0; at + entry.now.length <= this.#prints.length; at++) {
      const print = this.#around(entry, at);
      index.set(print, index.has(print) ? -1 : at);
    }
    return index;
  }

  /**
   * Joins the fingerprints at a place and beside it. Anything may have been added before the start and after the end.
   */
  #around({ before, after, now }: Foreign, at: number) {
    const end = at + now.length;
    const prints = this.#prints;
    return [before === null ? null : prints[at - 1], ...prints.slice(at, end), after === null ? null : prints[end]].join();
  }
}
