// @ts-check
'use strict';

const native = require('../native.js');

/** Maximum depth of a value. Deeper ones are circular, as a rule. */
const MAX_DEPTH = 20_000;

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

/** Fingerprints of objects, each computed once: most messages stay the same objects from round to round. */
class Fingerprints {
  #known = new Map();

  /** @returns {string[]} those of `objects`, in their order */
  of(objects) {
    const fresh = [...new Set(objects)].filter((object) => !this.#known.has(object));
    if (fresh.length > 0) fingerprintsOf(fresh).forEach((print, index) => this.#known.set(fresh[index], print));
    return objects.map((object) => this.#known.get(object));
  }
}

/** Returns a text that is the same for values which are equal as JSON, and for no others. Iterative, because values may nest deep. */
function canonical(root) {
  let text = '';
  let depth = 0;
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') text += `${value.length}"${value}`;
    else if (value === END) depth--;
    else if (value === null || typeof value !== 'object') text += `${scalar(value)};`;
    else if (ArrayBuffer.isView(value)) text += bytesOf(value);
    else if (typeof value.toJSON === 'function') pending.push(jsonOf(value));
    else {
      if (++depth > MAX_DEPTH) throw new TypeError('messages must not be circular');
      pending.push(END);
      text += Array.isArray(value) ? pushItems(value, pending) : pushMembers(value, pending);
    }
  }
  return text;
}

function pushItems(array, pending) {
  for (let index = array.length - 1; index >= 0; index--) pending.push(isJson(array[index]) ? array[index] : null);
  return `${array.length}[`;
}

function pushMembers(object, pending) {
  const keys = Object.keys(object).filter((key) => isJson(object[key]));
  keys.sort();
  for (let index = keys.length - 1; index >= 0; index--) pending.push(object[keys[index]], keys[index]);
  return `${keys.length}{`;
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

module.exports = { canonical, fingerprintOf, fingerprintsOf, Fingerprints };
