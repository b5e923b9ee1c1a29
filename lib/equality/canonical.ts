import { CANONICAL_PIECE } from '../generated/layout.js';
import { DATA, isBreakpoint, isMarker, loneText } from './breakpoints.js';
import { bytesOf } from './snapshot.js';
import type { Foreign } from '../types.js';

const { KNOWN, TEXT, LONG_TEXT, SCALAR, RAW, OBJECT, ARRAY, END, KIND_BITS, MAX_SHORT } = CANONICAL_PIECE;

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

/** Maximum number of lists of keys that are remembered. */
const MAX_LISTS = 16;

/** A key of an object. */
class Key {
  name: string;
  maySetBreakpoints: boolean;
  /** The piece that stands for it, once it has a number. */
  piece = -1;

  constructor(name: string) {
    this.name = name;
    this.maySetBreakpoints = isMarker(name) || name === 'providerOptions';
  }
}

/** What is left to write of an object: its members from a place on. */
class Rest {
  object;
  keys;
  place;
  start;
  isMessage;

  constructor(object: Foreign, keys: readonly Key[], place: number, start: number, isMessage: boolean) {
    this.object = object;
    this.keys = keys;
    this.place = place;
    this.start = start;
    this.isMessage = isMessage;
  }
}

/** The pieces of canonical texts, as they are listed. */
class Pieces {
  /** Kinds and numbers, as `CANONICAL_PIECE` says, in memory that grows. */
  #pieces;
  #length = 0;
  /** The short strings of the pieces, joined, and the others. */
  short = '';
  strings: string[] = [];
  /** The numbers of short texts and of scalars. */
  #numbers = new Map<unknown, number>();
  #pending: Foreign[] = [];
  #lists: { names: string[]; sorted: Key[] }[] = [];

  /** @param texts how many there will be */
  constructor(texts: number) {
    this.#pieces = new Uint32Array(PIECES_PER_TEXT * texts + 8);
  }

  get pieces() {
    return this.#pieces.subarray(0, this.#length);
  }

  /**
   * Adds the text of a value; that of a message is without its cache breakpoints, and with a single text block as the text alone.
   *
   * @throws {TypeError} the value is circular
   */
  add(value: unknown, isMessage: boolean) {
    this.#write(value, isMessage);
    this.#push(END, 0);
  }

