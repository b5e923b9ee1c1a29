// @ts-check
'use strict';

const native = require('../native.js');
const { recall } = require('../tokens/memory.js');
const { canonicalTexts } = require('./canonical.js');

/**
 * Version of the fingerprints in an entry of `originals`: those of messages without what surface.js describes. Those of version 2 are
 * of all that messages hold; entries without a version hold those of sampled.js.
 */
const HASH = 3;
/** The length of a fingerprint. */
const PRINT = 11;

/**
 * Fingerprints of values, by which they are known again: 64-bit hashes of all that they hold, as eleven characters. Equal before
 * and after a trip through JSON, whatever the order of keys.
 *
 * @param {readonly unknown[]} values
 * @returns {string[]}
 * @throws {TypeError} a value is circular
 */
const fingerprintsOf = (values) => hashed(canonicalTexts(values, false));

/** Returns those of messages without what surface.js describes. */
const messagePrints = (messages) => hashed(canonicalTexts(messages, true));

const hashed = ({ pieces, short, strings }) => apart(native.fingerprints(pieces, short, strings));

/** Returns the fingerprint of one value. {@link fingerprintsOf} costs less for several. */
const fingerprintOf = (value) => fingerprintsOf([value])[0];

/**
 * Fingerprints of messages, each computed once: most messages stay the same objects from round to round. Those of messages whose tokens were
 * counted are remembered from call to call.
 */
class Fingerprints {
  #printsOf;
  #memoryOf;
  #known = new Map();

  /**
   * @param {(messages: object[]) => string[]} [printsOf] how they are computed
   * @param {typeof memoryOf} [known] as `memoryOf`, where the caller has asked it of most messages
   */
  constructor(printsOf = messagePrints, known = memoryOf) {
    this.#printsOf = printsOf;
    this.#memoryOf = known;
  }

  /** @returns {string[]} those of `messages`, in their order */
  of(messages) {
    const fresh = new Map();
    for (const message of messages) {
      if (this.#known.has(message) || fresh.has(message)) continue;
      const memory = this.#printsOf === messagePrints ? this.#memoryOf(message) : undefined;
      if (memory?.print === undefined) fresh.set(message, memory);
      else this.#known.set(message, memory.print);
    }
    if (fresh.size > 0) this.#learn([...fresh.keys()], [...fresh.values()]);
    return messages.map((message) => this.#known.get(message));
  }

  #learn(messages, memories) {
    this.#printsOf(messages).forEach((print, index) => {
      this.#known.set(messages[index], print);
      if (memories[index] !== undefined) memories[index].print = print;
    });
  }
}

/** Joins fingerprints to one text. */
const joined = (prints) => prints.join('');

/** Returns the fingerprints of a text that {@link joined} made. */
const apart = (text) => Array.from({ length: text.length / PRINT }, (_, index) => text.slice(PRINT * index, PRINT * (index + 1)));

/** Returns a fingerprint of a text that {@link joined} made; undefined if there is none. */
const printAt = (text, index) =>
  index >= 0 && text.length >= PRINT * (index + 1) ? text.slice(PRINT * index, PRINT * (index + 1)) : undefined;

/** Returns what is known of a message, where its fingerprint may be remembered: a `toJSON` may give another text each time. */
const memoryOf = (message) => (typeof message === 'object' && typeof message?.toJSON !== 'function' ? recall(message) : undefined);

module.exports = { apart, fingerprintOf, fingerprintsOf, Fingerprints, HASH, joined, memoryOf, messagePrints, PRINT, printAt };
