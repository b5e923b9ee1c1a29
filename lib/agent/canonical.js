// @ts-check
'use strict';

const { CANONICAL_PIECE } = require('../generated/layout.js');
const { DATA, isBreakpoint, loneText, SHORTEST } = require('./breakpoints.js');

const { KNOWN, TEXT, LONG_TEXT, SCALAR, RAW, OBJECT, ARRAY, END, KIND_BITS } = CANONICAL_PIECE;

/** Maximum depth of a value. Deeper ones are circular, as a rule. */
const MAX_DEPTH = 20_000;
/** Maximum number of keys that are sorted by insertion, which takes less time than `sort` as long as they are few. */
const MAX_INSERTED = 16;
/** Maximum length of a text that gets a number, in UTF-16 code units: a look-up hashes the text. */
const MAX_KNOWN_TEXT = 32;
/** Maximum number of texts and scalars that get numbers. */
const MAX_KNOWN = 1 << 16;

/** Pieces of a message, as a rule. */
const PIECES_PER_TEXT = 16;

const OUT = Symbol('the end of an array or object');

/** A value in which no key is a breakpoint. */
class Data {
  constructor(value) {
    this.value = value;
  }
}

/** The pieces of canonical texts, as they are listed. */
class Pieces {
  /** Kinds and numbers, as `CANONICAL_PIECE` says, in memory that grows. */
  #pieces;
  #length = 0;
  /** @type {string[]} */
  strings = [];
  /** The numbers of short texts and of scalars. */
  #numbers = new Map();
  #pending = [];

  /** @param {number} texts how many there will be */
  constructor(texts) {
    this.#pieces = new Uint32Array(PIECES_PER_TEXT * texts + 8);
  }

  get pieces() {
    return this.#pieces.subarray(0, this.#length);
  }

  /**
   * Adds the text of a value; that of a message is without its cache breakpoints, and with a single text block as the text alone.
   *
   * @param {unknown} value
   * @param {boolean} isMessage
   * @throws {TypeError} the value is circular
   */
  add(value, isMessage) {
    this.#write(value, isMessage);
    this.#push(END, 0);
  }

  #push(kind, number) {
    if (this.#length === this.#pieces.length) {
      const pieces = new Uint32Array(2 * this.#length);
      pieces.set(this.#pieces);
      this.#pieces = pieces;
    }
    this.#pieces[this.#length++] = (number << KIND_BITS) | kind;
  }

  /** Iterative, because values may nest deep. */
  #write(root, isMessage) {
    const pending = this.#pending;
    const bottom = pending.length;
    let depth = 0;
    pending.push(root);
    while (pending.length > bottom) {
      const value = pending.pop();
      if (typeof value === 'string') this.#text(value);
      else if (value === OUT) depth--;
      else if (value === null || typeof value !== 'object') this.#scalar(value);
      else if (value instanceof Data) this.#write(value.value, false);
      else if (ArrayBuffer.isView(value)) this.#raw(bytesOf(value));
      else if (value instanceof ArrayBuffer) this.#raw(bytesOf(new Uint8Array(value)));
      else if (typeof value.toJSON === 'function') pending.push(jsonOf(value));
      else {
        if (++depth > MAX_DEPTH) throw new TypeError('messages must not be circular');
        pending.push(OUT);
        if (Array.isArray(value)) this.#items(value);
        else this.#members(value, isMessage);
      }
    }
  }

  #items(array) {
    this.#push(ARRAY, array.length);
    for (let index = array.length - 1; index >= 0; index--) this.#pending.push(isJson(array[index]) ? array[index] : null);
  }

  /** Writes the members up to the first that isn't a text, which most members are, and leaves the others pending. */
  #members(object, isMessage) {
    const keys = sortedKeys(object, isMessage);
    this.#push(OBJECT, keys.length);
    let place = 0;
    for (; place < keys.length; place++) {
      const value = object[keys[place]];
      if (typeof value !== 'string') break;
      this.#text(keys[place]);
      this.#text(value);
    }
    for (let index = keys.length - 1; index >= place; index--) {
      const key = keys[index];
      this.#pending.push(isMessage ? memberOf(key, object[key]) : object[key], key);
    }
  }

  #text(text) {
    if (text.length > MAX_KNOWN_TEXT) {
      this.strings.push(text);
      this.#push(LONG_TEXT, text.length);
    } else if (!this.#isKnown(text)) this.#learn(text, text, TEXT, LONG_TEXT);
  }

  #scalar(value) {
    if (!this.#isKnown(value)) this.#learn(value, scalar(value), SCALAR, RAW);
  }

  #isKnown(value) {
    const number = this.#numbers.get(value);
    if (number === undefined) return false;
    this.#push(KNOWN, number);
    return true;
  }

  #learn(value, text, known, unknown) {
    const isLearned = this.#numbers.size < MAX_KNOWN;
    if (isLearned) this.#numbers.set(value, this.#numbers.size);
    this.strings.push(text);
    this.#push(isLearned ? known : unknown, text.length);
  }

  #raw(text) {
    this.strings.push(text);
    this.#push(RAW, text.length);
  }
}

/**
 * Returns canonical texts, which are the same for values that are equal as JSON, whatever the order of their keys, and for no others. They are
 * listed in pieces: V8 copies a text that JavaScript joined before the engine can read it.
 *
 * @param {readonly unknown[]} values
 * @param {boolean} areMessages see {@link Pieces.add}
 * @returns {{ pieces: Uint32Array, strings: string[] }} as the engine takes them
 */
function canonicalTexts(values, areMessages) {
  const texts = new Pieces(values.length);
  for (let index = 0; index < values.length; index++) texts.add(values[index], areMessages);
  return { pieces: texts.pieces, strings: texts.strings };
}

/** The keys of the members that are hashed. */
function sortedKeys(object, isMessage) {
  const all = Object.keys(object);
  const keys = [];
  for (let index = 0; index < all.length; index++) {
    const key = all[index];
    const value = object[key];
    if (typeof value !== 'string' && !isJson(value)) continue;
    if (isMessage && key.length >= SHORTEST && isBreakpoint(key, value)) continue;
    let place = keys.length;
    keys.push(key);
    if (place >= MAX_INSERTED) continue;
    for (; place > 0 && keys[place - 1] > key; place--) keys[place] = keys[place - 1];
    keys[place] = key;
  }
  return keys.length > MAX_INSERTED ? keys.sort() : keys;
}

function memberOf(key, value) {
  if (value === null || typeof value !== 'object') return value;
  if (key === 'content') return loneText(value) ?? value;
  return DATA.has(key) ? new Data(value) : value;
}

/** Returns the answer of `toJSON`, with null for values that JSON leaves out. */
function jsonOf(value) {
  const json = value.toJSON();
  // One that answers with itself has been asked.
  if (json === value) return { ...value, toJSON: undefined };
  return isJson(json) ? json : null;
}

const isJson = (value) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';

const scalar = (value) => `${typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value)};`;

/** Bytes as one letter each. JSON has no form for them that is worth computing, so behind JSON they are another value. */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return `${byteLength}b${Buffer.from(buffer, byteOffset, byteLength).toString('latin1')}`;
}

module.exports = { canonicalTexts };
