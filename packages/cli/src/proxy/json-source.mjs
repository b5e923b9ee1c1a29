// @ts-check
// Edits one array of a JSON text and leaves all other bytes as they are.
import { randomBytes } from 'node:crypto';

/**
 * Where an object's array lies in its JSON text.
 *
 * @typedef {object} Source
 * @property {string} text the JSON text
 * @property {string[]} keys names of the object's members, in order
 * @property {[number, number]} array start and end of the array, in UTF-16 code units
 * @property {[number, number][]} items start and end of each element
 * @property {string[]} texts the elements
 * @property {boolean} isPlain whether the elements are written as JavaScript would write them, so that equal elements have equal texts
 * @property {[number, number][]} numbers start and end of the array's numbers that a JavaScript number would change, such as 2^64
 */

const QUOTE = 0x22;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const SCALAR = /[^\s,\]}]+/y;
const SPACE = /[ \t\n\r]*/y;
/** Escapes that JavaScript writes otherwise, at least some of them, and keys that it sorts. */
const UNUSUAL = /\\[u/]|"\d+":/;
/** Number of digits up to which every integer is exact. */
const EXACT_DIGITS = 15;

/**
 * Finds an array among the members of a JSON object. Takes one pass. The result is right for valid JSON only.
 *
 * @param {string} text
 * @param {string} name
 * @returns {Source | undefined} undefined if the text is no object, has a member twice, or has no such array
 */
export function findArray(text, name) {
  const reader = new Reader(text);
  reader.space();
  if (!reader.take('{')) return undefined;
  const keys = [];
  /** @type {Pick<Source, 'array' | 'items' | 'isPlain' | 'numbers'> | undefined} */
  let found;
  for (reader.space(); !reader.take('}'); reader.space()) {
    if (keys.length > 0 && !reader.take(',')) return undefined;
    reader.space();
    const key = reader.key();
    if (key === undefined) return undefined;
    keys.push(key);
    reader.space();
    if (!reader.take(':')) return undefined;
    reader.space();
    if (key === name) found = reader.array();
    else reader.value();
    if (reader.isBroken) return undefined;
  }
  if (found === undefined || new Set(keys).size !== keys.length) return undefined;
  return { text, keys, ...found, texts: found.items.map(([start, end]) => text.slice(start, end)) };
}