  #push(kind: number, number: number) {
    this.#piece((number << KIND_BITS) | kind);
  }

  #piece(piece: number) {
    if (this.#length === this.#pieces.length) {
      const pieces = new Uint32Array(2 * this.#length);
      pieces.set(this.#pieces);
      this.#pieces = pieces;
    }
    this.#pieces[this.#length++] = piece;
  }

  /** Iterative, because values may nest deep. */
  #write(root: unknown, isMessage: boolean) {
    const pending = this.#pending;
    const bottom = pending.length;
    let depth = 0;
    pending.push(root);
    while (pending.length > bottom) {
      const value = pending.pop();
      if (typeof value === 'string') this.#text(value);
      else if (value === OUT) depth--;
      else if (value === null || typeof value !== 'object') this.#scalar(value);
      else if (value instanceof Rest) this.#members(value.object, value.keys, value.place, value.start, value.isMessage);
      else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) this.#string(RAW, textOf(bytesOf(value) as Buffer));
      else if (typeof value.toJSON === 'function') pending.push(jsonOf(value));
      else {
        if (++depth > MAX_DEPTH) throw new TypeError('messages must not be circular');
        pending.push(OUT);
        if (Array.isArray(value)) this.#items(value);
        else {
          this.#push(OBJECT, 0);
          this.#members(value, this.#keysOf(value), 0, this.#length - 1, isMessage);
        }
      }
    }
  }

  #items(array: readonly unknown[]) {
    this.#push(ARRAY, array.length);
    for (let index = array.length - 1; index >= 0; index--) this.#pending.push(isJson(array[index]) ? array[index] : null);
  }

  /**
   * Writes the members of an object from `place` on, each of which the piece at `start` counts, up to the first that is an object. That one and
   * those behind it are left pending.
   */
  #members(object: Foreign, keys: readonly Key[], place: number, start: number, isMessage: boolean) {
    for (; place < keys.length; place++) {
      const key = keys[place];
      const value = object[key.name];
      if (!isJson(value) || (isMessage && key.maySetBreakpoints && isBreakpoint(key.name, value))) continue;
      this.#pieces[start] += 1 << KIND_BITS;
      this.#key(key);
      const text = typeof value === 'string' || !isMessage || key.name !== 'content' ? value : (loneText(value) ?? value);
      if (typeof text === 'string') this.#text(text);
      else if (value === null || typeof value !== 'object') this.#scalar(value);
      // In data no key is a breakpoint.
      else if (isMessage && DATA.has(key.name)) this.#write(value, false);
      else {
        if (place + 1 < keys.length) this.#pending.push(new Rest(object, keys, place + 1, start, isMessage));
        this.#pending.push(value);
        return;
      }
    }
  }

  #key(key: Key) {
    if (key.piece >= 0) this.#piece(key.piece);
    else {
      this.#text(key.name);
      const number = this.#numbers.get(key.name);
      if (number !== undefined) key.piece = (number << KIND_BITS) | KNOWN;
    }
  }

  /** The keys of an object in order. */
  #keysOf(object: object) {
    const names = Object.keys(object);
    for (let index = 0; index < this.#lists.length; index++) {
      const list = this.#lists[index];
      if (areEqual(list.names, names)) return list.sorted;
    }
    const sorted = sortedKeys(names);
    if (this.#lists.length < MAX_LISTS) this.#lists.push({ names, sorted });
    return sorted;
  }

  #text(text: string) {
    if (text.length > MAX_KNOWN_TEXT) this.#string(LONG_TEXT, text);
    else if (!this.#isKnown(text)) this.#learn(text, text, TEXT, LONG_TEXT);
  }

  #scalar(value: Foreign) {
    if (!this.#isKnown(value)) this.#learn(value, scalar(value), SCALAR, RAW);
  }

  #isKnown(value: Foreign) {
    const number = this.#numbers.get(value);
    if (number === undefined) return false;
    this.#push(KNOWN, number);
    return true;
  }

  #learn(value: Foreign, text: string, known: number, unknown: number) {
    const isLearned = this.#numbers.size < MAX_KNOWN;
    if (isLearned) this.#numbers.set(value, this.#numbers.size);
    this.#string(isLearned ? known : unknown, text);
  }

  #string(kind: number, text: string) {
    if (text.length > MAX_SHORT) this.strings.push(text);
    else this.short += text;
    this.#push(kind, text.length);
  }
}

/**
 * Returns canonical texts, which are the same for values that are equal as JSON, whatever the order of their keys, and for no others. They are
 * listed in pieces: V8 copies a text that JavaScript joined before the engine can read it.
 *
 * @param areMessages see {@link Pieces.add}
 * @returns as the engine takes them
 */
export function canonicalTexts(
  values: readonly unknown[],
  areMessages: boolean,
): { pieces: Uint32Array; short: string; strings: string[] } {
  const texts = new Pieces(values.length);
  for (let index = 0; index < values.length; index++) texts.add(values[index], areMessages);
  return { pieces: texts.pieces, short: texts.short, strings: texts.strings };
}

function sortedKeys(names: readonly string[]) {
  const keys: Key[] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    let place = keys.length;
    keys.push(new Key(name));
    if (place >= MAX_INSERTED) continue;
    for (; place > 0 && keys[place - 1].name > name; place--) [keys[place - 1], keys[place]] = [keys[place], keys[place - 1]];
  }
  return keys.length > MAX_INSERTED ? keys.sort((a, b) => (a.name < b.name ? -1 : 1)) : keys;
}

function areEqual(list: readonly string[], other: readonly string[]) {
  if (list.length !== other.length) return false;
  for (let index = 0; index < list.length; index++) if (list[index] !== other[index]) return false;
  return true;
}

/** Returns the answer of `toJSON`, with null for values that JSON leaves out. */
function jsonOf(value: Foreign) {
  const json = value.toJSON();
  // One that answers with itself has been asked.
  if (json === value) return { ...value, toJSON: undefined };
  return isJson(json) ? json : null;
}

const isJson = (value: Foreign) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';

const scalar = (value: Foreign) => `${typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value)};`;

/** Bytes as one letter each. JSON has no form for them that is worth computing, so behind JSON they are another value. */
const textOf = (bytes: Buffer) => `${bytes.length}b${bytes.toString('latin1')}`;
