// @ts-check
'use strict';

const native = require('../native.js');
const { recall } = require('../tokens/memory.js');
const { DATA, isBreakpoint, loneText, SHORTEST } = require('./breakpoints.js');

/**
 * Version of the fingerprints in an entry of `originals`: those of messages without what surface.js describes. Those of version 2 are
 * of all that messages hold; entries without a version hold those of sampled.js.
 */
const HASH = 3;
/** The length of a fingerprint. */
const PRINT = 11;

/** Maximum depth of a value. Deeper ones are circular, as a rule. */
const MAX_DEPTH = 20_000;

/** Maximum number of keys that are sorted by insertion, which takes less time than `sort` as long as they are few. */
const MAX_INSERTED = 16;

const END = Symbol('end of an array or object');

/**
 * Fingerprints of values, by which they are known again: 64-bit hashes of all that they hold, as eleven characters. Equal before
 * and after a trip through JSON, whatever the order of keys.
 *
 * @param {readonly unknown[]} values
 * @returns {string[]}
 * @throws {TypeError} a value is circular
 */
const fingerprintsOf = (values) => native.fingerprints(values.map(canonical));

/** Returns the fingerprint of one value. {@link fingerprintsOf} costs less for several. */
const fingerprintOf = (value) => fingerprintsOf([value])[0];

/**
 * Fingerprints of messages, each computed once: most messages stay the same objects from round to round. Those of messages whose tokens were
 * counted are remembered from call to call.
 */
class Fingerprints {
  #textOf;
  #memoryOf;
  #known = new Map();

  /**
   * @param {(message: object) => string} [textOf] the text that is hashed
   * @param {typeof memoryOf} [known] as `memoryOf`, where the caller has asked it of most messages
   */
  constructor(textOf = messageText, known = memoryOf) {
    this.#textOf = textOf;
    this.#memoryOf = known;
  }

  /** @returns {string[]} those of `messages`, in their order */
  of(messages) {
    const fresh = new Map();
    for (const message of messages) {
      if (this.#known.has(message) || fresh.has(message)) continue;
      const memory = this.#textOf === messageText ? this.#memoryOf(message) : undefined;
      if (memory?.print === undefined) fresh.set(message, memory);
      else this.#known.set(message, memory.print);
    }
    if (fresh.size > 0) this.#learn([...fresh.keys()], [...fresh.values()]);
    return messages.map((message) => this.#known.get(message));
  }

  #learn(messages, memories) {
    native.fingerprints(messages.map(this.#textOf)).forEach((print, index) => {
      this.#known.set(messages[index], print);
      if (memories[index] !== undefined) memories[index].print = print;
    });
  }
}

/** Joins fingerprints to one text. */
const joined = (prints) => prints.join('');

/** Returns a fingerprint of a text that {@link joined} made; undefined if there is none. */
const printAt = (text, index) =>
  index >= 0 && text.length >= PRINT * (index + 1) ? text.slice(PRINT * index, PRINT * (index + 1)) : undefined;

/** Returns what is known of a message, where its fingerprint may be remembered: a `toJSON` may give another text each time. */
const memoryOf = (message) => (typeof message === 'object' && typeof message?.toJSON !== 'function' ? recall(message) : undefined);

/** Returns a text that is the same for values which are equal as JSON, and for no others. */
const canonical = (value) => textOf(value, false);

/** Returns {@link canonical} of a message without its cache breakpoints, and with a single text block as the text alone. */
const messageText = (message) => textOf(message, true);

/** A value in which no key is a breakpoint. */
class Data {
  constructor(value) {
    this.value = value;
  }
}

/** Iterative, because values may nest deep. */
function textOf(root, isMessage) {
  let text = '';
  let depth = 0;
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') text += `${value.length}"${value}`;
    else if (value === END) depth--;
    else if (value === null || typeof value !== 'object') text += `${scalar(value)};`;
    else if (value instanceof Data) text += canonical(value.value);
    else if (ArrayBuffer.isView(value)) text += bytesOf(value);
    else if (value instanceof ArrayBuffer) text += bytesOf(new Uint8Array(value));
    else if (typeof value.toJSON === 'function') pending.push(jsonOf(value));
    else {
      if (++depth > MAX_DEPTH) throw new TypeError('messages must not be circular');
      pending.push(END);
      text += Array.isArray(value) ? pushItems(value, pending) : pushMembers(value, pending, isMessage);
    }
  }
  return text;
}

function pushItems(array, pending) {
  for (let index = array.length - 1; index >= 0; index--) pending.push(isJson(array[index]) ? array[index] : null);
  return `${array.length}[`;
}

/** Writes the members up to the first that isn't a text, which most members are, and pushes the others. */
function pushMembers(object, pending, isMessage) {
  const keys = sortedKeys(object, isMessage);
  let text = `${keys.length}{`;
  let place = 0;
  for (; place < keys.length; place++) {
    const key = keys[place];
    const value = object[key];
    if (typeof value !== 'string') break;
    text += `${key.length}"${key}${value.length}"${value}`;
  }
  for (let index = keys.length - 1; index >= place; index--) {
    const key = keys[index];
    pending.push(isMessage ? memberOf(key, object[key]) : object[key], key);
  }
  return text;
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

const scalar = (value) => (typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value));

/** Bytes as one letter each. JSON has no form for them that is worth computing, so behind JSON they are another value. */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return `${byteLength}b${Buffer.from(buffer, byteOffset, byteLength).toString('latin1')}`;
}

module.exports = { canonical, fingerprintOf, fingerprintsOf, Fingerprints, HASH, joined, memoryOf, messageText, PRINT, printAt };