/** Reads a JSON text without building values. */
class Reader {
  at = 0;
  isBroken = false;
  /** Whether there is space within elements of the array. */
  #isSpaced = false;
  #text;
  /** @type {[number, number][] | undefined} collects inexact numbers while an array is read */
  #numbers;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  space() {
    this.#match(SPACE);
  }

  /** @param {string} character */
  take(character) {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** @returns {string | undefined} */
  key() {
    if (this.#text.charCodeAt(this.at) !== QUOTE) return undefined;
    const start = this.at;
    this.#string();
    try {
      return JSON.parse(this.#text.slice(start, this.at));
    } catch {
      return undefined;
    }
  }

  /** Reads an array; returns undefined if the value is another. */
  array() {
    const start = this.at;
    if (this.#text[start] !== '[') {
      this.value();
      return undefined;
    }
    this.at++;
    /** @type {[number, number][]} */
    const items = [];
    /** @type {[number, number][]} */
    const numbers = [];
    this.#numbers = numbers;
    for (this.space(); !this.take(']'); this.space()) {
      if (items.length > 0 && !this.take(',')) this.isBroken = true;
      this.space();
      const from = this.at;
      this.value();
      if (this.isBroken) break;
      items.push([from, this.at]);
    }
    this.#numbers = undefined;
    const isPlain = !this.#isSpaced && !UNUSUAL.test(this.#text.slice(start, this.at));
    return { array: /** @type {[number, number]} */ ([start, this.at]), items, isPlain, numbers };
  }

  /** Moves behind a value. */
  value() {
    const from = this.at;
    let depth = 0;
    do {
      switch (this.#text.charCodeAt(this.at)) {
        case QUOTE:
          this.#string();
          break;
        case 0x7b: // {
        case 0x5b: // [
          depth++;
          this.at++;
          break;
        case 0x7d: // }
        case 0x5d: // ]
          depth--;
          this.at++;
          break;
        case 0x2c: // ,
        case 0x3a: // :
          this.at++;
          break;
        case 0x20:
        case 0x09:
        case 0x0a:
        case 0x0d:
          this.#isSpaced ||= this.#numbers !== undefined;
          this.at++;
          break;
        default:
          this.#scalar();
      }
    } while (depth > 0 && !this.isBroken && this.at < this.#text.length);
    if (depth !== 0 || this.at === from) this.isBroken = true;
  }

  #string() {
    const text = this.#text;
    for (let end = text.indexOf('"', this.at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
      let before = end;
      while (text.charCodeAt(before - 1) === 0x5c) before--;
      if ((end - before) % 2 === 1) continue;
      this.at = end + 1;
      return;
    }
    this.isBroken = true;
  }

  #scalar() {
    const start = this.at;
    const number = this.#match(NUMBER);
    if (number === '') {
      if (this.#match(SCALAR) === '') this.isBroken = true;
    } else if (this.#numbers !== undefined && !isExact(number)) this.#numbers.push([start, this.at]);
  }

  /** @param {RegExp} pattern */
  #match(pattern) {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.#text) ?? [''];
    this.at += found.length;
    return found;
  }
}

/** Returns whether a number comes out of JavaScript as it went in. @param {string} number */
const isExact = (number) =>
  (number.length <= EXACT_DIGITS && /^-?[1-9]\d*$/.test(number)) || number === '0' || JSON.stringify(Number(number)) === number;

// Random, so that no text can hold it by intention.
const EDGE = `\uE000${randomBytes(9).toString('base64url')}:`;
const END = '\uE000';
const WHOLE = new RegExp(`"${EDGE}([-+.eE\\d]+)${END}"`, 'g');
const PART = new RegExp(`${EDGE}([-+.eE\\d]+)${END}`, 'g');

/**
 * Returns a text of the same object in which strings stand for inexact numbers of the array; `restore` puts the numbers back.
 *
 * @param {Source} source
 * @param {[number, number]} [range] by default the whole text
 */
export function guarded({ text, numbers }, [start, end] = [0, text.length]) {
  let result = '';
  let at = start;
  for (const [from, to] of numbers) {
    if (from < start || to > end) continue;
    result += `${text.slice(at, from)}"${EDGE}${text.slice(from, to)}${END}"`;
    at = to;
  }
  return at === start ? text.slice(start, end) : result + text.slice(at, end);
}

/** @param {string} json */
const restore = (json) => (json.includes(EDGE) ? json.replace(WHOLE, '$1').replace(PART, '$1') : json);

/** JSON of values that sessions send again and again; no session changes them. @type {WeakMap<object, string>} */
const written = new WeakMap();

/** @param {any} value */
function jsonOf(value) {
  const known = value !== null && typeof value === 'object' ? written.get(value) : undefined;
  if (known !== undefined) return known;
  const json = restore(JSON.stringify(value));
  if (value !== null && typeof value === 'object') written.set(value, json);
  return json;
}

/**
 * Returns the texts of other elements. An element that equals one of the source's keeps its bytes.
 *
 * @param {Source} source
 * @param {readonly unknown[]} values the elements, parsed from the guarded text or made of such
 */
export function textsFor(source, values) {
  const parts = values.map(jsonOf);
  if (source.isPlain) return parts;
  const own = new Map(
    source.items.map((range, index) => [restore(JSON.stringify(JSON.parse(guarded(source, range)))), source.texts[index]]),
  );
  return parts.map((json) => own.get(json) ?? json);
}

/**
 * Returns the text with other elements in the array.
 *
 * @param {Source} source
 * @param {readonly string[]} parts texts of the elements
 * @returns {string} the very text if the elements are the same
 */
export function withItems(source, parts) {
  const { text, array, texts } = source;
  const isSame = parts.length === texts.length && texts.every((one, index) => one === parts[index]);
  return isSame ? text : `${text.slice(0, array[0])}[${parts.join(',')}]${text.slice(array[1])}`;
}
