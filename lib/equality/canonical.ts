import { hasMembers } from '../checks.js';
import { CANONICAL_PIECE } from '../generated/layout.js';
import { ALL, inside, isCachePoint, isIgnored, loneText, mayBeIgnored, MESSAGE, WRITTEN } from './ignored.js';
import { bytesOf, CIRCULAR, circleOf } from './snapshot.js';

const { KNOWN, TEXT, LONG_TEXT, SCALAR, RAW, OBJECT, ARRAY, END, KIND_BITS, MAX_SHORT } = CANONICAL_PIECE;

/** Maximum depth of a value: more than a message may have. Deeper ones are circular, as a rule. */
const MAX_DEPTH = 2000;
/** Maximum length of a text that gets a number, in UTF-16 code units: a look-up hashes the text. */
const MAX_KNOWN_TEXT = 32;
/** Maximum number of texts and scalars that get numbers. */
const MAX_KNOWN = 1 << 16;

/** Pieces of a message, as a rule. */
const PIECES_PER_TEXT = 16;

/** Maximum number of lists of keys that are remembered. */
const MAX_LISTS = 16;

/** A key of an object. */
class Key {
  name: string;
  mayBeIgnored: boolean;
  /** The piece that stands for it, once it has a number. */
  piece = -1;

  constructor(name: string) {
    this.name = name;
    this.mayBeIgnored = mayBeIgnored(name);
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
  #lists: { names: string[]; sorted: Key[] }[] = [];

  /** @param texts how many there will be */
  constructor(texts: number) {
    this.#pieces = new Uint32Array(PIECES_PER_TEXT * texts + 8);
  }

  get pieces() {
    return this.#pieces.subarray(0, this.#length);
  }

  /**
   * Adds the text of a value; that of a message is without what ignored.ts ignores, and with a single text block as the text alone.
   *
   * @throws {TypeError} the value is circular
   */
  add(value: unknown, isMessage: boolean) {
    this.#write(value, isMessage ? MESSAGE : ALL, 0);
    this.#push(END, 0);
  }

  /** @param kind with the number 0, if it is left out */
  #push(kind: number, number = 0) {
    const piece = (number << KIND_BITS) | kind;
    if (this.#length === this.#pieces.length) {
      const pieces = new Uint32Array(2 * this.#length);
      pieces.set(this.#pieces);
      this.#pieces = pieces;
    }
    this.#pieces[this.#length++] = piece;
  }

  #write(value: unknown, level: number, depth: number) {
    if (typeof value === 'string') this.#text(value);
    else if (!hasMembers(value)) this.#scalar(value);
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) this.#string(RAW, textOf(bytesOf(value) as Buffer));
    else if (depth === MAX_DEPTH) throw new TypeError(CIRCULAR);
    else if (typeof value.toJSON === 'function') this.#write(jsonOf(value), level, depth + 1);
    else if (Array.isArray(value))
      this.#items(level < WRITTEN ? value.filter((item: unknown) => !isCachePoint(item)) : value, level, depth + 1);
    else this.#members(value, level, depth + 1);
  }

  #items(array: unknown[], level: number, depth: number) {
    this.#push(ARRAY, array.length);
    for (let index = 0; index < array.length; index++) this.#write(isJson(array[index]) ? array[index] : null, level, depth);
  }

  #members(object: Record<string, unknown>, level: number, depth: number) {
    const start = this.#length;
    this.#push(OBJECT, 0);
    const keys = this.#keysOf(object);
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place];
      const value = object[key.name];
      if (!isJson(value) || (level < WRITTEN && key.mayBeIgnored && isIgnored(key.name, value, object, level))) continue;
      this.#pieces[start] += 1 << KIND_BITS;
      this.#key(key);
      const within = inside(level, key.name, object);
      const lone = level < WRITTEN && key.name === 'content' ? loneText(value, within) : undefined;
      this.#write(lone ?? value, within, depth);
    }
  }

  #key(key: Key) {
    if (key.piece >= 0) this.#push(key.piece);
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
    const sorted = names.toSorted().map((name) => new Key(name));
    if (this.#lists.length < MAX_LISTS) this.#lists.push({ names, sorted });
    return sorted;
  }

  #text(text: string) {
    if (text.length > MAX_KNOWN_TEXT) this.#string(LONG_TEXT, text);
    else if (!this.#isKnown(text)) this.#learn(text, text, TEXT, LONG_TEXT);
  }

  #scalar(value: unknown) {
    if (!this.#isKnown(value)) this.#learn(value, scalar(value), SCALAR, RAW);
  }

  #isKnown(value: unknown) {
    const number = this.#numbers.get(value);
    if (number === undefined) return false;
    this.#push(KNOWN, number);
    return true;
  }

  #learn(value: unknown, text: string, known: number, unknown: number) {
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

function areEqual(list: readonly string[], other: readonly string[]) {
  if (list.length !== other.length) return false;
  for (let index = 0; index < list.length; index++) if (list[index] !== other[index]) return false;
  return true;
}

/** Returns the answer of `toJSON`, with null for values that JSON leaves out. */
function jsonOf(value: object) {
  let json: unknown;
  try {
    json = (value as { toJSON(): unknown }).toJSON();
  } catch (error) {
    // The classes of an SDK may follow a circle without end.
    throw circleOf(error);
  }
  // One that answers with itself has been asked.
  if (json === value) return { ...value, toJSON: undefined };
  return isJson(json) ? json : null;
}

const isJson = (value: unknown) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';

const scalar = (value: unknown) => `${typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value)};`;

/** Bytes as one letter each. JSON has no form for them that is worth computing, so behind JSON they are another value. */
const textOf = (bytes: Buffer) => `${bytes.length}b${bytes.toString('latin1')}`;
