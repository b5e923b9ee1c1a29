import type { Steps } from '../steps.js';
import type { Counter } from './counter.js';
import type { Entry } from './history.js';

/** Messages that were read. */
interface Read {
  given: readonly object[];
  before: readonly object[];
  entries: Entry[];
}

const areSame = (some: readonly object[], others: readonly object[]) =>
  some.length === others.length && some.every((one, index) => one === others[index]);

/**
 * What is read of messages that several sessions get, which have the same options but for their limits: each message is read and counted once. The
 * caller changes none of them.
 */
export class Reads {
  /** By the first message. */
  #known = new WeakMap<object, Read>();

  /** As `Counter.reading`. */
  *reading(counter: Counter, given: readonly object[], before: readonly object[]): Steps<Entry[]> {
    let read = this.#known.get(given[0]);
    if (read === undefined || !areSame(read.given, given) || !areSame(read.before, before)) {
      read = { given, before, entries: yield* counter.reading(given, before) };
      this.#known.set(given[0], read);
    }
    // Each session changes its own.
    return read.entries.map((entry) => ({ ...entry }));
  }
}
